"""Flat Monte Carlo search: equally many playouts for each action, and the action with the best mean.

Source: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern
Analysis and Machine Intelligence 12(2), 1990.
"""

from collections.abc import Hashable

from solver.game import AnyGame, sign_for
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import SearchResult
from solver.search.playouts import Policy, check_playouts, sampler
from solver.search.recorder import UNRECORDED, SearchRecorder


def monte_carlo(
    game: AnyGame,
    state: Hashable,
    *,
    playouts: int = 1000,
    seed: int = 0,
    policy: Policy | None = None,
    endless_value: int = 0,
    recorder: SearchRecorder = UNRECORDED,
) -> SearchResult:
    """The action with the best mean utility over its share of `playouts` playouts, and that mean.

    Both sides play by `policy` (default: at random); endless play is worth `endless_value`. Actions that get
    no playout, as there are fewer playouts than actions, are not chosen. Raises `BadParameter` for less than
    one playout.
    """
    check_playouts(playouts)
    moves = [(action, game.result(state, action)) for action in actions_of(game, state)]
    if not moves:
        utility = utility_of(game, state)
        recorder.terminal(state, utility)
        return SearchResult(None, utility, playouts=0)
    sign = sign_for(mover_of(game, state))
    share, rest = divmod(playouts, len(moves))
    counts = [share + (nth < rest) for nth in range(len(moves))]
    outcomes = sampler(game, [child for _, child in moves], seed, policy, endless_value)(counts)
    means = [sum(utilities) / len(utilities) for utilities in outcomes if utilities]
    best = max(range(len(means)), key=lambda nth: sign * means[nth])
    played = ((nth, utility) for nth, utilities in enumerate(outcomes) for utility in utilities)
    recorder.arms(state, moves, played, moves[best][0])
    return SearchResult(moves[best][0], means[best], playouts=playouts)
