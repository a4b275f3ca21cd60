"""A compiled radix sort for arrays of states."""

import numpy as np
from numpy.typing import NDArray

from solver.system.jit import kernel

DIGIT = 10
"""Bits of a digit: the 1,024 places that are written to fit the caches of a processor."""

VALUES = 1 << DIGIT
"""The number of values of a digit."""


@kernel
def sorted_by_digits(keys: NDArray[np.int64], low: int) -> NDArray[np.int64]:
    """The keys, none of them negative, sorted by their bits from `low` on: a new array, int64, (keys,).

    Radix sort, the lowest digit first (D. E. Knuth, The Art of Computer Programming 3, 5.2.5, Algorithm R).
    Leading digits that are the same in all keys are skipped.
    """
    differ, shift = keys.min() ^ keys.max(), low
    ordered, spare = keys.copy(), np.empty(len(keys), np.int64)
    while shift < 63 and differ >> shift:
        places = np.zeros(VALUES + 1, np.int64)
        for key in ordered:
            places[(key >> shift & VALUES - 1) + 1] += 1
        for value in range(VALUES):
            places[value + 1] += places[value]
        for key in ordered:
            value = key >> shift & VALUES - 1
            spare[places[value]] = key
            places[value] += 1
        ordered, spare, shift = spare, ordered, shift + DIGIT
    return ordered
