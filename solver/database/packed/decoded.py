"""The states of one block, of which one is found without making the keys of all.

first 40     gaps   0   1   2  47 | 910   1 ...       summed up CHUNK by CHUNK: which of them has the key?
reach                          50 |     ...           key 1000 is 960 above 40: behind the first chunk
"""

import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.database.packed.block import BLOCK, Block, gaps_of_planes, keys_of_gaps, labels_of_bytes, opened
from solver.rules.arrays import Keys, Labels

CHUNK = 64
"""How many gaps are summed up at once where one key is looked for."""

CHUNKS = np.arange(0, BLOCK, CHUNK)
"""Where such sums begin in a block."""

NOT_AS_WRITTEN = ValueError, TypeError, struct.error
"""What is raised where a block is decoded that is not what was written."""


@dataclass(frozen=True)
class Run:
    """The states of a block."""

    ply: int
    is_terminal: int
    first: int
    """The least key."""
    gaps: Keys
    """The differences of the keys, 0 for the first."""
    labels: Labels
    """All 0 where play is over: there the rules say what a state is worth."""

    @cached_property
    def keys(self) -> Keys:
        """The keys, in ascending order; raises ValueError where they are in none."""
        return keys_of_gaps(self.first, self.gaps)

    def place(self, key: int) -> int | None:
        """The index of a key, found without making them all; None where it is not there."""
        reach = np.add.reduceat(self.gaps, CHUNKS[: (len(self.gaps) + CHUNK - 1) // CHUNK]).cumsum()
        above = key - self.first
        chunk = int(reach.searchsorted(above))
        begin = chunk * CHUNK
        if chunk:
            above -= int(reach[chunk - 1])
        keys = self.gaps[begin : begin + CHUNK].cumsum()
        at = int(keys.searchsorted(above))
        return begin + at if at < len(keys) and keys[at] == above else None


def decoded(block: Block, dtype: np.dtype[np.signedinteger]) -> Run:
    """The states of a block, with labels that are integers of `dtype`; raises what is `NOT_AS_WRITTEN`."""
    planes, data = opened(block, dtype.itemsize)
    labels = np.zeros(block.states, dtype) if block.is_terminal else labels_of_bytes(data, dtype)
    return Run(block.ply, block.is_terminal, block.first, gaps_of_planes(block.states, planes), labels)
