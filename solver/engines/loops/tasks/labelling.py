"""The labels of all stages by tasks, from the last stage to the first: retrograde analysis by messages.

Labels are given strictly in their order, as on one machine (../labelling.py). For each label:

    label 9    range 0   its floors, messages of label 10    -->  states that get it, and messages:
               range 1   its floors, messages of label 10    -->  their parents, by range
    label 8    ...

The numbers of open moves of a range are changed in memory only, and written again when many messages have
come since: until then each task of the range repeats what changed them. So files are never changed, and a
task that is done twice writes the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from mmap import ACCESS_COPY
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.engines.loops import kernels
from solver.engines.loops.labelling import MAX_REMOTENESS
from solver.engines.loops.moves import Numbers
from solver.engines.loops.stage_files import SOLVED
from solver.engines.loops.tasks.array_file import ArrayFile, write_arrays
from solver.engines.loops.tasks.moves import (
    FLOORS,
    PARENTS,
    Ranges,
    counter_dtype,
    counters_kind,
    find_moves,
)
from solver.engines.loops.tasks.workplace import Steps, Workplace
from solver.engines.storage.context import SolveContext
from solver.engines.storage.records import FoundMoves, ReachedStage, SettledLabel, StageLabels
from solver.engines.storage.steps import Answer, grouped
from solver.errors import UnfitRules
from solver.game import FIRST, SECOND
from solver.rules.arrays import Keys, Labels
from solver.system.executors import OnProgress
from solver.system.files import flush

CHANGES_PER_TASK = 1 << 18
"""Changes to numbers of open moves by which a label has one task more."""

MESSAGES_PER_STATE = 0.25
"""Messages for each state of a range after which its numbers of open moves are written again."""

SECONDS_TO_REPEAT = 1.0
"""Seconds up to which an interrupted solve settles the states of a label once more."""

NUMBERS, WIDE = np.dtype(np.uint32), np.dtype(np.int64)

WINNERS = {FIRST: 1, SECOND: -1}
"""The players as winners, and the sign of the labels of what they win."""


def settled_kind(label: int) -> str:
    """The kind of files of the states with this label, and of their parents."""
    return f"settled{label}.run"


class Share(NamedTuple):
    """What a task has to do in one range."""

    range: int
    base: int
    """The label when its numbers of open moves were last written; 0 for none."""
    labels: tuple[int, ...]
    """Those that changed them since; that which is given now comes last."""
    changes: int
    """The changes by this label."""
    writes: bool
    """Whether they are written again."""


@dataclass(frozen=True)
class SettleStates:
    """Find the states of some ranges that get a label."""

    ranges: Ranges
    nth: int
    label: int
    shares: tuple[Share, ...]
    files: tuple[tuple[int, int], ...]
    """The labels that messages have come from, and the number of files of each."""

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write them, and their parents by range."""
        context, stage, ranges = workplace.context, self.ranges.stage, len(self.ranges)
        begins = np.array(self.ranges.begins)
        none = np.empty(0, np.uint32)
        states, messages = {}, defaultdict[tuple[int, int], list[Numbers]](list)
        for share in self.shares:
            context.check_cancelled()
            states[share.range] = decided = self._decided(workplace, share)
            file = ArrayFile(context.work.shard(stage, PARENTS, share.range))
            offsets, parents = file.read(0, WIDE), file.read(1, NUMBERS)
            for winner in WINNERS:
                some = _parents(decided[winner], offsets, parents)
                to = np.searchsorted(begins, some, "right") - 1
                order, cuts = self.ranges.group(to)
                local = (some[order] - begins[to[order]]).astype(np.uint32)
                for each in np.flatnonzero(np.diff(cuts)).tolist():
                    messages[winner, each].append(local[cuts[each] : cuts[each + 1]])
        arrays = [
            states[each][winner] if each in states else none for winner in WINNERS for each in range(ranges)
        ]
        arrays += [
            np.concatenate([none, *messages[winner, each]]) for winner in WINNERS for each in range(ranges)
        ]
        write_arrays(context, stage, settled_kind(self.label), self.nth, arrays)
        settled = sum(map(len, arrays[: 2 * ranges]))
        sizes = [len(arrays[2 * ranges + each]) + len(arrays[3 * ranges + each]) for each in range(ranges)]
        on_progress(settled)
        return {"states": settled, "messages": [[each, size] for each, size in enumerate(sizes) if size]}

    def _decided(self, workplace: Workplace, share: Share) -> dict[int, Numbers]:
        """The states of a range that get the label, for each winner, in ascending order."""
        stage, context = self.ranges.stage, workplace.context
        key = stage, share.range, share.base
        known, counters = workplace.counters.take(key, share.labels[:-1])
        if counters is None:
            path = context.work.shard(stage, counters_kind(share.base), share.range)
            counters = ArrayFile(path, ACCESS_COPY).read(0, counter_dtype(context))
        floors, decided = ArrayFile(context.work.shard(stage, FLOORS, share.range)), dict[int, Numbers]()
        for label in share.labels[len(known) :]:
            for winner in WINNERS:
                changes = self._changes(context, share, label, winner, floors)
                parts = [_settled(some, winner, counters) for some in changes]
                decided[winner] = np.sort(np.concatenate(parts))
        if share.writes:
            write_arrays(context, stage, counters_kind(self.label), share.range, [counters])
        else:
            workplace.counters.keep(key, share.labels, counters)
        return decided

    def _changes(
        self, context: SolveContext, share: Share, label: int, winner: int, floors: ArrayFile
    ) -> Iterator[Numbers]:
        """Yield states of a range of which one more move is won by a player, once for each such move."""
        section = (2 + context.rules.winners[winner]) * len(self.ranges) + share.range
        for number in range(dict(self.files).get(label + 1, 0)):
            path = context.work.shard(self.ranges.stage, settled_kind(label + 1), number)
            yield ArrayFile(path).read(section, NUMBERS)
        gains, begins = floors.read(3 * winner, WIDE), floors.read(3 * winner + 1, WIDE)
        states = floors.read(3 * winner + 2, NUMBERS)
        place = int(np.searchsorted(gains, label))
        is_there = place < len(gains) and gains[place] == label
        yield states[begins[place] : begins[place + 1]] if is_there else states[:0]


