"""Playouts: games played to the end to see who wins, at random or by any policy."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, TypeAlias

from solver.errors import BadParameter
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, utility_of

Policy: TypeAlias = Callable[[Any], Any]
"""From a state that is not terminal to the action that is played there."""

Sampler: TypeAlias = Callable[[Sequence[int]], list[list[int]]]
"""From how many playouts to make from each of some states to their utilities, for the first player."""

LONGEST_PLAYOUT = 10_000
"""After so many plies a playout counts as endless."""

FIRST_BATCH, LARGEST_BATCH = 8, 2**15
"""How many playouts are drawn ahead for each state, at first and at most."""


def playout(game: AnyGame, state: Hashable, policy: Policy, level: int = 0) -> int:
    """The utility at the end of a game from `state` that both play by `policy`; of endless play, `level`."""
    for _ in range(LONGEST_PLAYOUT):
        if is_over(game, state):
            return utility_of(game, state)
        state = game.result(state, policy(state))
    return level


def random_policy(game: AnyGame, random: Random) -> Policy:
    """The `Policy` that plays every legal action with equal chances."""
    return lambda state: random.choice(actions_of(game, state))


def check_playouts(playouts: int) -> None:
    """Raise `BadParameter` when there are not enough playouts to choose an action."""
    if playouts < 1:
        raise BadParameter(f"there should be at least 1 playout, not {playouts}")


def sampler(
    game: AnyGame, states: Sequence[Hashable], seed: int, policy: Policy | None = None, level: int = 0
) -> Sampler:
    """A function that makes playouts from `states`: by default random ones, of a packed game many at once.

    What it returns follows from `seed` and from the counts that it was given so far. Endless play is worth
    `level`.
    """
    random = Random(seed)
    if policy is None and isinstance(game, PackedGame):
        from solver.search.packed_playouts import packed_sampler

        return packed_sampler(game, states, random.getrandbits(64), level)
    play = policy or random_policy(game, random)

    def sample(counts: Sequence[int]) -> list[list[int]]:
        return [
            [playout(game, state, play, level) for _ in range(count)]
            for state, count in zip(states, counts, strict=True)
        ]

    return sample


class PlayoutBuffer:
    """The outcomes of independent playouts from each of several states, one by one.

    They are drawn ahead of need where that is faster. As they are independent of each other, whoever takes
    them cannot tell.
    """

    def __init__(self, sample: Sampler, states: int, *, ahead: bool) -> None:
        """Take from `sample`, which serves so many `states`; draw `ahead` or one at a time."""
        self._sample = sample
        self._ready: list[deque[int]] = [deque() for _ in range(states)]
        self._taken = [0] * states
        self._ahead = ahead

    def take(self, state: int) -> int:
        """The utility of the next playout from the state of that number."""
        if not self._ready[state]:
            for ready, outcomes in zip(self._ready, self._sample(self._counts(state)), strict=True):
                ready.extend(outcomes)
        self._taken[state] += 1
        return self._ready[state].popleft()

    def _counts(self, needed: int) -> list[int]:
        """How many playouts to make from each state now: as many again as were taken, less those at hand."""
        if not self._ahead:
            return [int(state == needed) for state in range(len(self._taken))]
        targets = [min(FIRST_BATCH + taken, LARGEST_BATCH) for taken in self._taken]
        return [max(0, target - len(ready)) for target, ready in zip(targets, self._ready, strict=True)]
