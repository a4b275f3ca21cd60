"""Moves in files as sorted integers, the child in the high bits: about 5 bytes per move instead of 12.

    child   parent            integers            bytes
    70      1         sort    (63 - 63) << 2 | 2  the gaps between them (gap_codec.py), each increased by 1,
    63      2         --->    (70 - 63) << 2 | 1  as a parent may have several moves to a child

There is a code for the moves from one range of states to another.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import packed, unpacked
from solver.packed import STATE_BITS
from solver.rules.arrays import Keys, in_order


class MoveCode(NamedTuple):
    """The code of moves as integers."""

    first: int
    """The least child."""
    bits: int
    """The number of bits of a parent."""

    @classmethod
    def of(cls, first: int, last: int, parents: int) -> "MoveCode | None":
        """The code of moves by this number of parents to children in [first, last]; None if too wide."""
        bits = max(1, parents - 1).bit_length()
        return cls(first, bits) if bits + (last - first).bit_length() < STATE_BITS else None

    def encoded(self, children: Keys, parents: NDArray[np.int32]) -> tuple[NDArray[np.uint8], Keys]:
        """The bytes of moves, and a head: their number, then the first integer, if any."""
        moves = in_order((children - self.first) << self.bits | parents)
        pieces = packed(moves + np.arange(len(moves)), max(1, len(moves)))
        return pieces.data, np.array([len(children), *pieces.firsts], np.int64)

    def decoded(self, data: NDArray[np.uint8], head: Keys) -> tuple[Keys, NDArray[Any]]:
        """The children and the parents of encoded moves."""
        counts = head[:1][head[:1] > 0]
        moves = unpacked(data, np.full(len(counts), len(data)), counts, head[1:])
        moves -= np.arange(len(moves))
        return (moves >> self.bits) + self.first, (moves & ((1 << self.bits) - 1)).astype(np.int32)
