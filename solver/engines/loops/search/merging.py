"""Merges sorted runs of states by tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solver.database.packed.keys.gap_codec import packed
from solver.engines.loops.workplace import Steps, Workplace
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, key_shards
from solver.engines.storage.key_ranges import KeyRange, merged, ranges_by_shard
from solver.engines.storage.steps import Answer
from solver.system.executors import OnProgress

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

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write a shard of each kind; return the number of states."""
        context = workplace.context
        with key_shards(context.work, self.stage, self.nth, *(kind for kind, _ in self.kinds)) as shards:
            for (_, names), shard in zip(self.kinds, shards, strict=True):
                runs = key_files(context, names)
                for low, high in self.ranges:
                    context.check_cancelled()
                    keys = merged(runs, low, high)
                    context.need_disk(2 * len(keys))
                    shard.write(packed(keys))
        states = sum(shard.states for shard in shards)
        on_progress(states)
        return {"states": states}


def merge_runs(steps: Steps, step: str, stage: int, kinds: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    """Merge runs in the step `step`; `kinds` has the names of the runs for each kind of merged files.

    Returns the number of shards of each kind, and the number of states.
    """
    files = tuple((kind, tuple(names)) for kind, names in kinds.items())
    runs = key_files(steps.context, [name for _, names in files for name in names])
    shards = ranges_by_shard(steps.context, runs)
    answers = steps.run(step, [MergeRuns(stage, nth, files, shard) for nth, shard in enumerate(shards)])
    return len(shards), sum(answer["states"] for answer in answers)


def merge_tiers(
    steps: Steps, stage: int, prefix: str, runs: Mapping[int, Sequence[str]]
) -> tuple[list[list[int]], int]:
    """Merge the runs of each tier into files, whose kind is the `prefix` and the tier.

    Returns [tier, number of a shard, ...] for each tier, and the number of states.
    """
    shards_by_tier, states = list[list[int]](), 0
    for tier, names in sorted(runs.items()):
        kind = f"{prefix}{tier}"
        shards, more = merge_runs(steps, f"{stage:04}.{kind}", stage, {kind: names})
        shards_by_tier.append([tier, *range(shards)])
        states += more
    return shards_by_tier, states
