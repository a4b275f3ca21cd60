"""The ranges of the open states of a stage, in which tasks label them.

states      numbered in ascending order
pieces      | 0  1 | 2  3 | 4 |       of their file
ranges        0      1      2         each has some pieces, and so some numbers, one after the other
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import PIECE
from solver.engines.loops.stage_files import SOLVED
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.steps import even_ranges
from solver.errors import UnfitRules
from solver.rules.arrays import Keys

MAX_STATES = 1 << 32
"""The bound of the states of a stage, whose numbers have 32 bits."""

STATES_PER_RANGE, BYTES_PER_STATE = 1 << 21, 512
"""The most states of a range, and the memory that each takes in a task."""

LEAST_STATES = 1 << 16
"""States of a range of a stage that has more of them."""


@dataclass(frozen=True)
class Ranges:
    """The ranges of the open states of a stage."""

    stage: int
    bounds: tuple[int, ...]
    """The piece with which each begins, and the number of pieces."""
    begins: tuple[int, ...]
    """The number of the first state of each, and the number of states."""

    @classmethod
    def of(cls, states: KeyFile, stage: int, bounds: Sequence[int]) -> "Ranges":
        """The ranges of the open states of a stage that begin with these pieces."""
        return cls(stage, tuple(bounds), tuple(states.begins[[*bounds]].tolist()))

    def __len__(self) -> int:
        """The number of ranges."""
        return len(self.bounds) - 1

    def group(self, ranges: Keys) -> tuple[NDArray[np.intp], Keys]:
        """The order that sorts numbers of ranges, and where each range begins: int64, (ranges + 1,)."""
        order = np.argsort(ranges.astype(np.uint16), kind="stable")
        return order, np.concatenate([[0], np.cumsum(np.bincount(ranges, minlength=len(self)))])


def ranges_of(context: SolveContext, nth: int) -> Ranges:
    """Ranges of the open states of a stage that fit into memory, and at least one for each shard."""
    states = SOLVED.open_states(context, nth)
    if states.states >= MAX_STATES:
        raise UnfitRules(f"a stage has {states.states:,} states, more than 2**32: rules may tell tiers")
    most = max(1, min(STATES_PER_RANGE, context.job.memory // BYTES_PER_STATE) // PIECE)
    workers = max(1, min(context.job.shards, states.states // LEAST_STATES))
    bounds = [begin for begin, _ in even_ranges(states.pieces, most, workers)] if states.pieces else []
    return Ranges.of(states, nth, [*bounds, states.pieces])
