"""What sorting states takes."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from solver.rules.arrays import Keys, in_order
from solver.rules.sorting import sorted_by_digits
from tests.benchmarks.measured import Bench, Row, table

ROUNDS = 5
"""Of which the fastest counts."""

BITS = 40
"""Of a state."""


def fastest(sort: Callable[[Keys], Keys], keys: Keys) -> float:
    """The seconds of the fastest of some calls."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        sort(keys)
        times.append(time.perf_counter() - began)
    return min(times)


@table("states", "sorted by", ratio="NumPy's sort")
def sorting(bench: Bench) -> Iterator[Row]:
    """States of 40 bits in any order, and eight runs of them that ascend already."""
    rng = np.random.default_rng(1)
    for number in (10_000, 250_000, 4_000_000) if not bench.small else (10_000,):
        keys = rng.integers(0, 1 << BITS, number)
        runs = np.sort(keys.reshape(8, -1)).ravel()
        sorted_by_digits(keys[:9])  # compiled now
        for name, drawn in (("in any order", keys), ("in 8 runs", runs)):
            times = {"NumPy": fastest(np.sort, drawn), "the solver": fastest(in_order, drawn)}
            for by, seconds in times.items():
                yield Row(f"{number:,} {name}", (by,), seconds, seconds / times["NumPy"])
