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

from solver.errors import BrokenRules, SolverError, TooLarge, shown
from solver.game import AnyGame
from solver.rules.asking import actions_of, bound_of, mover_of, symmetries_of, utility_of
from solver.rules.failures import rules_asked, tell
from solver.system import resources
from solver.system.plugins import shown_in_notebook
from solver.system.progress import Progress, no_progress


class Graph(nx.DiGraph):  # type: ignore[misc]
    """A DiGraph with a picture for notebooks."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown_in_notebook("graph", self)


BYTES_PER_STATE = 2000
"""Bytes of memory for each state until the database is finished, rounded up; see tests/benchmarks."""

PERCENT_WHEN_FOUND = 75
"""Percentage of the peak memory of a solve that is in use when all states are found; see there."""

LEAST_MEMORY = 1 << 24
"""Bytes below which a solve is refused."""

STATES_PER_CHECK = 4096
"""States between two checks of the memory, and between two reports of progress."""

SECONDS_PER_CHECK = 0.1
"""Seconds after which the memory is checked, however few states were found meanwhile."""


@contextmanager
def graph_budget(limit: int | None = None) -> Iterator[int]:
    """Yield the bytes that the states may take when all are found; the process may hold `limit` in the block.

    None stands for all of the available memory. Raises `TooLarge` at once if the limit is too low for any
    graph, and when the block needs more than the limit.
    """
    held = resources.used()
    limit = held + resources.available() if limit is None else limit
    if limit < held + LEAST_MEMORY:
        raise TooLarge(
            f"{_size(limit)} of memory are too little: Python and its libraries hold {_size(held)} before "
            f"the first state; give it {_size(held + 2 * LEAST_MEMORY)} or more"
        )
    try:
        with resources.bounded(limit):
            yield (limit - held) * PERCENT_WHEN_FOUND // 100
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
    """Return the graph of all states that play from `starts` (default: the initial states) can reach.

    Nodes are in order of depth. With `fold` they are the canonical states of the symmetry classes, and so are
    all children. Raises `TooLarge` as soon as it is clear that the graph needs more than `budget` bytes
    (default: half of the available memory; labelling and writing take the rest), and `BrokenRules` if the
    rules raise or return what cannot be a state or an action.
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
    """Expand all states in the queue and those found from them, within `limit` bytes of memory."""
    fold, checked = graph.graph["folded"], monotonic()
    while queue:
        state = queue.popleft()
        node = graph.nodes[state]
        try:
            _expand(game, state, node, fold=fold)
            _link(graph, state, node, queue)
        except (Exception, SystemExit) as error:
            tell(game, error, "", state)
        if queue and (
            (len(graph) - len(queue)) % STATES_PER_CHECK == 0 or monotonic() > checked + SECONDS_PER_CHECK
        ):
            progress("finding states", len(graph) - len(queue), None)
            _refuse_beyond(limit, len(graph))
            checked = monotonic()


def _link(graph: Graph, state: Any, node: dict[str, Any], queue: deque[Any]) -> None:
    """Add edges to the children of a state, and enqueue the children that are new."""
    for _, child in node.get("moves", ()):
        if child not in graph:
            graph.add_node(child, depth=node["depth"] + 1)
            queue.append(child)
        graph.add_edge(state, child)


def _size(count: int) -> str:
    """Format a number of bytes."""
    return f"{count / 1e9:,.1f} GB" if count >= 10**9 else f"{count / 1e6:,.0f} MB"


def is_layered(graph: Graph) -> bool:
    """Return whether every state has a single ply: all paths to it from the starts are equally long."""
    depth = graph.nodes.data("depth")
    return all(depth[child] == depth[state] + 1 for state, child in graph.edges)


def _refuse_beyond(limit: int, states: int) -> None:
    """Raise `TooLarge` if this process holds more than `limit` bytes of memory."""
    if (used := resources.used()) > limit:
        raise TooLarge(
            f"this game has more than {states:,} states, after which the graph engine holds "
            f"{_size(used)} of memory, which leaves too little to label and write them: "
            "choose smaller parameters, --start from a later position or give it more memory"
        )


def _starts(game: AnyGame, limit: int, progress: Progress) -> list[Any]:
    """The initial states without duplicates; raises `TooLarge` if they do not fit into `limit` bytes."""
    starts: dict[Any, None] = {}
    with rules_asked(game, "initial_states"):
        for state in game.initial_states():
            starts[state] = None
            if len(starts) % STATES_PER_CHECK == 0:
                progress("finding initial states", len(starts), None)
                _refuse_beyond(limit, len(starts))
    if not starts:
        raise BrokenRules(f"the rules of {type(game).__name__} give no initial state")
    if None in starts:
        raise BrokenRules(f"the rules of {type(game).__name__} give None for the initial state")
    return list(starts)


def _canonical(game: AnyGame, state: Any) -> Any:
    """The canonical form of a state; raises `BrokenRules` if the rules give none."""
    try:
        representative = game.canonical(state)
        hash(representative)
    except (Exception, SystemExit) as error:
        tell(game, error, "canonical", state)
    return representative


def _expand(game: AnyGame, state: Any, node: dict[str, Any], *, fold: bool) -> None:
    """Set the attributes of a node by the rules."""
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
    """Raise `TooLarge` before any work if the rules' bound on the states says that the graph cannot fit."""
    bound = bound_of(game)
    bound = bound // (1 + len(symmetries_of(game))) if bound is not None and fold else bound
    if bound is not None and bound * BYTES_PER_STATE > 2 * budget:
        raise TooLarge(
            f"this game has up to {bound:,} states and the graph engine, which needs about "
            f"{BYTES_PER_STATE / 1000} kB for each, has {_size(2 * budget)}: "
            "choose smaller parameters or --start from a later position"
        )
