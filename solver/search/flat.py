"""Flat Monte Carlo searches: playouts after each action in a state, equally many, or by UCB1.

By UCB1, the actions are the arms of a bandit, and promising ones get more playouts.

Sources: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern
Analysis and Machine Intelligence 12(2), 1990; P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of
the multiarmed bandit problem", Machine Learning 47, 2002.
"""

from collections.abc import Hashable
from math import log, sqrt
from typing import Any

from solver.game import AnyGame, sign_for
from solver.packed import PackedGame
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, Arm, SearchResult, Settings
from solver.search.playouts import PlayoutBuffer, Sampler, check_playouts, sampler


def monte_carlo(game: AnyGame, state: Hashable, settings: Settings = DEFAULTS) -> SearchResult:
    """The action with the best mean utility over its share of the playouts, and that mean.

    An action without playouts, if there are fewer playouts than actions, is not chosen. Raises
    `BadParameter` for less than one playout.
    """
    if not (moves := _moves(game, state, settings)):
        return _ended(game, state, settings)
    sign = sign_for(mover_of(game, state))
    share, rest = divmod(settings.playouts, len(moves))
    counts = [share + (nth < rest) for nth in range(len(moves))]
    outcomes = _sampler(game, moves, settings)(counts)
    means = [sum(utilities) / len(utilities) for utilities in outcomes if utilities]
    best = max(range(len(means)), key=lambda nth: sign * means[nth])
    played = ((nth, utility) for nth, utilities in enumerate(outcomes) for utility in utilities)
    settings.recorder.arms(state, moves, played, moves[best][0])
    return SearchResult(moves[best][0], means[best], playouts=settings.playouts)


def ucb1(game: AnyGame, state: Hashable, settings: Settings = DEFAULTS) -> SearchResult:
    """The action with the most playouts by UCB1 (on a tie, the best mean), and its mean utility.

    Rewards are the utilities for the player to move, scaled to [0, 1] by the largest absolute utility seen so
    far. Raises `BadParameter` for less than one playout.
    """
    playouts, exploration = settings.playouts, settings.exploration
    if not (moves := _moves(game, state, settings)):
        return _ended(game, state, settings)
    sign = sign_for(mover_of(game, state))
    sample = _sampler(game, moves, settings)
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


def _moves(game: AnyGame, state: Hashable, settings: Settings) -> list[tuple[Any, Any]]:
    """The actions of a state with the states after them; raises `BadParameter` for less than one playout."""
    check_playouts(settings.playouts)
    return [(action, game.result(state, action)) for action in actions_of(game, state)]


def _ended(game: AnyGame, state: Hashable, settings: Settings) -> SearchResult:
    """The result in a state in which the game is over."""
    utility = utility_of(game, state)
    settings.recorder.terminal(state, utility)
    return SearchResult(None, utility, playouts=0)


def _sampler(game: AnyGame, moves: list[tuple[Any, Any]], settings: Settings) -> Sampler:
    how = settings.seed, settings.policy, settings.endless_value
    return sampler(game, [child for _, child in moves], *how)
