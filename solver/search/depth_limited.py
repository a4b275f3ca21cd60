"""Heuristic minimax and alpha-beta: search to a depth limit and evaluate the states there.

A terminal state has the score (utility, 0), a state at the depth limit (0, evaluation), and scores compare
lexicographically. So a win within the depth is better than any evaluation, a loss is worse, and a draw
equals an evaluation of 0.

Sources: C. E. Shannon, "Programming a Computer for Playing Chess", Philosophical Magazine 41(314), 1950;
Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 5.3.
"""

from collections.abc import Hashable
from math import inf
from typing import Any, TypeAlias

from solver.errors import BadParameter
from solver.game import FIRST, AnyGame
from solver.rules.asking import guess_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.trace import Visit
from solver.search.tree import Coroutine, NodeBudget, remembered_moves, run_trampoline

Score: TypeAlias = tuple[float, float]
"""(utility, 0) of a terminal state, or (0, evaluation)."""

LOWEST, HIGHEST = (-inf, 0.0), (inf, 0.0)


def depth_limited(
    game: AnyGame, state: Hashable, settings: Settings = DEFAULTS, *, prune: bool = True
) -> SearchResult:
    """The first of the best actions by a search to the depth limit.

    With `prune` the search is alpha-beta, else minimax; the choice is the same. The result's `value` is the
    utility that one side can force within the depth; if the score depends on an evaluation, `value` is None
    and `heuristic` is the evaluation. Raises `BadParameter` for a depth below 1 and `TooLarge` after
    `most_nodes` nodes.
    """
    if settings.depth < 1:
        raise BadParameter(f"the depth should be at least 1 ply, not {settings.depth}")
    budget, moves, recorder = NodeBudget(settings.most_nodes), remembered_moves(game), settings.recorder
    guesses = 0

    def search(state: Hashable, depth: int, low: Score, high: Score) -> Coroutine[tuple[Score, Any]]:
        """The score of `state`, or a bound on it if it is outside the window, and the action chosen."""
        nonlocal guesses
        budget.spend()
        tried = moves(state)
        if not tried:
            return (utility_of(game, state), 0.0), None
        if depth == 0:
            guesses += 1
            recorder.treated(Visit.EVALUATED)
            return (0, guess_of(game, state)), None
        maximising = mover_of(game, state) == FIRST
        best, choice = LOWEST if maximising else HIGHEST, None
        for action, child in tried:
            recorder.enter(child, action, (low, high) if prune else None)
            score, reply = yield search(child, depth - 1, low, high)
            recorder.leave(score, reply)
            if score > best if maximising else score < best:
                best, choice = score, action
            if prune and maximising:
                low = max(low, best)
            elif prune:
                high = min(high, best)
            if low >= high:
                recorder.cut(tried)
                break
        return best, choice

    recorder.enter(state, window=(LOWEST, HIGHEST) if prune else None)
    score, action = run_trampoline(search(state, settings.depth, LOWEST, HIGHEST))
    recorder.leave(score, action)
    utility, guessed = score
    if utility or not guesses:
        return SearchResult(action, utility, nodes=budget.nodes)
    return SearchResult(action, None, nodes=budget.nodes, heuristic=guessed)
