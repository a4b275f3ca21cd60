"""Playouts, which are games played to the end by a policy, and the flat Monte Carlo searches.

These make playouts after each action in a state, equally many, or by UCB1: the actions are the arms of a
bandit, and promising ones get more playouts.

Sources: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern
Analysis and Machine Intelligence 12(2), 1990; P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of
the multiarmed bandit problem", Machine Learning 47, 2002.
"""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from random import Random
from typing import Any, TypeAlias

from solver.errors import BadParameter
from solver.game import AnyGame, sign_for
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, mover_of, utility_of
from solver.search.interface import DEFAULTS, Arm, Policy, SearchResult, Settings

Sampler: TypeAlias = Callable[[Sequence[int]], list[list[int]]]
"""A function from the number of playouts for each state to their utilities for the first player."""

MAX_PLAYOUT_PLIES = 10_000
"""Plies after which a playout counts as endless."""

FIRST_BATCH, MAX_BATCH = 8, 2**15
"""The number of playouts drawn ahead for each state: at first, and at most."""


def playout(game: AnyGame, state: Hashable, policy: Policy, endless_value: int = 0) -> int:
    """The utility of a game from `state` in which both sides follow `policy`; it may be endless."""
    for _ in range(MAX_PLAYOUT_PLIES):
        if is_over(game, state):
            return utility_of(game, state)
        state = game.result(state, policy(state))
    return endless_value


def random_policy(game: AnyGame, random: Random) -> Policy:
    """The `Policy` that chooses uniformly among the legal actions."""
    return lambda state: random.choice(actions_of(game, state))


def check_playouts(playouts: int) -> None:
    """Raise `BadParameter` for less than one playout."""
    if playouts < 1:
        raise BadParameter(f"there should be at least 1 playout, not {playouts}")


def sampler(game: AnyGame, states: Sequence[Hashable], settings: Settings = DEFAULTS) -> Sampler:
    """The `Sampler` of playouts from `states`; its results depend on the settings and the counts so far."""
    random, endless_value = Random(settings.seed), settings.endless_value
    if settings.policy is None and isinstance(game, PackedGame):
        from solver.search.packed_playouts import packed_sampler

        return packed_sampler(game, states, random.getrandbits(64), MAX_PLAYOUT_PLIES, endless_value)
    play = settings.policy or random_policy(game, random)

    def sample(counts: Sequence[int]) -> list[list[int]]:
        return [
            [playout(game, state, play, endless_value) for _ in range(count)]
            for state, count in zip(states, counts, strict=True)
        ]

    return sample


class PlayoutBuffer:
    """The utilities of independent playouts from each of several states, taken one at a time.

    Playouts may be drawn ahead in batches, which is faster for packed games. As they are independent, their
    order makes no difference.
    """

    def __init__(self, sample: Sampler, states: int, *, ahead: bool) -> None:
        """Draw from `sample`, a sampler of `states` states, in batches if `ahead`, else one at a time."""
        self._sample = sample
        self._ready: list[deque[int]] = [deque() for _ in range(states)]
        self._taken = [0] * states
        self._ahead = ahead

    def take(self, state: int) -> int:
        """The utility of the next playout from the state number `state`."""
        if not self._ready[state]:
            for ready, outcomes in zip(self._ready, self._sample(self._counts(state)), strict=True):
                ready.extend(outcomes)
        self._taken[state] += 1
        return self._ready[state].popleft()

    def _counts(self, needed: int) -> list[int]:
        """The playouts to draw from each state: as many as were taken so far, less those in the buffer."""
        if not self._ahead:
            return [int(state == needed) for state in range(len(self._taken))]
        targets = [min(FIRST_BATCH + taken, MAX_BATCH) for taken in self._taken]
        return [max(0, target - len(ready)) for target, ready in zip(targets, self._ready, strict=True)]


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
    outcomes = sampler(game, [child for _, child in moves], settings)(counts)
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
    sample = sampler(game, [child for _, child in moves], settings)
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
