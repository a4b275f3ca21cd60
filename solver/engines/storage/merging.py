"""Keys of several files: ranges of about equal size, ranks, and tasks that merge sorted runs by ranges."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np

from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, key_shards
from solver.engines.storage.steps import Answer, OpenedSolve, grouped
from solver.rules.arrays import MAX_STATE, Keys, distinct
from solver.system.executors import OnProgress, ignore
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


Names: TypeAlias = tuple[str, ...]
"""The names of files in the work folder."""


def key_files(context: SolveContext, names: Iterable[str]) -> list[KeyFile]:
    """Files of the work folder, each opened separately."""
    work = context.work
    return [KeyFile(work.path / name, held=work.held) for name in names]


def ranges_by_shard(context: SolveContext, names: Iterable[str]) -> list[tuple[KeyRange, ...]]:
    """The ranges of keys of each shard of a merge of these files, each small enough to be sorted."""
    files = key_files(context, names)
    share = -(-sum(file.states for file in files) // context.job.shards)
    return grouped(ranges(files, min(context.keys_per_sort, max(KEYS_OF_SHARD, share))), context.job.shards)


def merged(context: SolveContext, names: Iterable[str], ranges: Iterable[KeyRange]) -> Iterator[Keys]:
    """Yield the keys of all files in each range, in ascending order, without duplicates."""
    files = key_files(context, names)
    for low, high in ranges:
        context.check_cancelled()
        yield distinct(np.concatenate([file.between(low, high) for file in files]))


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


@dataclass(frozen=True)
class MergeRuns:
    """Merge runs of some kinds, in some ranges of keys."""

    stage: int
    nth: int
    kinds: Mapping[str, Sequence[str]]
    """The names of the runs for each kind of merged files."""
    ranges: tuple[KeyRange, ...]

    def run(self, opened: OpenedSolve, on_progress: OnProgress) -> Answer:
        """Write a shard of each kind; return the number of states."""
        context = opened.context
        with key_shards(context, self.stage, self.nth, *self.kinds) as shards:
            for names, shard in zip(self.kinds.values(), shards, strict=True):
                for keys in merged(context, names, self.ranges):
                    shard.add(keys)
                    on_progress(len(keys))
        return {"states": sum(shard.states for shard in shards)}


def merge_runs(
    opened: OpenedSolve, stage: int, kinds: Mapping[str, Sequence[str]], on_progress: OnProgress = ignore
) -> tuple[int, int]:
    """Merge runs of some kinds, see `MergeRuns`, in a step.

    Returns the number of shards of each kind, and the number of states.
    """
    shards = ranges_by_shard(opened.context, chain.from_iterable(kinds.values()))
    tasks = [MergeRuns(stage, nth, kinds, shard) for nth, shard in enumerate(shards)]
    answers = opened.run(f"{stage:04}.merging", tasks, on_progress)
    return len(shards), sum(answer["states"] for answer in answers)
