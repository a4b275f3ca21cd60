"""Graphs of games, labelled by the graph engine."""

from typing import Any

from solver import explore, label
from solver.engines.graph.reachable import Graph
from solver.game import AnyGame
from solver.rules.notation import read_position


def solved_graph(game: AnyGame, start: str | None = None, **options: Any) -> Graph:
    """The labelled graph of the states that play from `start`, by default the initial states, can reach."""
    graph = explore(game, None if start is None else [read_position(game, start)], **options)
    label(graph)
    return graph
