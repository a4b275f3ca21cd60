"""The labels of all stages, from the last stage to the first: retrograde analysis by messages.

Labels are assigned strictly in their order, best ones first. For either player as the winner, from the best
label to the worst that is better than endless play:

    a state where the winner is to move     gets a label if a move leads to a state with the previous label,
                                            or if its floor is the label
    a state where the loser is to move      gets it if that was the last of its open moves

    label 9    range 0   its floors, messages of label 10    -->  states that get it, and messages:
               range 1   its floors, messages of label 10    -->  their parents, by range
    label 8    ...

From label to label the remoteness rises by one ply, and after the last ply of a value the value falls. States
without a label for either winner are neither won nor lost: no end is forced.
Source: K. Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9(3), 1986.

The driver decides which ranges have work for a label; a label with few changes has a single task.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic

import numpy as np

from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.engines.loops.labels.array_file import ArrayFile
from solver.engines.loops.labels.moves import find_moves
from solver.engines.loops.labels.ranges import Ranges
from solver.engines.loops.labels.settling import NUMBERS, WINNERS, RangeChanges, SettleStates, settled_kind
from solver.engines.loops.workplace import SOLVED, Workplace
from solver.engines.storage.labelled_layer import write_labels
from solver.engines.storage.records import LinkedStage, ReachedStage, SettledLabel, StageLabels
from solver.engines.storage.steps import Answer, grouped
from solver.errors import UnfitRules
from solver.rules.arrays import Labels
from solver.system.executors import OnProgress

MAX_REMOTENESS = (1 << 15) - 3
"""The greatest remoteness of labels in the work folder: with utilities of -1, 0 and 1 they take two bytes."""

CHANGES_PER_TASK = 1 << 18
"""The number of changes to numbers of open moves for which a label has one task."""

MESSAGES_PER_STATE = 0.25
"""Messages per state of a range after which its numbers of open moves are written again."""

SECONDS_TO_REPEAT = 1.0
"""A label that took fewer seconds is not recorded: a resumed solve settles it again."""


@dataclass(frozen=True)
class WriteLabels:
    """Write the labels of the states of a range."""

    ranges: Ranges
    nth: int
    code: LabelCode
    files: Mapping[int, int]

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the labels; return the greatest remoteness."""
        context, stage = workplace.context, self.ranges.stage
        begin, end = self.ranges.begins[self.nth : self.nth + 2]
        labels: Labels = np.zeros(end - begin, self.code.dtype)
        for label, count in self.files.items():
            for nth in range(count):
                file = ArrayFile(context.work, stage, settled_kind(label), nth)
                for winner, sign in WINNERS.items():
                    labels[file.read(winner * len(self.ranges) + self.nth, NUMBERS)] = sign * label
        write_labels(context, stage, SOLVED.labels, self.nth, labels)
        remoteness = self.code.remoteness(labels, 0).max(initial=0)
        return {"states": len(labels), "remoteness": int(remoteness)}


def label_stages(workplace: Workplace, stages: Sequence[ReachedStage]) -> tuple[LabelCode, list[StageLabels]]:
    """Write the labels of all stages to the work folder.

    Returns the encoding of the labels, and a record of each stage. Raises `UnfitRules` if no label can hold
    the utilities, or a remoteness, and `BrokenRules`.
    """
    context, margin = workplace.context, max(stage.margin for stage in stages)
    code = smallest_label_code(MAX_REMOTENESS, margin, context.endless_value, has_loops=True)
    total, done, labels = sum(stage.open_states for stage in stages), 0, list[StageLabels]()
    for nth in reversed(range(len(stages))):
        on_progress = context.counted("labelling", total, None, done, shares=2)
        record = StageLabels.read(context.work, nth)
        labels.append(record or _label_stage(workplace, stages, nth, code, on_progress))
        done += stages[nth].open_states
    context.hold(False)
    return code, labels[::-1]


