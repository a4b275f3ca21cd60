"""Breadth-first search for the reachable states, as a networkx DiGraph.

A node is a state. Its attributes are `to_move` (0 or 1), `depth` (the fewest plies from a start), and either
`moves`, the pairs (action, child) in action order, or for a terminal state `utility`. An edge leads from
a state to each child; two actions with the same child share it. The attributes of the graph are `start`, the
first of the starts, `starts`, their number, `folded`, whether each node represents its class of symmetric
states, and `game`, the rules.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import networkx as nx

from solver.engines.memory import MemoryWatch, memory_budget, refuse_by_bound
from solver.engines.successors import (
    SECONDS_PER_CHECK,
    STATES_PER_REPORT,
    Successors,
    canonical_of,
    starts_of,
    successors,
)
from solver.game import AnyGame
from solver.rules.failures import rules_asked, tell
from solver.system import resources
from solver.system.plugins import Pictured, shown_in_notebook
from solver.system.progress import Progress, no_progress


class Graph(Pictured, nx.DiGraph):  # type: ignore[misc]
    """A DiGraph with a picture for notebooks."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown_in_notebook("graph", self)


BYTES_PER_STATE = 2000
"""Bytes of memory for each state until the database is finished, rounded up; see tests/benchmarks."""

PERCENT_WHEN_FOUND = 75
"""Percentage of the peak memory of a solve that is in use when all states are found; see there."""


def explore(
    game: AnyGame,
    starts: Iterable[Hashable] | None = None,
    *,
    fold: bool = False,
    budget: int | None = None,
    progress: Progress = no_progress,
) -> Graph:
    """Return the graph of all states that play from `starts` (default: the initial states) can reach.

    Nodes are in order of depth. With `fold` they are the canonical states of the symmetry classes, and so are
    all children. Raises `TooLarge` as soon as it is clear that the graph needs more than `budget` bytes
    (default: half of the available memory; labelling and writing take the rest), and `BrokenRules` if the
    rules raise or return what cannot be a state or an action.
    """
    budget = resources.available() // 2 if budget is None else budget
    if starts is None:
        refuse_by_bound(game, 2 * budget, BYTES_PER_STATE, "graph", fold=fold)
    watch, graph = MemoryWatch("graph", budget), Graph(game=game)
    with rules_asked(game):
        firsts = list(starts_of(game, watch, progress) if starts is None else starts)
        queue = deque(dict.fromkeys(canonical_of(game, state) if fold else state for state in firsts))
        graph.graph.update(start=firsts[0], starts=len(queue), folded=fold)
        graph.add_nodes_from(queue, depth=0)
        _grow(game, graph, queue, watch, progress)
    return graph


def _grow(game: AnyGame, graph: Graph, queue: deque[Any], watch: MemoryWatch, progress: Progress) -> None:
    """Expand all states in the queue and those found from them, as far as there is memory."""
    fold, checked = graph.graph["folded"], monotonic()
    while queue:
        state = queue.popleft()
        node = graph.nodes[state]
        try:
            _describe(node, successors(game, state, fold=fold))
            _link(graph, state, node, queue)
        except (Exception, SystemExit) as error:
            tell(game, error, "", state)
        if queue and (
            (len(graph) - len(queue)) % STATES_PER_REPORT == 0 or monotonic() > checked + SECONDS_PER_CHECK
        ):
            progress("finding states", len(graph) - len(queue), None)
            watch.check(len(graph))
            checked = monotonic()


def graph_of(
    game: AnyGame, start: Any, starts: int, found: Iterable[tuple[Any, int, Successors]], *, fold: bool
) -> Graph:
    """The graph that `explore` makes, from states that were found before, their depths and successors."""
    graph = Graph(game=game, start=start, starts=starts, folded=fold)
    for state, depth, following in found:
        graph.add_node(state, depth=depth)
        _describe(graph.nodes[state], following)
    for state, moves in graph.nodes.data("moves", default=()):
        graph.add_edges_from((state, child) for _, child in moves)
    return graph


def _describe(node: dict[str, Any], found: Successors) -> None:
    """Set the attributes of a node."""
    node["to_move"] = found.to_move
    if found.moves:
        node["moves"] = found.moves
    else:
        node["utility"] = found.utility


def _link(graph: Graph, state: Any, node: dict[str, Any], queue: deque[Any]) -> None:
    """Add edges to the children of a state, and enqueue the children that are new."""
    for _, child in node.get("moves", ()):
        if child not in graph:
            graph.add_node(child, depth=node["depth"] + 1)
            queue.append(child)
        graph.add_edge(state, child)


def is_layered(graph: Graph) -> bool:
    """Return whether every state has a single ply: all paths to it from the starts are equally long."""
    depth = graph.nodes.data("depth")
    return all(depth[child] == depth[state] + 1 for state, child in graph.edges)


@contextmanager
def graph_budget(limit: int | None = None) -> Iterator[int]:
    """Yield the bytes that the states may take when all are found; see `solver.engines.memory`."""
    with memory_budget(limit) as budget:
        yield budget * PERCENT_WHEN_FOUND // 100
