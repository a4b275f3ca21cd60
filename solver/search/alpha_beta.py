"""Alpha-beta search: minimax without the branches that cannot change the choice.

Sources: D. E. Knuth, R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6(4), 1975;
fail-soft bounds: J. P. Fishburn, "Another optimization of alpha-beta search", SIGART Newsletter 84, 1983;
the table of bounds: D. M. Breuker, *Memory versus Search in Games*, 1998, chapter 2.
"""

from collections.abc import Callable, Hashable
from enum import Enum
from math import inf
from typing import Any, NamedTuple, TypeAlias

from solver.game import FIRST, AnyGame
from solver.rules.asking import guess_of, mover_of, utility_of
from solver.search.interface import SearchResult
from solver.search.recorder import UNRECORDED, SearchRecorder
from solver.search.tree import Coroutine, Moves, NodeBudget, PathGuard, remembered_moves, run_trampoline

MoveOrder: TypeAlias = Callable[[AnyGame, Any, Moves], Moves]
"""A move ordering: from a game, a state and its moves to the moves in the order in which they are tried."""


class Bound(Enum):
    """The relation of a stored value to the minimax value."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class TableEntry(NamedTuple):
    """An entry of the transposition table."""

    value: float
    bound: Bound
    action: Any

    def answers(self, alpha: float, beta: float) -> bool:
        """Whether the entry answers a search with the window (alpha, beta)."""
        if self.bound is Bound.EXACT:
            return True
        return self.value >= beta if self.bound is Bound.LOWER else self.value <= alpha

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """The least and the greatest value that the entry allows; None for no limit."""
        return (
            None if self.bound is Bound.UPPER else self.value,
            None if self.bound is Bound.LOWER else self.value,
        )


def alpha_beta(
    game: AnyGame,
    state: Hashable,
    *,
    table: bool = False,
    order: MoveOrder | None = None,
    most_nodes: int | None = None,
    recorder: SearchRecorder = UNRECORDED,
) -> SearchResult:
    """The first action tried that has the best minimax value, and that value.

    `order` puts promising moves first, so that more is pruned; `by_evaluation` is one. Without it, moves
    are tried in action order, and the choice is that of `minimax`. `table` keeps bounds of the states that
    were searched (transposition table). Raises `RepeatedState` and `TooLarge` as `minimax` does.
    """
    budget, guard, known = NodeBudget(most_nodes), PathGuard(game), dict[Hashable, TableEntry]()
    moves = remembered_moves(game)

    def search(state: Hashable, alpha: float, beta: float) -> Coroutine[tuple[float, Any]]:
        """The value of `state`, or a bound if it is outside the window, and the action that gives it."""
        stored = known.get(state)
        if stored is not None and stored.answers(alpha, beta):
            recorder.known(*stored.interval)
            return stored.value, stored.action
        budget.spend()
        tried = moves(state)
        if not tried:
            return utility_of(game, state), None
        tried = order(game, state, tried) if order else tried
        maximising = mover_of(game, state) == FIRST
        best, choice = -inf if maximising else inf, None
        low, high = alpha, beta
        guard.enter(state)
        for action, child in tried:
            recorder.enter(child, action, (low, high))
            value, reply = yield search(child, low, high)
            recorder.leave(value, reply)
            if value > best if maximising else value < best:
                best, choice = value, action
            if maximising:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                recorder.cut(tried)
                break
        guard.leave(state)
        if table:
            known[state] = TableEntry(best, _bound(best, alpha, beta), choice)
        return best, choice

    recorder.enter(state, window=(-inf, inf))
    value, action = run_trampoline(search(state, -inf, inf))
    recorder.leave(value, action)
    return SearchResult(action, value, nodes=budget.nodes)


def by_evaluation(game: AnyGame, state: Any, moves: Moves) -> Moves:
    """The moves by the game's heuristic: the best evaluation for the player to move comes first."""
    first = mover_of(game, state) == FIRST
    return tuple(sorted(moves, key=lambda move: guess_of(game, move[1]), reverse=first))


def _bound(value: float, alpha: float, beta: float) -> Bound:
    """The kind of bound that the `value` of a fail-soft search with the window (alpha, beta) is."""
    if value >= beta:
        return Bound.LOWER
    return Bound.UPPER if value <= alpha else Bound.EXACT