def _label_stage(
    workplace: Workplace, stages: Sequence[ReachedStage], nth: int, code: LabelCode, on_progress: OnProgress
) -> StageLabels:
    moves, work = find_moves(workplace, stages, nth, code, on_progress), workplace.context.work
    ranges = Ranges.of(SOLVED.open_states(workplace.context, nth), nth, moves.bounds)
    files = _Settling(workplace, ranges, moves, on_progress).run(code)
    tasks = [WriteLabels(ranges, part, code, files) for part in range(len(ranges))]
    answers = workplace.run(f"{nth:04}.labelling", tasks)
    remoteness = max((answer["remoteness"] for answer in answers), default=0)
    labels = StageLabels(moves.moves, remoteness, len(tasks)).write(work, nth)
    work.drop(nth, "*.run")
    return labels


def _pairs(pairs: Sequence[Sequence[int]]) -> dict[int, int]:
    return dict(pairs)  # type: ignore[arg-type]


@dataclass
class _Range:
    """The progress of a range while its states are settled."""

    floors: dict[int, int]
    """The number of states with each floor."""
    room: float
    """The number of messages after which its numbers of open moves are written again."""
    base: int = 0
    """The label at which its numbers of open moves were last written; 0 for none."""
    labels: tuple[int, ...] = ()
    """The labels that have changed these numbers since."""
    messages: int = 0
    """The messages since the base, plus the states whose floor was one of the labels."""

    def share(self, nth: int, label: int, changes: int) -> RangeChanges:
        """The work of a task for a label in the range, given the number of changes by the label."""
        self.labels, self.messages = (*self.labels, label), self.messages + changes
        share = RangeChanges(nth, self.base, self.labels, self.messages > self.room)
        if share.writes:
            self.base, self.labels, self.messages = label, (), 0
        return share


class _Settling:
    """Assigns labels to the states of a stage, label by label."""

    def __init__(
        self, workplace: Workplace, ranges: Ranges, moves: LinkedStage, on_progress: OnProgress
    ) -> None:
        self._workplace, self._ranges, self._on_progress = workplace, ranges, on_progress
        self._parts = [
            _Range(_pairs(floors), MESSAGES_PER_STATE * states)
            for floors, states in zip(moves.floors, np.diff(ranges.begins).tolist(), strict=True)
        ]
        self._files = dict[int, int]()

    def run(self, code: LabelCode) -> dict[int, int]:
        """Settle all states; return the number of files of each label. Raises `UnfitRules`."""
        settled, label = SettledLabel(0, 0, []), self._greatest()
        while label:
            settled = self._settled(label, _pairs(settled.messages))
            if settled.states and label % code.base == 0:
                raise UnfitRules(
                    f"play takes {code.base - 1:,} plies, which is too long: use --layout readable"
                )
            label = label - 1 if settled.states else self._greatest(label)
        return self._files

    def _greatest(self, below: float = inf) -> int:
        """The greatest label below `below` that is the floor of some state; 0 for none."""
        return max((label for part in self._parts for label in part.floors if label < below), default=0)

    def _settled(self, label: int, messages: dict[int, int]) -> SettledLabel:
        """Settle the states that get a label, given the messages to each range from the previous label."""
        changes = [messages.get(nth, 0) + part.floors.get(label, 0) for nth, part in enumerate(self._parts)]
        shares = [self._parts[nth].share(nth, label, count) for nth, count in enumerate(changes) if count]
        name, context = f"{self._ranges.stage:04}.settled{label}", self._workplace.context
        settled = SettledLabel.read(context.work, self._ranges.stage, label)
        if settled is None:
            groups = grouped(shares, min(context.job.shards, 1 + sum(changes) // CHANGES_PER_TASK))
            files = dict(self._files)
            tasks = [SettleStates(self._ranges, nth, label, group, files) for nth, group in enumerate(groups)]
            began = monotonic()
            answers = self._workplace.run(f"{name}.tasks", tasks, self._on_progress)
            sums = Counter[int]()
            for answer in answers:
                sums.update(_pairs(answer["messages"]))
            states = sum(answer["states"] for answer in answers)
            settled = SettledLabel(states, len(tasks), [[*message] for message in sorted(sums.items())])
            if monotonic() - began > SECONDS_TO_REPEAT:
                settled.write(context.work, self._ranges.stage, label)
        self._files[label] = settled.files
        return settled
