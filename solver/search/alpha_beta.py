"""Alpha-beta search: minimax without the branches that cannot change the choice.

Sources: D. E. Knuth, R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6(4), 1975;
fail-soft bounds: J. P. Fishburn, "Another optimization of alpha-beta search", SIGART Newsletter 84, 1983;
the table of bounds: D. M. Breuker, *Memory versus Search in Games*, 1998, chapter 2.
"""

from collections.abc import Callable, Hashable
from math import inf
from typing import Any, NamedTuple, TypeAlias

from solver.game import FIRST, AnyGame
from solver.rules.asking import guess_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.tree import Coroutine, Moves, NodeBudget, extend_path, remembered_moves, run_trampoline

MoveOrder: TypeAlias = Callable[[AnyGame, Any, Moves], Moves]
"""A move ordering: from a game, a state and its moves to the moves in the order to try them."""


class TableEntry(NamedTuple):
    """An entry of the transposition table: bounds on the minimax value (None if unbounded) and the action."""

    low: float | None
    high: float | None
    action: Any

    def answer(self, alpha: float, beta: float) -> float | None:
        """The value, or a bound on it outside the window (alpha, beta); None if a search is needed."""
        if self.low is not None and (self.low == self.high or self.low >= beta):
            return self.low
        return self.high if self.high is not None and self.high <= alpha else None


def alpha_beta(
    game: AnyGame,
    state: Hashable,
    settings: Settings = DEFAULTS,
    *,
    table: bool = False,
    order: MoveOrder | None = None,
) -> SearchResult:
    """The first action tried that has the best minimax value, and that value.

    `order`, such as `by_evaluation`, puts promising moves first, so that more is pruned. Without it, moves
    are tried in action order, and the choice is the same as that of `minimax`. `table` stores bounds on the
    values of searched states (transposition table). Raises `RepeatedState` and `TooLarge` as `minimax` does.
    """
    path, bounds = set[Hashable](), dict[Hashable, TableEntry]()
    budget, moves, recorder = NodeBudget(settings.most_nodes), remembered_moves(game), settings.recorder

    def search(state: Hashable, alpha: float, beta: float) -> Coroutine[tuple[float, Any]]:
        """The value of `state`, or a bound on it if it is outside the window, and the action chosen."""
        stored = bounds.get(state)
        if stored is not None and (answer := stored.answer(alpha, beta)) is not None:
            recorder.known(stored.low, stored.high)
            return answer, stored.action
        budget.spend()
        tried = moves(state)
        if not tried:
            return utility_of(game, state), None
        tried = order(game, state, tried) if order else tried
        maximising = mover_of(game, state) == FIRST
        best, choice = -inf if maximising else inf, None
        low, high = alpha, beta
        extend_path(state, path, game)
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
        path.remove(state)
        if table:
            bounds[state] = TableEntry(best if best > alpha else None, best if best < beta else None, choice)
        return best, choice

    recorder.enter(state, window=(-inf, inf))
    value, action = run_trampoline(search(state, -inf, inf))
    recorder.leave(value, action)
    return SearchResult(action, value, nodes=budget.nodes)


def by_evaluation(game: AnyGame, state: Any, moves: Moves) -> Moves:
    """The moves in the order of the heuristic evaluation, the best for the player to move first."""
    first = mover_of(game, state) == FIRST
    return tuple(sorted(moves, key=lambda move: guess_of(game, move[1]), reverse=first))
