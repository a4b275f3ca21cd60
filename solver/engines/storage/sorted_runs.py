"""Sorted runs of keys in the work folder, and the ranges of keys in which they are merged."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from solver.database.packed.keys.gap_codec import packed
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import UnfitRules
from solver.rules.arrays import GREATEST, Keys


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


def write_run(work: WorkFolder, ply: int, kind: str, nth: int, keys: Keys) -> None:
    """Write a run of ascending keys; raises `UnfitRules` for `GREATEST`, the bound of the last key range."""
    if len(keys) and keys[-1] >= GREATEST:
        raise UnfitRules(
            f"this game cannot be solved in ranges of states: it has the state {keys[-1]}, 2**63 - 1"
        )
    with work.new_shard(ply, kind, nth) as path, KeyWriter(path) as writer:
        writer.write(packed(keys))