def _settled(states: Numbers, winner: int, counters: NDArray[Any]) -> Numbers:
    """Those of the states that are decided when one more move of each leads to a state won by `winner`."""
    settled = np.empty(len(states), np.uint32)
    return settled[: kernels.settle(states, winner, counters, settled)]


def _parents(states: Numbers, offsets: Keys, parents: Numbers) -> Numbers:
    """The parents of some states."""
    begins, sizes = offsets[states], offsets[states.astype(np.int64) + 1] - offsets[states]
    ends = np.cumsum(sizes)
    places = np.repeat(begins - ends + sizes, sizes) + np.arange(sizes.sum())
    return parents.take(places)


@dataclass(frozen=True)
class WriteLabels:
    """Write the labels of the states of a range."""

    ranges: Ranges
    nth: int
    code: LabelCode
    files: tuple[tuple[int, int], ...]

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write them, and return the greatest remoteness."""
        context, stage = workplace.context, self.ranges.stage
        begin, end = self.ranges.begins[self.nth : self.nth + 2]
        labels: Labels = np.zeros(end - begin, self.code.dtype)
        for label, count in self.files:
            for path in context.work.shards(stage, settled_kind(label), count):
                file = ArrayFile(path)
                for winner, sign in WINNERS.items():
                    labels[file.read(winner * len(self.ranges) + self.nth, NUMBERS)] = sign * label
        context.need_disk(labels.nbytes)
        with context.work.new_shard(stage, SOLVED.labels, self.nth) as path, path.open("wb") as into:
            labels.tofile(into)
            flush(into.fileno())
        remoteness = self.code.remoteness(labels, 0).max(initial=0)
        return {"states": len(labels), "remoteness": int(remoteness)}


def label_stages(steps: Steps, stages: Sequence[ReachedStage]) -> tuple[LabelCode, list[StageLabels]]:
    """Write the labels of all stages to the work folder.

    Returns the encoding of the labels, and a record of those of each stage. Raises `UnfitRules` if no label
    can hold the utilities, or a remoteness, and `BrokenRules`.
    """
    context, margin = steps.context, max(stage.margin for stage in stages)
    code = smallest_label_code(MAX_REMOTENESS, margin, context.endless_value, has_loops=True)
    total, done, labels = sum(stage.open_states for stage in stages), 0, list[StageLabels]()
    for nth in reversed(range(len(stages))):
        on_progress = context.counted("labelling", total, None, done, shares=2)
        known = StageLabels.read(context.work, nth)
        labels.append(known or _label_stage(steps, stages, nth, code, on_progress))
        done += stages[nth].open_states
    return code, labels[::-1]


def _label_stage(
    steps: Steps, stages: Sequence[ReachedStage], nth: int, code: LabelCode, on_progress: OnProgress
) -> StageLabels:
    moves, work = find_moves(steps, stages, nth, code, on_progress), steps.context.work
    ranges = Ranges.of(SOLVED.open_states(steps.context, nth), nth, moves.bounds)
    files = _Settling(steps, ranges, moves, on_progress).run(code)
    tasks = [WriteLabels(ranges, part, code, files) for part in range(len(ranges))]
    answers = steps.run(f"{nth:04}.labelling", tasks)
    for path in work.files(nth, SOLVED.labels)[len(tasks) :]:
        path.unlink()
    remoteness = max((answer["remoteness"] for answer in answers), default=0)
    labels = StageLabels(moves.moves, remoteness).write(work, nth)
    work.drop(nth, "*.run")
    return labels


def _pairs(pairs: Sequence[Sequence[int]]) -> dict[int, int]:
    return dict(pairs)  # type: ignore[arg-type]


@dataclass
class _Range:
    """What is known of a range while its states are settled."""

    floors: dict[int, int]
    """The number of states with each floor."""
    room: float
    """Messages after which its numbers of open moves are written again."""
    base: int = 0
    labels: tuple[int, ...] = ()
    messages: int = 0
    """Those since the base, with the states that have a floor."""

    def share(self, nth: int, label: int, messages: int) -> Share | None:
        """What a task has to do for a label in the range, given the messages to it; None for nothing."""
        changes = messages + self.floors.get(label, 0)
        if not changes:
            return None
        self.labels, self.messages = (*self.labels, label), self.messages + changes
        share = Share(nth, self.base, self.labels, changes, self.messages > self.room)
        if share.writes:
            self.base, self.labels, self.messages = label, (), 0
        return share


class _Settling:
    """Gives the labels to the states of a stage, one after the other."""

    def __init__(self, steps: Steps, ranges: Ranges, moves: FoundMoves, on_progress: OnProgress) -> None:
        self._steps, self._ranges, self._on_progress = steps, ranges, on_progress
        self._each = [
            _Range(_pairs(floors), MESSAGES_PER_STATE * states)
            for floors, states in zip(moves.floors, np.diff(ranges.begins).tolist(), strict=True)
        ]
        self._files = dict[int, int]()

    def run(self, code: LabelCode) -> tuple[tuple[int, int], ...]:
        """Settle all states; return the labels, and how many files each has. Raises `UnfitRules`."""
        settled, label = SettledLabel(0, 0, []), self._greatest()
        while label:
            settled = self._settled(label, _pairs(settled.messages))
            if settled.states and label % code.base == 0:
                raise UnfitRules(
                    f"play takes {code.base - 1:,} plies, which is too long: use --layout readable"
                )
            label = label - 1 if settled.states else self._greatest(label)
        return tuple(self._files.items())

    def _greatest(self, below: float = inf) -> int:
        """The greatest label below this that is a floor of some state, 0 for none."""
        return max((label for each in self._each for label in each.floors if label < below), default=0)

    def _settled(self, label: int, messages: dict[int, int]) -> SettledLabel:
        """Settle the states that get a label, given the messages to each range from the label before."""
        shares = [each.share(nth, label, messages.get(nth, 0)) for nth, each in enumerate(self._each)]
        some = [share for share in shares if share is not None]
        name, context = f"{self._ranges.stage:04}.settled{label}", self._steps.context
        settled = SettledLabel.read_from(context.work, name)
        if settled is None:
            changes = sum(share.changes for share in some)
            groups = grouped(some, min(context.job.shards, 1 + changes // CHANGES_PER_TASK))
            files = tuple(self._files.items())
            tasks = [SettleStates(self._ranges, nth, label, group, files) for nth, group in enumerate(groups)]
            began = monotonic()
            answers = self._steps.run(f"{name}.tasks", tasks, self._on_progress)
            sums = Counter[int]()
            for answer in answers:
                sums.update(_pairs(answer["messages"]))
            states = sum(answer["states"] for answer in answers)
            settled = SettledLabel(states, len(tasks), [[*each] for each in sorted(sums.items())])
            if monotonic() - began > SECONDS_TO_REPEAT:
                settled.write_to(context.work, name)
        self._files[label] = settled.files
        return settled
