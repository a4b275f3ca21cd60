"""What the searches of a game tree share: the moves of a state, the line they follow, the count of nodes."""

from collections.abc import Callable, Generator, Hashable
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from solver.errors import RepeatedState, TooLarge
from solver.game import AnyGame
from solver.rules.asking import actions_of
from solver.rules.notation import write_position
from solver.system import resources

Moves: TypeAlias = tuple[tuple[Any, Any], ...]
"""The actions in a state, each with the state to which it leads, in action order."""

NODES_PER_MEMORY_CHECK = 2**16
"""Nodes between two looks at the free memory."""

LEAST_FREE_MEMORY = 2**28
"""Bytes of memory that a search leaves free."""

REMEMBERED_STATES = 2**16
"""Of how many states a search remembers the moves, so that it need not ask the rules each time."""


class NodeBudget:
    """Counts nodes and says when they are too many."""

    def __init__(self, limit: int | None = None) -> None:
        """Allow `limit` nodes; any number if that is None."""
        self.nodes = 0
        self._limit = limit

    def spend(self) -> None:
        """Count a node; raise `TooLarge` when it is one too many or memory runs out."""
        self.nodes += 1
        if self.nodes - 1 == self._limit:
            raise TooLarge(f"the search needs more than {self._limit:,} nodes: begin closer to the end")
        if self.nodes % NODES_PER_MEMORY_CHECK == 0 and resources.available() < LEAST_FREE_MEMORY:
            raise TooLarge(f"memory runs out after {self.nodes:,} nodes: begin closer to the end")


class PathGuard:
    """The states on the line of play that a search is following."""

    def __init__(self, game: AnyGame) -> None:
        """Begin with no state."""
        self._game = game
        self._states: set[Hashable] = set()

    def enter(self, state: Hashable) -> None:
        """Put `state` on the line; raise `RepeatedState` when it is there already."""
        if state in self._states:
            raise RepeatedState(
                f"play can return to {write_position(self._game, state)!r}, so this search would never end: "
                "`perfectplay solve` labels games with loops (engine graph), and among the searches "
                "and-or, depth-limited and those by playouts take them"
            )
        self._states.add(state)

    def leave(self, state: Hashable) -> None:
        """Take `state` off the line."""
        self._states.remove(state)


def remembered_moves(game: AnyGame) -> Callable[[Hashable], Moves]:
    """A function from a state to its `Moves` that remembers what it was asked lately."""

    @lru_cache(maxsize=REMEMBERED_STATES)
    def moves(state: Hashable) -> Moves:
        return tuple((action, game.result(state, action)) for action in actions_of(game, state))

    return moves


Returned = TypeVar("Returned")

Coroutine: TypeAlias = Generator["Coroutine[Any]", Any, Returned]
"""A call under way: yields the calls it needs answered, returns its own answer."""


def run_trampoline(call: Coroutine[Returned]) -> Returned:
    """The answer of `call`, with all the calls that it leads to kept on a list."""
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
