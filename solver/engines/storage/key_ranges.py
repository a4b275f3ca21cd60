"""Keys of several files: ranges of some size, all keys in a range, and how dense they are."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from solver.engines.storage.key_file import KeyFile
from solver.rules.arrays import GREATEST, Keys, distinct


def ranges(files: Iterable[KeyFile], keys_per_range: int) -> Iterator[tuple[int, int]]:
    """Half-open key ranges [low, high) that cover all files and hold about `keys_per_range` keys each."""
    files = list(files)
    if not files:
        return
    firsts = np.concatenate([file.firsts for file in files])
    counts = np.concatenate([np.diff(file.begins) for file in files])
    order = np.argsort(firsts, kind="stable")
    parts = np.cumsum(counts[order]) // keys_per_range
    cuts = np.flatnonzero(parts[1:] != parts[:-1]) + 1
    bounds = sorted({0, *firsts[order][cuts].tolist(), GREATEST})
    yield from pairwise(bounds)


def merged(files: Sequence[KeyFile], low: int, high: int) -> Keys:
    """The keys of all files in a range, in ascending order, without duplicates."""
    return distinct(np.concatenate([file.between(low, high) for file in files]))


def mean_gap(files: Iterable[KeyFile]) -> int:
    """The mean difference of neighbouring keys, estimated from the indexes of all files; 0 for no keys."""
    some = [file for file in files if file.states]
    if not some:
        return 0
    span = max(file.firsts[-1] for file in some) - min(file.firsts[0] for file in some)
    return int(span) // sum(file.states for file in some)
