"""A compiled radix sort for arrays of states."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.system.jit import kernel

Keys: TypeAlias = NDArray[np.int64]

DIGIT = 10
"""The most bits of a digit: the 1,024 places that are written to fit the caches of a processor."""

VALUES = 1 << DIGIT
"""The most values of a digit."""

LARGE = 1 << 19
"""The number of keys from which the keys with each leading digit are sorted by themselves, in the caches."""


def sorted_by_digits(keys: NDArray[Any], low: int) -> NDArray[Any]:
    """The keys, int64, none of them negative, sorted by their bits from `low` on: a new array.

    Radix sort, the lowest digit first (D. E. Knuth, The Art of Computer Programming 3, 5.2.5, Algorithm R);
    many keys are first divided by their leading digit. Leading bits that all keys share are skipped.
    """
    ordered, spare = np.empty_like(keys), np.empty_like(keys)  # NumPy asks for huge pages, numba does not
    _sort(keys, low, ordered, spare)
    return ordered


@kernel
def _sort(keys: Keys, low: int, ordered: Keys, spare: Keys) -> None:
    """Write the keys to `ordered`, sorted by their bits from `low` on."""
    differ, high = keys.min() ^ keys.max(), low
    while high < 63 and differ >> high:
        high += 1
    if len(keys) < LARGE:
        ordered[:] = keys
        _sort_part(ordered, low, high, spare)
        return
    leading, begin = max(low, high - DIGIT), 0
    ends = np.zeros(VALUES + 1, np.int64)
    _write_by_digit(keys, leading, DIGIT, ends, ordered)
    for end in ends[:VALUES]:
        _sort_part(ordered[begin:end], low, leading, spare[: end - begin])
        begin = end


@kernel
def _sort_part(keys: Keys, low: int, high: int, spare: Keys) -> None:
    """Sort the keys in place by their bits in [low, high); those from `high` on are the same in all."""
    if low == high:
        return
    passes = (high - low + DIGIT - 1) // DIGIT
    width = (high - low + passes - 1) // passes
    ends = np.zeros((1 << width) + 1, np.int64)
    source, target = keys, spare
    for shift in range(low, high, width):
        _write_by_digit(source, shift, width, ends, target)
        source, target = target, source
    if passes % 2:
        keys[:] = source


@kernel
def _write_by_digit(source: Keys, shift: int, width: int, ends: Keys, target: Keys) -> None:
    """Write the keys to `target`, ordered by the digit of `width` bits from `shift` on.

    `ends`: int64, (2**width + 1,); on return the number of keys up to those with each digit.
    """
    ends[:] = 0
    last = (1 << width) - 1
    for key in source:
        ends[(key >> shift & last) + 1] += 1
    for digit in range(last):
        ends[digit + 1] += ends[digit]
    for key in source:
        digit = key >> shift & last
        target[ends[digit]] = key
        ends[digit] += 1
