"""The inner loops of tasks, compiled by numba; they know nothing of any game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys
from solver.system.jit import kernel


@kernel
def find_ranges(numbers: NDArray[Any], firsts: Keys, ranges: NDArray[np.uint32], begins: Keys) -> None:
    """Write the range of each number, the last one whose first number is not above it, else the first one.

    `begins` gets the number of those in all ranges before each: int64, (ranges + 1,), all 0 beforehand.
    """
    for nth in range(len(numbers)):
        low, high = 0, len(firsts) - 1
        while low < high:
            middle = (low + high + 1) >> 1
            if firsts[middle] <= numbers[nth]:
                low = middle
            else:
                high = middle - 1
        ranges[nth] = low
        begins[low + 1] += 1
    for each in range(len(firsts)):
        begins[each + 1] += begins[each]


@kernel
def find_ranks(keys: Keys, known: Keys, first: int, ranks: Keys) -> None:
    """Write the ranks of those ascending keys that are among the known ones, of which the first has one."""
    place = 0
    for nth in range(len(keys)):
        while place < len(known) and known[place] < keys[nth]:
            place += 1
        if place < len(known) and known[place] == keys[nth]:
            ranks[nth] = first + place
