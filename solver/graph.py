"""The reachable states as a networkx DiGraph.

A node is a state. Its attributes are `to_move` (0 or 1), `depth` (the fewest plies from a start), and either
`moves`, the pairs (action, child) in action order, or for a terminal state `utility`. An edge leads from
a state to each child; two actions with the same child share it. The graph itself has `start`, the first state
in which play may begin, `starts`, how many there are, `folded`: whether each node stands for all states
that are symmetric to it, and `game`, the rules.
"""

from collections import deque
from collections.abc import Container, Hashable, Iterable
from itertools import islice
from operator import index
from time import monotonic
from typing import Any

import networkx as nx

from solver import memory
from solver.display import shown_in_notebook
from solver.errors import BrokenRules, SolverError, TooLarge
from solver.plugins import AnyGame
from solver.progress import Progress, no_progress


class Graph(nx.DiGraph):  # type: ignore[misc]
    """A DiGraph that shows itself in a notebook."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown_in_notebook("graph", self)


BYTES_PER_STATE = 2000
"""What a state costs from the graph to the finished database, rounded up; see tests/benchmarks."""

CHECK_EVERY = 4096

MOST_ACTIONS = 100_000
"""More actions than this in one state are those of rules that never stop to give one more."""

PATIENCE = 0.1
"""After this many seconds it is time to look at the memory, be there few states or many."""

UTILITIES = range(-(2**63) + 1, 2**63)
"""What a database can hold, and hold negated."""


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
    budget = memory.available() // 2 if budget is None else budget
    if starts is None:
        _refuse_if_hopeless(game, budget, fold=fold)
    before = memory.used()
    graph = Graph(game=game)
    firsts = _starts(game, before + budget) if starts is None else list(starts)
    queue = deque(dict.fromkeys(_canonical(game, state) if fold else state for state in firsts))
    graph.graph.update(start=firsts[0], starts=len(queue), folded=fold)
    graph.add_nodes_from(queue, depth=0)
    try:
        _grow(game, graph, queue, before + budget, progress)
    except MemoryError as error:
        if isinstance(error, SolverError):
            raise
        raise TooLarge(f"after {len(graph):,} states there is no memory for another one") from error
    return graph


def _grow(game: AnyGame, graph: Graph, queue: deque[Any], limit: int, progress: Progress) -> None:
    """Expand every state in the queue, and those that are found by it, within `limit` bytes of memory."""
    fold, looked = graph.graph["folded"], monotonic()
    while queue:
        state = queue.popleft()
        node = graph.nodes[state]
        _expand(game, state, node, fold=fold)
        for _, child in node.get("moves", ()):
            if child not in graph:
                graph.add_node(child, depth=node["depth"] + 1)
                queue.append(child)
            graph.add_edge(state, child)
        if queue and ((len(graph) - len(queue)) % CHECK_EVERY == 0 or monotonic() > looked + PATIENCE):
            progress("finding states", len(graph) - len(queue), None)
            _refuse_beyond(limit, len(graph))
            looked = monotonic()


def is_layered(graph: Graph) -> bool:
    """Whether each state has a single ply: every way to reach it from a start is equally long."""
    depth = graph.nodes.data("depth")
    return all(depth[child] == depth[state] + 1 for state, child in graph.edges)


def _refuse_beyond(limit: int, states: int) -> None:
    """Raise `TooLarge` when this process holds more than `limit` bytes of memory."""
    if memory.used() > limit:
        raise TooLarge(
            f"this game has more than {states:,} states and the graph engine, which needs about "
            f"{BYTES_PER_STATE / 1000} kB for each, has {limit / 1e9:.1f} GB: "
            "choose smaller parameters or --start from a later position"
        )


def _starts(game: AnyGame, limit: int) -> list[Any]:
    """The initial states, each once; raises `TooLarge` when they do not fit into `limit` bytes."""
    starts: dict[Any, None] = {}
    try:
        for state in game.initial_states():
            starts[state] = None
            if len(starts) % CHECK_EVERY == 0:
                _refuse_beyond(limit, len(starts))
    except SolverError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} fail to give the initial state: "
            f"{type(error).__name__}: {error}"
        ) from error
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
    except SolverError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} fail to give the canonical form of the state {state!r}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return representative


def _expand(game: AnyGame, state: Any, node: dict[str, Any], *, fold: bool) -> None:
    """Fill in the attributes of a node from the rules."""
    try:
        mover, actions = game.to_move(state), tuple(islice(game.actions(state), MOST_ACTIONS + 1))
        moves = tuple((action, game.result(state, action)) for action in actions)
        hash(moves)
        utility = None if moves else game.utility(state)
    except (SolverError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} fail in the state {state!r}: {type(error).__name__}: {error}"
        ) from error
    if fold:
        moves = tuple((action, _canonical(game, child)) for action, child in moves)
    node["to_move"] = _integer("to_move", mover, (0, 1), state)
    if moves:
        node["moves"] = moves
    else:
        node["utility"] = _integer("the utility of a state without actions", utility, UTILITIES, state)
    if len(moves) > MOST_ACTIONS:
        raise BrokenRules(f"there are more than {MOST_ACTIONS:,} actions in the state {state!r}")
    if any(child is None for _, child in moves):
        raise BrokenRules(f"an action leads to None, which cannot be a state, in the state {state!r}")


def _integer(name: str, value: Any, allowed: Container[int], state: Any) -> int:
    """The value as an int; raises `BrokenRules` unless it is an integer and allowed."""
    try:
        if (number := index(value)) in allowed:
            return number
    except TypeError:
        pass
    wanted = "an integer below 2**63, signs aside" if allowed is UTILITIES else "0 or 1"
    raise BrokenRules(f"{name} should be {wanted}, not {value!r}, in the state {state!r}")


def _refuse_if_hopeless(game: AnyGame, budget: int, *, fold: bool) -> None:
    """Raise `TooLarge` before any work when the rules themselves tell that the graph cannot fit."""
    try:
        bound = game.states_at_most()
        bound = bound // (1 + len(game.symmetries())) if bound is not None and fold else bound
    except SolverError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} fail to say how large they are: "
            f"{type(error).__name__}: {error}"
        ) from error
    if bound is not None and bound * BYTES_PER_STATE > 2 * budget:
        raise TooLarge(
            f"this game has up to {bound:,} states and the graph engine, which needs about "
            f"{BYTES_PER_STATE / 1000} kB for each, has {2 * budget / 1e9:.1f} GB: "
            "choose smaller parameters or --start from a later position"
        )
