"""Graphs of games, labelled by the graph engine, and the counts that publications report."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from solver import explore, label
from solver.engines.graph_states import Graph
from solver.game import AnyGame
from solver.rules.notation import read_position
from tests.support.plain_retrograde import Children, Label, Plain, Winner, retrograde


def solved_graph(game: AnyGame, start: str | None = None, **options: Any) -> Graph:
    """The labelled graph of the states reachable from `start`, by default from the initial states."""
    graph = explore(game, None if start is None else [read_position(game, start)], **options)
    label(graph)
    return graph


def labels_by_position(game: AnyGame) -> dict[str, Label]:
    """The label of each reachable state, by the text of its position."""
    graph = solved_graph(game)
    return {game.position(state): (node["value"], node["remoteness"]) for state, node in graph.nodes.data()}


def hold_all(game: Any, sides: Sequence[str], winner: Winner, children: Children) -> None:
    """Compare the labels of all states with those by plain functions, from the empty board on."""
    start: Plain = ("/".join(["." * game.columns] * game.rows), sides[0])
    expected = retrograde(start, lambda state: sides.index(state[1]), winner, children)
    actual = labels_by_position(game)
    assert actual == {" ".join(state): label for state, label in expected.items()}
    assert len(actual) <= game.states_at_most()


def terminal(graph: Graph) -> list[int]:
    """The numbers of terminal states that the first player, the second player and nobody has won."""
    ends = [utility for _, utility in graph.nodes.data("utility") if utility is not None]
    return [sum(u > 0 for u in ends), sum(u < 0 for u in ends), ends.count(0)]


def games(graph: Graph) -> int:
    """The number of paths from the first state to terminal states, in an acyclic graph."""
    ways: Counter[object] = Counter({next(iter(graph)): 1})
    for state, node in graph.nodes.data():
        for _, child in node.get("moves", ()):
            ways[child] += ways[state]
    return sum(ways[state] for state, utility in graph.nodes.data("utility") if utility is not None)
