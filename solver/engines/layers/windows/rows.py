"""The arrays that kernels work on, grouped: sorted keys in rows, each a buffer for one stream.

    keys       1   4  |9  12           cursor 2: 1 and 4 are used; filled 4
               5   8   .   .           cursor 2, filled 2: used up; filled again if it has more

A kernel runs until a row is used up that has more, returns the row's number, and is called again when the row
has been filled again. The parameters of kernels are these tuples, which numba takes apart at no cost.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys, Labels


class KeyRows(NamedTuple):
    """Rows of ascending keys."""

    keys: Keys
    """int64, (rows, room)."""
    cursor: Keys
    """The index of the next unread key of each row: int64, (rows,)."""
    filled: Keys
    """The number of keys in each row: int64, (rows,)."""
    has_more: NDArray[np.uint8]
    """Whether keys follow that are not in the row yet: uint8, (rows,)."""

    @classmethod
    def empty(cls, rows: int, room: int) -> Self:
        """Rows that have yet to be filled, for `room` keys each."""
        none, more = np.zeros(rows, np.int64), np.ones(rows, np.uint8)
        return cls(np.empty((rows, room), np.int64), none, none.copy(), more)


class ChildRows(NamedTuple):
    """Rows of children, one for each action."""

    rows: KeyRows
    parents: NDArray[np.int32]
    """The codes of the parents: 2 * (rank - first) + mover: int32, (rows, room)."""
    firsts: Keys
    """The rank from which the codes in each row count: int64, (rows,). A layer has more than 2**31 states."""


class LabelRows(NamedTuple):
    """Rows of keys with their labels."""

    rows: KeyRows
    labels: Labels
    """Any signed integers, (rows, room)."""


class BitWindow(NamedTuple):
    """A set of keys in a window of the key space: bit i stands for the key `low + i`."""

    bits: NDArray[np.uint64]
    """uint64, (n,)."""
    summary: NDArray[np.uint64]
    """A bit for each word of `bits` that is not 0: uint64, (n / 64,)."""
