"""Merges sorted runs of keys by tasks: each sorts the keys of all runs in some ranges, without duplicates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from solver.database.packed.keys.gap_codec import packed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, key_shards
from solver.engines.storage.key_ranges import KeyRange, merged, ranges_by_shard
from solver.engines.storage.steps import Answer, OpenedSolve, Steps
from solver.system.executors import OnProgress, ignore

Names: TypeAlias = tuple[str, ...]
"""The names of files in the work folder."""


def key_files(context: SolveContext, names: Sequence[str]) -> list[KeyFile]:
    """Files of the work folder, each opened separately."""
    work = context.work
    return [KeyFile(work.path / name, held=work.held) for name in names]


@dataclass(frozen=True)
class MergeRuns:
    """Merge runs of some kinds, in some ranges of keys."""

    stage: int
    nth: int
    kinds: tuple[tuple[str, Names], ...]
    """The kinds of merged files, each with the names of its runs."""
    ranges: tuple[KeyRange, ...]

    def run(self, opened: OpenedSolve, on_progress: OnProgress) -> Answer:
        """Write a shard of each kind; return the number of states."""
        context = opened.context
        with key_shards(context.work, self.stage, self.nth, *(kind for kind, _ in self.kinds)) as shards:
            for (_, names), shard in zip(self.kinds, shards, strict=True):
                runs = key_files(context, names)
                for low, high in self.ranges:
                    context.check_cancelled()
                    keys = merged(runs, low, high)
                    context.need_disk(2 * len(keys))
                    shard.write(packed(keys))
                    on_progress(len(keys))
        return {"states": sum(shard.states for shard in shards)}


def merge_runs(
    steps: Steps[Any],
    step: str,
    stage: int,
    kinds: Mapping[str, Sequence[str]],
    on_progress: OnProgress = ignore,
) -> tuple[int, int]:
    """Merge runs in the step `step`; `kinds` has the names of the runs for each kind of merged files.

    Returns the number of shards of each kind, and the number of states.
    """
    files = tuple((kind, tuple(names)) for kind, names in kinds.items())
    runs = key_files(steps.context, [name for _, names in files for name in names])
    shards = ranges_by_shard(steps.context, runs)
    tasks = [MergeRuns(stage, nth, files, shard) for nth, shard in enumerate(shards)]
    return len(shards), sum(answer["states"] for answer in steps.run(step, tasks, on_progress))
