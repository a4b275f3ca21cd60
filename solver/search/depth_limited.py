"""Heuristic minimax and alpha-beta: search to a given depth and guess from there.

Ends outrank guesses: the score of an end is (utility, 0), that of a guess (0, guess), and scores compare
from left to right. So a win that is seen is better than any guess, a loss worse, and a draw is a guess of 0.

Sources: C. E. Shannon, "Programming a Computer for Playing Chess", Philosophical Magazine 41(314), 1950;
Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 5.3.
"""

from collections.abc import Callable, Hashable
from math import inf
from typing import Any, TypeAlias

from solver.errors import BadParameter
from solver.game import FIRST, AnyGame
from solver.rules.asking import mover_of, utility_of
from solver.search.interface import SearchResult
from solver.search.tree import Coroutine, NodeBudget, remembered_moves, run_trampoline

Score: TypeAlias = tuple[float, float]
"""The utility of an end and 0, or 0 and a guess."""

LOWEST, HIGHEST = (-inf, 0.0), (inf, 0.0)


def depth_limited(
    game: AnyGame,
    state: Hashable,
    depth: int,
    *,
    prune: bool = True,
    evaluate: Callable[[Any], float] | None = None,
    most_nodes: int | None = None,
) -> SearchResult:
    """The first of the best actions by the ends within `depth` plies and by guesses beyond.

    `evaluate` (default: the game's own) guesses, for the first player. `prune` is alpha-beta; without it
    every node down to the depth is searched. The choice is the same. The value is the utility that the side
    it favours can force within the depth, or None where the score rests on a guess, then `heuristic`.
    Raises `BadParameter` when the depth is below 1 and `TooLarge` after `most_nodes` nodes.
    """
    if depth < 1:
        raise BadParameter(f"the depth should be at least 1 ply, not {depth}")
    budget, moves, guess = NodeBudget(most_nodes), remembered_moves(game), evaluate or game.evaluate
    guesses = 0

    def search(state: Hashable, depth: int, low: Score, high: Score) -> Coroutine[tuple[Score, Any]]:
        """The score of `state`, or a bound of it outside of the window, and the action that gives it."""
        nonlocal guesses
        budget.spend()
        tried = moves(state)
        if not tried:
            return (utility_of(game, state), 0.0), None
        if depth == 0:
            guesses += 1
            return (0, guess(state)), None
        maximising = mover_of(game, state) == FIRST
        best, choice = LOWEST if maximising else HIGHEST, None
        for action, child in tried:
            score, _ = yield search(child, depth - 1, low, high)
            if score > best if maximising else score < best:
                best, choice = score, action
            if prune and maximising:
                low = max(low, best)
            elif prune:
                high = min(high, best)
            if low >= high:
                break
        return best, choice

    (utility, guessed), action = run_trampoline(search(state, depth, LOWEST, HIGHEST))
    if utility or not guesses:
        return SearchResult(action, utility, nodes=budget.nodes)
    return SearchResult(action, None, nodes=budget.nodes, heuristic=guessed)
