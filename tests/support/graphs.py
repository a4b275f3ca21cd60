"""Graphs of games, labelled by the graph engine."""

from typing import Any

from solver import explore, label
from solver.engines.graph_states import Graph
from solver.game import AnyGame
from solver.rules.notation import read_position
from tests.support.plain_retrograde import Label


def solved_graph(game: AnyGame, start: str | None = None, **options: Any) -> Graph:
    """The labelled graph of the states that play from `start`, by default the initial states, can reach."""
    graph = explore(game, None if start is None else [read_position(game, start)], **options)
    label(graph)
    return graph


def labels_by_position(game: AnyGame) -> dict[str, Label]:
    """The label of each state that play can reach, by the text of its position."""
    graph = solved_graph(game)
    return {game.position(state): (node["value"], node["remoteness"]) for state, node in graph.nodes.data()}
