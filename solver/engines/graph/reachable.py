"""The reachable states as a networkx DiGraph.

A node is a state. Its attributes are `to_move` (0 or 1), `depth` (the fewest plies from a start), and either
`moves`, the pairs (action, child) in action order, or for a terminal state `utility`. An edge leads from
a state to each child; two actions with the same child share it. The graph itself has `start`, the first state
in which play may begin, `starts`, how many there are, `folded`: whether each node stands for all states
that are symmetric to it, and `game`, the rules.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import networkx as nx

from solver.errors import BrokenRules, SolverError, TooLarge, shown
from solver.game import AnyGame
from solver.rules.asking import actions_of, bound_of, mover_of, symmetries_of, utility_of
from solver.rules.failures import rules_asked, tell
from solver.system import resources
from solver.system.plugins import shown_in_notebook
from solver.system.progress import Progress, no_progress


class Graph(nx.DiGraph):  # type: ignore[misc]
    """A DiGraph that shows itself in a notebook."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown_in_notebook("graph", self)


BYTES_PER_STATE = 2000
"""What a state costs from the graph to the finished database, rounded up; see tests/benchmarks."""

FOUND = 75
"""Percent of the memory that a solve comes to take are taken when all states are found; see the same."""

LEAST = 1 << 24
"""With fewer bytes there is no room for a graph."""

CHECK_EVERY = 4096

PATIENCE = 0.1
"""After this many seconds it is time to look at the memory, be there few states or many."""


@contextmanager
def graph_budget(limit: int | None = None) -> Iterator[int]:
    """How many bytes the states may take when all are found, if the process may hold `limit` in the block.

    With None the process may hold what there is. Raises `TooLarge` at once where a limit leaves no room, and
    when the block comes to need more.
    """
    held = resources.used()
    limit = held + resources.available() if limit is None else limit
    if limit < held + LEAST:
        raise TooLarge(
            f"{_size(limit)} of memory are too little: Python and its libraries hold {_size(held)} before "
            f"the first state; give it {_size(held + 2 * LEAST)} or more"
        )
    try:
        with resources.bounded(limit):
            yield (limit - held) * FOUND // 100
    except MemoryError as error:
        if isinstance(error, SolverError):
            raise
        raise TooLarge(
            f"to find, label and write all states takes more than {_size(limit)} of memory: "
            "give it more, choose smaller parameters or --start from a later position"
        ) from error


def explore(
    game: AnyGame,
    starts: Iterable[Hashable] | None = None,
    *,
    fold: bool = False,
    budget: int | None = None,
    progress: Progress = no_progress,
) -> Graph:
    """The graph of every state that play from `starts` (default: the initial states) can reach.

    With `fold` it has the canonical state of each class of symmetric states, and children are canonical.
    Breadth first, so nodes are in order of depth. Raises `TooLarge` as soon as it is clear that the graph
    needs more than `budget` bytes (default: half of the memory that is available; labelling and writing
    take the rest), and `BrokenRules` when the rules raise or return what cannot be a state or an action.
    """
    budget = resources.available() // 2 if budget is None else budget
    if starts is None:
        _refuse_if_hopeless(game, budget, fold=fold)
    limit, graph = resources.used() + budget, Graph(game=game)
    with rules_asked(game):
        firsts = _starts(game, limit, progress) if starts is None else list(starts)
        queue = deque(dict.fromkeys(_canonical(game, state) if fold else state for state in firsts))
        graph.graph.update(start=firsts[0], starts=len(queue), folded=fold)
        graph.add_nodes_from(queue, depth=0)
        _grow(game, graph, queue, limit, progress)
    return graph


