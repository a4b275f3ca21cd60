"""Alpha-beta search: minimax that leaves out what cannot change the choice.

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
from solver.search.tree import Coroutine, Moves, NodeBudget, PathGuard, remembered_moves, run_trampoline

Order: TypeAlias = Callable[[Any, Moves], Moves]
"""From a state and its moves to the same moves in the order in which they should be tried."""


class Bound(Enum):
    """What a stored value says about the true one."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class Stored(NamedTuple):
    """An entry of the transposition table."""

    value: float
    bound: Bound
    action: Any

    def answers(self, alpha: float, beta: float) -> bool:
        """Whether a search with this window could find nothing more."""
        if self.bound is Bound.EXACT:
            return True
        return self.value >= beta if self.bound is Bound.LOWER else self.value <= alpha


def alpha_beta(
    game: AnyGame,
    state: Hashable,
    *,
    table: bool = False,
    order: Order | None = None,
    most_nodes: int | None = None,
) -> SearchResult:
    """An action with the best minimax value, and that value: the first one in the order in which it tries.

    `order` (default: the order of actions, in which the choice is that of `minimax`) puts promising moves
    first, so that more is pruned; `by_evaluation` makes one. `table` keeps bounds of the states that were
    searched. Raises `RepeatedState` and `TooLarge` as `minimax` does.
    """
    budget, guard, known = NodeBudget(most_nodes), PathGuard(game), dict[Hashable, Stored]()
    moves = remembered_moves(game)

    def search(state: Hashable, alpha: float, beta: float) -> Coroutine[tuple[float, Any]]:
        """The value of `state`, or a bound of it outside of the window, and the action that gives it."""
        stored = known.get(state)
        if stored is not None and stored.answers(alpha, beta):
            return stored.value, stored.action
        budget.spend()
        tried = moves(state)
        if not tried:
            return utility_of(game, state), None
        maximising = mover_of(game, state) == FIRST
        best, choice = -inf if maximising else inf, None
        low, high = alpha, beta
        guard.enter(state)
        for action, child in order(state, tried) if order else tried:
            value, _ = yield search(child, low, high)
            if value > best if maximising else value < best:
                best, choice = value, action
            if maximising:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        guard.leave(state)
        if table:
            known[state] = Stored(best, _bound(best, alpha, beta), choice)
        return best, choice

    value, action = run_trampoline(search(state, -inf, inf))
    return SearchResult(action, value, nodes=budget.nodes)


def by_evaluation(game: AnyGame) -> Order:
    """The `Order` that tries first what the game's own heuristic likes best for the player to move."""

    def order(state: Any, moves: Moves) -> Moves:
        first = mover_of(game, state) == FIRST
        return tuple(sorted(moves, key=lambda move: guess_of(game, move[1]), reverse=first))

    return order


def _bound(value: float, alpha: float, beta: float) -> Bound:
    """What a fail-soft search with the window (alpha, beta) has shown by `value`."""
    if value >= beta:
        return Bound.LOWER
    return Bound.UPPER if value <= alpha else Bound.EXACT
