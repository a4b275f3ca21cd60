"""Flat Monte Carlo search: equally many playouts for each action, and the action with the best mean.

Source: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern
Analysis and Machine Intelligence 12(2), 1990.
"""

from collections.abc import Hashable

from solver.game import AnyGame, sign_for
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import SearchResult
from solver.search.playouts import Policy, check_playouts, sampler


def monte_carlo(
    game: AnyGame,
    state: Hashable,
    *,
    playouts: int = 1000,
    seed: int = 0,
    policy: Policy | None = None,
    level: int = 0,
) -> SearchResult:
    """The action with the best mean utility over its share of `playouts` playouts, and that mean.

    Both sides play by `policy` (default: at random); endless play is worth `level`. Actions that get no
    playout, as there are fewer playouts than actions, are not chosen. Raises `BadParameter` for less than one
    playout.
    """
    check_playouts(playouts)
    actions = actions_of(game, state)
    if not actions:
        return SearchResult(None, utility_of(game, state), playouts=0)
    sign = sign_for(mover_of(game, state))
    share, rest = divmod(playouts, len(actions))
    counts = [share + (nth < rest) for nth in range(len(actions))]
    sample = sampler(game, [game.result(state, action) for action in actions], seed, policy, level)
    means = [sum(outcomes) / len(outcomes) for outcomes in sample(counts) if outcomes]
    best = max(range(len(means)), key=lambda nth: sign * means[nth])
    return SearchResult(actions[best], means[best], playouts=playouts)
