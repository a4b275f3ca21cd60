"""Finds states that are in the file at two plies, unless the rules tell of each state that it is at its own.

All plies are read in the same ranges of keys, and each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |
    ply 5    |  13  15     |  37       |      15 is there twice
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from solver.proof.packed.blocks import Reader, Series
from solver.proof.packed.findings import Findings
from solver.proof.packed.rules import EXAMPLES, CheckedRules
from solver.rules.arrays import Keys

BLOCKS_PER_RANGE = 256
"""So many blocks begin in a range."""


def ranges(series: Sequence[Series]) -> Iterator[tuple[int, int]]:
    """Ranges of keys, from and below which, that together have every state."""
    firsts = np.sort(np.concatenate([each.firsts for each in series]))
    yield from pairwise([*np.unique(firsts[::BLOCKS_PER_RANGE]).tolist(), np.iinfo(np.int64).max])


def repeated(rules: CheckedRules, reader: Reader, series: Sequence[Series], begin: int, end: int) -> Findings:
    """The states in a range of keys that are there twice, the first of them."""
    parts = [_between(reader, each, begin, end) for each in series]
    keys = np.sort(np.concatenate(parts))
    twice = keys[1:][keys[1:] == keys[:-1]][:EXAMPLES].tolist()
    plies = {
        key: [each.ply for each, part in zip(series, parts, strict=True) if key in part] for key in twice
    }
    return Findings(
        tuple(f"{rules.named(key, at[0])}: it is also at ply {at[-1]}" for key, at in plies.items())
    )


def _between(reader: Reader, series: Series, begin: int, end: int) -> Keys:
    """The states of a series that are in a range."""
    low = max(0, int(series.firsts.searchsorted(begin, "right")) - 1)
    high = int(series.firsts.searchsorted(end))
    if low >= high:
        return np.empty(0, np.int64)
    keys = reader.states(series, range(low, high)).keys
    return keys[keys.searchsorted(begin) : keys.searchsorted(end)]
