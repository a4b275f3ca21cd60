"""Shared parts of tree searches: a node budget, a guard against repetition, a cache of moves, a trampoline.

A recursive function that may go deeper than Python's stack is written as a coroutine, a generator that yields
its recursive calls and is sent their results; a trampoline runs it:

    def height(tree: Tree) -> Coroutine[int]:
        return 1 + max((yield height(tree.left)), (yield height(tree.right)))

    run_trampoline(height(tree))
"""

from collections.abc import Callable, Generator, Hashable
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from solver.errors import RepeatedState, TooLarge
from solver.game import AnyGame
from solver.rules.asking import actions_of
from solver.rules.notation import write_position
from solver.system import resources

Moves: TypeAlias = tuple[tuple[Any, Any], ...]
"""The actions of a state with their successor states, in action order."""

NODES_PER_MEMORY_CHECK = 2**16
"""The number of nodes between two checks of the free memory."""

MIN_FREE_MEMORY = 2**28
"""Bytes of memory that a search leaves free."""

REMEMBERED_STATES = 2**16
"""The number of states whose moves a search caches."""


class NodeBudget:
    """The count of visited nodes, and its limit."""

    def __init__(self, limit: int | None = None) -> None:
        """Allow `limit` nodes; any number if that is None."""
        self.nodes = 0
        self._limit = limit

    def spend(self) -> None:
        """Count a node; raise `TooLarge` when the limit is exceeded or memory runs out."""
        self.nodes += 1
        if self.nodes - 1 == self._limit:
            raise TooLarge(f"the search needs more than {self._limit:,} nodes: begin closer to the end")
        if self.nodes % NODES_PER_MEMORY_CHECK == 0 and resources.available() < MIN_FREE_MEMORY:
            raise TooLarge(f"memory runs out after {self.nodes:,} nodes: begin closer to the end")


def extend_path(state: Hashable, path: set[Hashable], game: AnyGame) -> None:
    """Add `state` to the states on the path from the root; raise `RepeatedState` if it is among them."""
    if state in path:
        raise RepeatedState(
            f"play can return to {write_position(game, state)!r}, so this search would never end: "
            "`perfectplay solve` labels games with loops, and among the searches "
            "and-or, depth-limited and those by playouts take them"
        )
    path.add(state)


def remembered_moves(game: AnyGame) -> Callable[[Hashable], Moves]:
    """A function from a state to its `Moves`, with a cache of the last `REMEMBERED_STATES` states."""

    @lru_cache(maxsize=REMEMBERED_STATES)
    def moves(state: Hashable) -> Moves:
        return tuple((action, game.result(state, action)) for action in actions_of(game, state))

    return moves


Returned = TypeVar("Returned")

Coroutine: TypeAlias = Generator["Coroutine[Any]", Any, Returned]
"""A call in progress: it yields the calls whose results it needs, and returns its own result."""


def run_trampoline(call: Coroutine[Returned]) -> Returned:
    """Run `call` and the calls that it makes on an explicit stack; returns its result."""
    pending: list[Coroutine[Any]] = [call]
    answer: Any = None
    while pending:
        try:
            pending.append(pending[-1].send(answer))
            answer = None
        except StopIteration as finished:
            pending.pop()
            answer = finished.value
    return answer  # type: ignore[no-any-return]
