"""Moves in files as sorted integers, the child before the parent: some 5 bytes each instead of 12.

    child   parent            integers            bytes
    70      1         sort    (63 - 63) << 2 | 2  the gaps between them (gap_codec.py), each made one larger,
    63      2         --->    (70 - 63) << 2 | 1  as a parent may have several moves to a child

A code is that of the moves from one range of states to another.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import packed, unpacked
from solver.packed import STATE_BITS
from solver.rules.arrays import Keys, in_order


class MoveCode(NamedTuple):
    """How moves become integers."""

    first: int
    """The least child."""
    bits: int
    """Those of the number of a parent."""

    @classmethod
    def of(cls, first: int, last: int, parents: int) -> "MoveCode | None":
        """The code of moves of so many parents to children in [first, last]; None if they are too wide."""
        bits = max(1, parents - 1).bit_length()
        return cls(first, bits) if bits + (last - first).bit_length() < STATE_BITS else None

    def encoded(self, children: Keys, parents: NDArray[np.int32]) -> tuple[NDArray[np.uint8], Keys]:
        """The bytes of moves, and their number with the first integer."""
        moves = in_order((children - self.first) << self.bits | parents)
        pieces = packed(moves + np.arange(len(moves)), max(1, len(moves)))
        return pieces.data, np.array([len(children), *pieces.firsts], np.int64)

    def decoded(self, data: NDArray[np.uint8], head: Keys) -> tuple[Keys, NDArray[Any]]:
        """The children and the parents of moves that were encoded."""
        counts = head[:1][head[:1] > 0]
        moves = unpacked(data, np.full(len(counts), len(data)), counts, head[1:])
        moves -= np.arange(len(moves))
        return (moves >> self.bits) + self.first, (moves & ((1 << self.bits) - 1)).astype(np.int32)
