"""Writes the starts, sorted and merged into separate files for each tier."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from solver.database.packed.keys.gap_codec import packed
from solver.engines.loops.search.merging import merge_tiers
from solver.engines.loops.stage_files import tiers_of
from solver.engines.loops.workplace import Steps
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import key_shards
from solver.engines.storage.records import FoundStarts
from solver.rules.arrays import Keys, distinct
from solver.system.executors import OnProgress


def write_starts(steps: Steps, parts: Iterable[Keys]) -> FoundStarts:
    """Write the starts to the work folder; return their record.

    They are given in parts, perhaps with repetitions.
    """
    context, runs = steps.context, defaultdict[int, list[str]](list)
    if (known := FoundStarts.read(context.work)) is not None:
        return known
    context.hold()
    on_progress = context.counted("finding initial states", None, None)
    for nth, portion in enumerate(_portions(parts, context.keys_per_sort)):
        for tier, name in _write_runs(context, nth, distinct(np.concatenate(portion)), on_progress):
            runs[tier].append(name)
    shards_by_tier, states = merge_tiers(steps, 0, "starts", runs)
    record = FoundStarts(states, shards_by_tier).write(context.work)
    context.work.drop(0, "starts*.run")
    return record


def _portions(parts: Iterable[Keys], most: int) -> Iterator[list[Keys]]:
    """Yield lists of parts with more than `most` states together, except for the last list."""
    portion = list[Keys]()
    for part in parts:
        portion.append(part)
        if sum(map(len, portion)) > most:
            yield portion
            portion = []
    if portion:
        yield portion


def _write_runs(
    context: SolveContext, nth: int, keys: Keys, on_progress: OnProgress
) -> list[tuple[int, str]]:
    """Write a run of ascending states for each tier; return the tiers and the names of the runs."""
    runs, tiers = list[tuple[int, str]](), tiers_of(context, keys)
    for tier in distinct(tiers).tolist():
        kind = f"starts{tier}.run"
        with key_shards(context.work, 0, nth, kind) as (file,):
            file.write(packed(keys[tiers == tier]))
        runs.append((tier, context.work.shard(0, kind, nth).name))
    on_progress(len(keys))
    return runs
