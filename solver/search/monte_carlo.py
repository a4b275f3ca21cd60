"""Flat Monte Carlo search: equally many playouts for each action; the one with the best mean is chosen.

Source: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern
Analysis and Machine Intelligence 12(2), 1990.
"""

from collections.abc import Hashable

from solver.game import AnyGame, sign_for
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.playouts import check_playouts, sampler


def monte_carlo(game: AnyGame, state: Hashable, settings: Settings = DEFAULTS) -> SearchResult:
    """The action with the best mean utility over its share of the playouts, and that mean.

    An action without playouts, if there are fewer playouts than actions, is not chosen. Raises
    `BadParameter` for less than one playout.
    """
    check_playouts(settings.playouts)
    moves = [(action, game.result(state, action)) for action in actions_of(game, state)]
    if not moves:
        utility = utility_of(game, state)
        settings.recorder.terminal(state, utility)
        return SearchResult(None, utility, playouts=0)
    sign = sign_for(mover_of(game, state))
    share, rest = divmod(settings.playouts, len(moves))
    counts = [share + (nth < rest) for nth in range(len(moves))]
    how = settings.seed, settings.policy, settings.endless_value
    outcomes = sampler(game, [child for _, child in moves], *how)(counts)
    means = [sum(utilities) / len(utilities) for utilities in outcomes if utilities]
    best = max(range(len(means)), key=lambda nth: sign * means[nth])
    played = ((nth, utility) for nth, utilities in enumerate(outcomes) for utility in utilities)
    settings.recorder.arms(state, moves, played, moves[best][0])
    return SearchResult(moves[best][0], means[best], playouts=settings.playouts)
