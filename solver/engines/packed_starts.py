"""The starts of a packed game, which may be too many to be in memory at once."""

from collections.abc import Iterator, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from operator import index

import numpy as np

from solver.engines.memory import size
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, TooLarge
from solver.packed import STATE_BITS, PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.system import resources

BYTES_PER_START = 16
"""The least bytes of memory for each class of initial states: its key, and a copy to be sorted."""

STARTS_AT_ONCE = 1 << 18
"""Initial states of packed rules that are read at a time, before duplicates or classes are merged."""


@dataclass(frozen=True)
class PackedStarts:
    """The start of the options, or the initial states of packed rules, in their order.

    They are computed at each use, within the memory that the options allow.
    """

    game: PackedGame
    options: SolveOptions
    disk: int = 0
    """Bytes of disk that they may take in a folded solve, which need not hold them in memory."""

    def __post_init__(self) -> None:
        """Raise what `parts` raises for the first starts, and `TooLarge` before any is computed."""
        self.firsts  # noqa: B018

    @cached_property
    def firsts(self) -> Keys:
        """The first starts: int64, (states,)."""
        return next(self.parts())

    def parts(self) -> Iterator[Keys]:
        """Yield the starts, some at a time; raises `BrokenRules` if there are none, or one is not packed."""
        if (own := self.options.own_start(self.game)) is not None:
            yield np.array(own, np.int64)
            return
        states, starts, is_first = None, np.zeros(1, np.int64), True
        while len(starts):
            with rules_asked(self.game, "initial_states"), resources.bounded(self.options.memory):
                states = states or self._states()
                try:
                    starts = np.fromiter(map(index, islice(states, STARTS_AT_ONCE)), np.int64)
                except OverflowError:  # one has more bits
                    starts = np.array([-1])
            if starts.min(initial=0) < 0 or is_first > len(starts):  # none at all
                raise BrokenRules(
                    f"the rules of {type(self.game).__name__} should give initial states from 0 to below "
                    f"2**{STATE_BITS}"
                )
            is_first = False
            yield starts

    def __iter__(self) -> Iterator[int]:
        """The starts one by one."""
        return chain.from_iterable(part.tolist() for part in self.parts())

    def _states(self) -> Iterator[int]:
        states = self.game.initial_states()
        if not isinstance(states, Sized):
            self._refuse_by_bound()
        return iter(states)

    def _refuse_by_bound(self) -> None:
        fold, bound = self.options.fold, bound_of(self.game) or 0
        room = resources.room(self.options.memory) + self.disk * fold
        if (needed := bound * BYTES_PER_START // self.options.folding(self.game).size) > room:
            raise TooLarge(
                f"this game may begin in as many as {bound:,} states, which take {size(needed)} of memory "
                f"{'or disk ' * fold}before the first move, and there are {size(room)}: give it more, choose "
                "smaller parameters or --start from one position (rules that begin in few states return them "
                "as a list)"
            )
