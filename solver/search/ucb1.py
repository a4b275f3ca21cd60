"""UCB1 at depth one: the actions are the arms of a bandit, and promising ones get more playouts.

Source: P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine
Learning 47, 2002.
"""

from collections.abc import Hashable
from math import log, sqrt

from solver.game import AnyGame, sign_for
from solver.packed import PackedGame
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, Arm, SearchResult, Settings
from solver.search.playouts import PlayoutBuffer, check_playouts, sampler


def ucb1(game: AnyGame, state: Hashable, settings: Settings = DEFAULTS) -> SearchResult:
    """The action with the most playouts by UCB1 (on a tie, the best mean), and its mean utility.

    Rewards are the utilities for the player to move, scaled to [0, 1] by the largest absolute utility seen so
    far. Raises `BadParameter` for less than one playout.
    """
    playouts, exploration = settings.playouts, settings.exploration
    check_playouts(playouts)
    moves = [(action, game.result(state, action)) for action in actions_of(game, state)]
    if not moves:
        utility = utility_of(game, state)
        settings.recorder.terminal(state, utility)
        return SearchResult(None, utility, playouts=0)
    sign = sign_for(mover_of(game, state))
    how = settings.seed, settings.policy, settings.endless_value
    sample = sampler(game, [child for _, child in moves], *how)
    buffer = PlayoutBuffer(sample, len(moves), ahead=settings.policy is None and isinstance(game, PackedGame))
    pulls, totals, scale = [0] * len(moves), [0] * len(moves), 1
    played: list[tuple[int, int]] = []
    for done in range(playouts):
        pulled = done
        if done >= len(moves):
            spread = width(scale, exploration, done)
            bounds = [total / n + spread / sqrt(n) for total, n in zip(totals, pulls, strict=True)]
            pulled = bounds.index(max(bounds))
        gain = sign * buffer.take(pulled)
        scale = max(scale, abs(gain))
        pulls[pulled] += 1
        totals[pulled] += gain
        played.append((pulled, sign * gain))
    tried = range(min(playouts, len(moves)))
    best = max(tried, key=lambda nth: (pulls[nth], totals[nth] / pulls[nth]))
    spread = width(scale, exploration, playouts)
    arms = {
        action: Arm(n, total, total / n, total / n + spread / sqrt(n)) if n else Arm(0, 0, None, None)
        for (action, _), n, total in zip(moves, pulls, totals, strict=True)
    }
    settings.recorder.exploration = exploration
    settings.recorder.arms(state, moves, played, moves[best][0])
    return SearchResult(moves[best][0], sign * totals[best] / pulls[best], playouts=playouts, arms=arms)


def width(scale: int, exploration: float, playouts: int) -> float:
    """The distance of the upper confidence bound from the mean of an arm with one of `playouts` playouts.

    For an arm with n playouts, divide by the square root of n. Gains lie in [-scale, scale], while the
    source's rewards lie in [0, 1], so this is 2 * scale times the source's width.
    """
    return 2 * scale * exploration * sqrt(log(playouts))
