"""Keys of several files: ranges of about equal size, all keys in a range, and ranks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.steps import grouped
from solver.rules.arrays import MAX_STATE, Keys, distinct
from solver.system.jit import kernel

KeyRange: TypeAlias = tuple[int, int]
"""A range of keys, [low, high); a bound of `MAX_STATE` is inclusive."""

KEYS_OF_SHARD = 1 << 18
"""The least number of keys of a shard, if there are several."""

PIECES_TO_SEARCH = 16
"""The most pieces that are searched for keys at a time."""


def ranges(files: Sequence[KeyFile], keys_per_range: int) -> list[KeyRange]:
    """Ranges that cover the keys of all files and have about `keys_per_range` keys each."""
    if not files:
        return []
    firsts = np.concatenate([file.firsts for file in files])
    counts = np.concatenate([np.diff(file.begins) for file in files])
    order = np.argsort(firsts, kind="stable")
    parts = np.cumsum(counts[order]) // keys_per_range
    cuts = np.flatnonzero(parts[1:] != parts[:-1]) + 1
    return list(pairwise(sorted({0, *firsts[order][cuts].tolist(), MAX_STATE})))


def ranges_by_shard(context: SolveContext, files: Sequence[KeyFile]) -> list[tuple[KeyRange, ...]]:
    """The ranges of keys of each shard of a merge of these files, each small enough to be sorted."""
    share = -(-sum(file.states for file in files) // context.job.shards)
    return grouped(ranges(files, min(context.keys_per_sort, max(KEYS_OF_SHARD, share))), context.job.shards)


def merged(files: Sequence[KeyFile], low: int, high: int) -> Keys:
    """The keys of all files in a range, in ascending order, without duplicates."""
    return distinct(np.concatenate([file.between(low, high) for file in files]))


def ranks_in(states: KeyFile, keys: Keys) -> Keys:
    """The rank of each of these ascending keys in a file of states, -1 for an absent key: int64, (keys,).

    Only pieces that may have one of the keys are read.
    """
    ranks, pieces = np.full(len(keys), -1), np.searchsorted(states.firsts, keys, "right") - 1
    cuts = np.flatnonzero((np.diff(pieces) > 1) | (np.diff(pieces // PIECES_TO_SEARCH) > 0)) + 1
    for begin, end in pairwise([0, *cuts.tolist(), len(keys)]):
        if begin < end and pieces[begin] >= 0:
            first = int(pieces[begin])
            stored = states.read(first, int(pieces[end - 1]) + 1)
            find_ranks(keys[begin:end], stored, int(states.begins[first]), ranks[begin:end])
    return ranks


@kernel
def find_ranks(keys: Keys, known: Keys, first: int, ranks: Keys) -> None:
    """Write the ranks of the keys that are among the `known` ones, whose ranks begin with `first`."""
    place = 0
    for nth in range(len(keys)):
        while place < len(known) and known[place] < keys[nth]:
            place += 1
        if place < len(known) and known[place] == keys[nth]:
            ranks[nth] = first + place
