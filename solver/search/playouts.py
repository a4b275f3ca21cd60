"""Playouts: games played to the end by a policy, random moves by default, and their utilities."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, TypeAlias

from solver.errors import BadParameter
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, utility_of

Policy: TypeAlias = Callable[[Any], Any]
"""A policy: from a non-terminal state to the action played there."""

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


def sampler(
    game: AnyGame, states: Sequence[Hashable], seed: int, policy: Policy | None = None, endless_value: int = 0
) -> Sampler:
    """The `Sampler` of playouts from `states` by `policy` (default: random moves).

    Its results depend only on `seed` and the counts so far. Endless play is worth `endless_value`.
    """
    random = Random(seed)
    if policy is None and isinstance(game, PackedGame):
        from solver.search.packed_playouts import packed_sampler

        return packed_sampler(game, states, random.getrandbits(64), MAX_PLAYOUT_PLIES, endless_value)
    play = policy or random_policy(game, random)

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
