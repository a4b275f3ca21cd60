"""The cost of sorting states."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from solver.rules.arrays import in_order
from solver.rules.sorting import sorted_by_digits
from tests.benchmarks.measured import Bench, Row, table
from tests.benchmarks.queries import seconds_of

BITS = 40
"""The bits of a state."""


@table("states", "sorted by", ratio="NumPy's sort")
def sorting(bench: Bench) -> Iterator[Row]:
    """States of 40 bits in random order, and in eight ascending runs."""
    rng = np.random.default_rng(1)
    for number in (10_000, 250_000, 4_000_000) if not bench.small else (10_000,):
        keys = rng.integers(0, 1 << BITS, number)
        runs = np.sort(keys.reshape(8, -1)).ravel()
        sorted_by_digits(keys[:9], 0)  # to compile it first
        for name, drawn in (("in any order", keys), ("in 8 runs", runs)):
            least = seconds_of(1, partial(np.sort, drawn))
            yield Row(f"{number:,} {name}", ("NumPy",), least, 1.0)
            seconds = seconds_of(1, partial(in_order, drawn))
            yield Row(f"{number:,} {name}", ("the solver",), seconds, seconds / least)
