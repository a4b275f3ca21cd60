"""The files of stages in the work folder, the order in which stages are found, and the tiers of states."""

from collections.abc import Callable, Sequence

import numpy as np

from solver.engines.storage.context import SolveContext
from solver.engines.storage.records import FoundStarts, ReachedStage, StageLabels, UnfoldedStage
from solver.engines.storage.stage_files import StageFiles
from solver.rules.arrays import Keys

ONLY_TIER = 0
"""The tier of all states where the rules tell none."""


SOLVED = StageFiles("open", "terminal", "labels", ReachedStage, StageLabels)
"""The files of the states that are solved: in a folded solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all", UnfoldedStage, UnfoldedStage)
"""The files of all states, if one of each class was solved."""


def find_in_order(
    context: SolveContext,
    starts: FoundStarts,
    find: Callable[[int, int, int, tuple[str, ...]], ReachedStage],
) -> list[ReachedStage]:
    """All stages, from the first to the last; those that the work folder lacks are found by `find`.

    It gets the number of a stage, its tier, the number of states in earlier stages, and the names of files of
    states in which play begins there, or to which it comes; it writes the record that it returns.
    """
    stages: list[ReachedStage] = []
    while pending := _pending(starts, stages):
        tier, nth = min(pending), len(stages)
        stage = ReachedStage.read(context.work, nth)
        if stage is None:
            before = sum(earlier.states for earlier in stages)
            stage = find(nth, tier, before, _firsts(context, tier, starts, stages))
        stages.append(stage)
    return stages


def _pending(starts: FoundStarts, stages: list[ReachedStage]) -> set[int]:
    """The tiers that are known to have states, by the starts and the stages, but are no stage yet."""
    known = {tier for tier, *_ in starts.tiers}.union(*(stage.exit_tiers for stage in stages))
    return known.difference(stage.tier for stage in stages)


def _firsts(
    context: SolveContext, tier: int, starts: FoundStarts, stages: Sequence[ReachedStage]
) -> tuple[str, ...]:
    """The names of files of the states of a tier in which play begins, or to which earlier stages lead."""
    sources = [(0, f"starts{tier}", starts.tiers)]
    sources += [(nth, f"exits{tier}", stage.exits) for nth, stage in enumerate(stages)]
    return tuple(
        context.work.shard(nth, kind, shard).name
        for nth, kind, shards_by_tier in sources
        for to, *shards in shards_by_tier
        for shard in shards
        if to == tier
    )


def tiers_of(context: SolveContext, keys: Keys) -> Keys:
    """The tier of each state."""
    tiers = context.rules.tiers(keys)
    return np.full(len(keys), ONLY_TIER) if tiers is None else tiers
