"""The files of stages in the work folder: the order in which they are found, and how they are written."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.records import ReachedStage, StageLabels, UnfoldedStage
from solver.engines.storage.stage_files import StageFiles
from solver.rules.arrays import Keys

KEYS_PER_WRITE = 1 << 20
"""Keys that are encoded or decoded at a time."""


SOLVED = StageFiles("open", "terminal", "labels", ReachedStage, StageLabels)
"""The files of the states that are solved: in a folded solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all", UnfoldedStage, UnfoldedStage)
"""The files of all states, if one of each class was solved."""


def find_in_order(
    context: SolveContext,
    tiers: Sequence[int],
    find: Callable[[int, int, int, Sequence[Path]], ReachedStage],
) -> list[ReachedStage]:
    """All stages, from the first to the last, those that the work folder lacks by `find`.

    It gets the number of a stage, its tier, the number of states in earlier stages, and the files of states
    in which play begins there, or to which it comes; it writes the record that it returns.
    """
    stages: list[ReachedStage] = []
    while pending := _pending(tiers, stages):
        tier, nth = min(pending), len(stages)
        stage = ReachedStage.read(context.work, nth)
        if stage is None:
            before = sum(earlier.states for earlier in stages)
            stage = find(nth, tier, before, _firsts(context, tier, tiers, stages))
        stages.append(stage)
    return stages


def _pending(tiers: Sequence[int], stages: list[ReachedStage]) -> set[int]:
    """The tiers that are known to have states, but are no stage yet, given those in which play begins."""
    known = set(tiers).union(*(stage.exit_tiers for stage in stages))
    return known.difference(stage.tier for stage in stages)


def _firsts(
    context: SolveContext, tier: int, tiers: Sequence[int], stages: Sequence[ReachedStage]
) -> list[Path]:
    """The files of the states of a tier in which play begins, and of those to which earlier stages lead."""
    files = [context.work.shard(0, f"starts{tier}", 0)] if tier in tiers else []
    for nth, stage in enumerate(stages):
        for to, *shards in stage.exits:
            files += [context.work.shard(nth, f"exits{to}", shard) for shard in shards if to == tier]
    return files


def keys_in_parts(file: KeyFile) -> Iterator[Keys]:
    """Yield the keys of a file, in order, not too many at a time."""
    for begin in range(0, file.pieces, KEYS_PER_WRITE // PIECE):
        yield file.read(begin, min(begin + KEYS_PER_WRITE // PIECE, file.pieces))


def write_keys(context: SolveContext, nth: int, kind: str, keys: Keys) -> None:
    """Write ascending keys to the only shard of a kind for a stage."""
    parts = (keys[begin : begin + KEYS_PER_WRITE] for begin in range(0, len(keys), KEYS_PER_WRITE))
    with KeyWriter(context.work.shard(nth, kind, 0)) as file:
        for pieces in context.map_ordered(packed, parts):
            context.need_disk(len(pieces.data))
            file.write(pieces)
