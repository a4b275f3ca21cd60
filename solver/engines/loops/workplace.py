"""What a process opens to do the tasks of a solve of a game with loops, and the files of the stages."""

from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.loops.symmetries import Test, orders_of, prove_symmetries, try_symmetries
from solver.engines.storage.context import SolveContext
from solver.engines.storage.labelled_layer import StageFiles
from solver.engines.storage.records import ReachedStage, StageLabels, UnfoldedStage
from solver.engines.storage.steps import OpenedSolve
from solver.rules.arrays import Keys

ONLY_TIER = 0
"""The tier of all states if the rules define none."""

SOLVED = StageFiles("open", "terminal", "labels", ReachedStage, StageLabels)
"""The files of the solved states: in a folded or an unfolding solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all", UnfoldedStage, UnfoldedStage)
"""The files of all states, if one of each class was solved."""


def tiers_of(context: SolveContext, keys: Keys) -> Keys:
    """The tier of each state."""
    tiers = context.rules.optional("tier", keys)
    return np.full(len(keys), ONLY_TIER) if tiers is None else tiers


COUNTERS_SHARE = 8
"""Cached numbers of open moves take at most 1 / COUNTERS_SHARE of the memory, and the memory for held files.

If the files of a stage are held, these numbers need little memory.
"""


class Counters:
    """A cache of the numbers of open moves of ranges, as this process has changed them last."""

    def __init__(self, room: int) -> None:
        """Cache up to `room` bytes."""
        self._room = room
        self._ranges = dict[Hashable, tuple[tuple[int, ...], NDArray[Any]]]()

    def take(self, key: Hashable, labels: tuple[int, ...]) -> tuple[tuple[int, ...], NDArray[Any] | None]:
        """The first of `labels` that have changed the counters of a range, and the counters; or (), None."""
        applied, counters = self._ranges.pop(key, ((), None))
        return (applied, counters) if applied == labels[: len(applied)] else ((), None)

    def keep(self, key: Hashable, labels: tuple[int, ...], counters: NDArray[Any]) -> None:
        """Cache the counters of a range that these labels have changed."""
        self._ranges[key] = labels, counters
        while sum(counters.nbytes for _, counters in [*self._ranges.values()]) > self._room:
            self._ranges.pop(next(iter(self._ranges)))


class Workplace(OpenedSolve):
    """The context of a solve, and the test of symmetries in each of its states."""

    def __init__(self, context: SolveContext) -> None:
        super().__init__(context)
        self.test_symmetries: Test = try_symmetries
        if context.job.unfolds:
            self.test_symmetries = partial(prove_symmetries, orders_of(context.rules.game))
        self.counters = Counters(context.job.held + context.job.memory // COUNTERS_SHARE)