def _grow(game: AnyGame, graph: Graph, queue: deque[Any], limit: int, progress: Progress) -> None:
    """Expand every state in the queue, and those that are found by it, within `limit` bytes of memory."""
    fold, looked = graph.graph["folded"], monotonic()
    while queue:
        state = queue.popleft()
        node = graph.nodes[state]
        try:
            _expand(game, state, node, fold=fold)
            _link(graph, state, node, queue)
        except (Exception, SystemExit) as error:
            tell(game, error, "", state)
        if queue and ((len(graph) - len(queue)) % CHECK_EVERY == 0 or monotonic() > looked + PATIENCE):
            progress("finding states", len(graph) - len(queue), None)
            _refuse_beyond(limit, len(graph))
            looked = monotonic()


def _link(graph: Graph, state: Any, node: dict[str, Any], queue: deque[Any]) -> None:
    """Put the edges to the children of a state into the graph, and those that are new into the queue."""
    for _, child in node.get("moves", ()):
        if child not in graph:
            graph.add_node(child, depth=node["depth"] + 1)
            queue.append(child)
        graph.add_edge(state, child)


def _size(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 1e9:,.1f} GB" if count >= 10**9 else f"{count / 1e6:,.0f} MB"


def is_layered(graph: Graph) -> bool:
    """Whether each state has a single ply: every way to reach it from a start is equally long."""
    depth = graph.nodes.data("depth")
    return all(depth[child] == depth[state] + 1 for state, child in graph.edges)


def _refuse_beyond(limit: int, states: int) -> None:
    """Raise `TooLarge` when this process holds more than `limit` bytes of memory."""
    if (used := resources.used()) > limit:
        raise TooLarge(
            f"this game has more than {states:,} states, after which the graph engine holds "
            f"{_size(used)} of memory, which leaves too little to label and write them: "
            "choose smaller parameters, --start from a later position or give it more memory"
        )


def _starts(game: AnyGame, limit: int, progress: Progress) -> list[Any]:
    """The initial states, each once; raises `TooLarge` when they do not fit into `limit` bytes."""
    starts: dict[Any, None] = {}
    with rules_asked(game, "initial_states"):
        for state in game.initial_states():
            starts[state] = None
            if len(starts) % CHECK_EVERY == 0:
                progress("finding initial states", len(starts), None)
                _refuse_beyond(limit, len(starts))
    if not starts:
        raise BrokenRules(f"the rules of {type(game).__name__} give no initial state")
    if None in starts:
        raise BrokenRules(f"the rules of {type(game).__name__} give None for the initial state")
    return list(starts)


def _canonical(game: AnyGame, state: Any) -> Any:
    """The representative of a class of symmetric states; raises `BrokenRules` where the rules give none."""
    try:
        representative = game.canonical(state)
        hash(representative)
    except (Exception, SystemExit) as error:
        tell(game, error, "canonical", state)
    return representative


def _expand(game: AnyGame, state: Any, node: dict[str, Any], *, fold: bool) -> None:
    """Fill in the attributes of a node from the rules."""
    mover, actions = mover_of(game, state), actions_of(game, state)
    moves = tuple((action, game.result(state, action)) for action in actions)
    hash(moves)
    if any(child is None for _, child in moves):
        raise BrokenRules(f"an action leads to None, which cannot be a state, in the state {shown(state)}")
    if fold:
        moves = tuple((action, _canonical(game, child)) for action, child in moves)
    node["to_move"] = mover
    if moves:
        node["moves"] = moves
    else:
        node["utility"] = utility_of(game, state)


def _refuse_if_hopeless(game: AnyGame, budget: int, *, fold: bool) -> None:
    """Raise `TooLarge` before any work when the rules themselves tell that the graph cannot fit."""
    bound = bound_of(game)
    bound = bound // (1 + len(symmetries_of(game))) if bound is not None and fold else bound
    if bound is not None and bound * BYTES_PER_STATE > 2 * budget:
        raise TooLarge(
            f"this game has up to {bound:,} states and the graph engine, which needs about "
            f"{BYTES_PER_STATE / 1000} kB for each, has {_size(2 * budget)}: "
            "choose smaller parameters or --start from a later position"
        )
