"""The task that assigns a label to states of a stage, given the messages of states with the previous label.

A message is the number of a state, sent when a child of it is settled. The numbers of open moves of a range
are changed in memory only, and written again after many messages: until then each task of the range repeats
the changes. So files are never changed, and a task that is done twice writes the same.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.backwards import ranges
from solver.engines.loops import kernels
from solver.engines.loops.labels.array_file import ArrayFile, write_arrays
from solver.engines.loops.labels.moves import FLOORS, PARENTS, Numbers, counter_dtype, counters_kind
from solver.engines.loops.labels.ranges import Ranges, by_range
from solver.engines.loops.workplace import Workplace
from solver.engines.storage.steps import Answer
from solver.game import FIRST, SECOND
from solver.rules.arrays import Keys, in_order
from solver.system.executors import OnProgress

NUMBERS, WIDE = np.dtype(np.uint32), np.dtype(np.int64)

WINNERS = {FIRST: 1, SECOND: -1}
"""The winners, and the sign of the labels of states that they win."""


def settled_kind(label: int) -> str:
    """The kind of files of the states with this label, and of their parents."""
    return f"settled{label}.run"


class RangeChanges(NamedTuple):
    """The work of a task in one range."""

    range: int
    base: int
    """The label at which its numbers of open moves were last written; 0 for none."""
    labels: tuple[int, ...]
    """The labels that have changed these numbers since, and last the label that is assigned now."""
    writes: bool
    """Whether the task writes the numbers of open moves again."""


@dataclass(frozen=True)
class SettleStates:
    """Find the states of some ranges that get a label."""

    ranges: Ranges
    nth: int
    label: int
    shares: tuple[RangeChanges, ...]
    files: Mapping[int, int]
    """The number of files of each label settled so far."""

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the states, and their parents by range, as messages."""
        context, stage, ranges = workplace.context, self.ranges.stage, len(self.ranges)
        firsts = np.array(self.ranges.begins[:-1])
        none = np.empty(0, np.uint32)
        states, messages = {}, defaultdict[tuple[int, int], list[Numbers]](list)
        for share in self.shares:
            context.check_cancelled()
            states[share.range] = decided = self._decided(workplace, share)
            file = ArrayFile(context.work, stage, PARENTS, share.range)
            offsets, parents = file.read(0, WIDE), file.read(1, NUMBERS)
            for winner in (winner for winner in WINNERS if len(decided[winner])):
                sent, _, cuts = by_range(_parents(decided[winner], offsets, parents), firsts)
                for nth in np.flatnonzero(np.diff(cuts)).tolist():
                    messages[winner, nth].append(sent[cuts[nth] : cuts[nth + 1]] - np.uint32(firsts[nth]))
        sections = [(winner, nth) for winner in WINNERS for nth in range(ranges)]
        arrays = [states[nth][winner] if nth in states else none for winner, nth in sections]
        arrays += [np.concatenate([none, *messages[section]]) for section in sections]
        write_arrays(context, stage, settled_kind(self.label), self.nth, arrays)
        settled = sum(map(len, arrays[: 2 * ranges]))
        sizes = [len(arrays[2 * ranges + nth]) + len(arrays[3 * ranges + nth]) for nth in range(ranges)]
        on_progress(settled)
        return {"states": settled, "messages": [[nth, size] for nth, size in enumerate(sizes) if size]}

    def _decided(self, workplace: Workplace, share: RangeChanges) -> dict[int, Numbers]:
        """The states of a range that get the label, by winner, in ascending order."""
        stage, context = self.ranges.stage, workplace.context
        key = stage, share.range, share.base
        applied, counters = workplace.counters.take(key, share.labels[:-1])
        if counters is None:
            file = ArrayFile(context.work, stage, counters_kind(share.base), share.range)
            counters = file.read(0, counter_dtype(context)).copy()
        floors, decided = ArrayFile(context.work, stage, FLOORS, share.range), dict[int, Numbers]()
        for label in share.labels[len(applied) :]:
            kind, count = settled_kind(label + 1), self.files.get(label + 1, 0)
            sources = [ArrayFile(context.work, stage, kind, nth) for nth in range(count)]
            for winner, sender in zip(WINNERS, context.rules.winners, strict=True):
                section = (2 + sender) * len(self.ranges) + share.range
                changes = [source.read(section, NUMBERS) for source in sources]
                changes.append(_with_floor(floors, winner, label))
                parts = [_settled(numbers, winner, counters) for numbers in changes]
                decided[winner] = in_order(np.concatenate(parts))
        if share.writes:
            write_arrays(context, stage, counters_kind(self.label), share.range, [counters])
        else:
            workplace.counters.keep(key, share.labels, counters)
        return decided


def _settled(states: Numbers, winner: int, counters: NDArray[Any]) -> Numbers:
    """The states that are decided because one more move of each leads to a win of `winner`."""
    settled = np.empty(len(states), np.uint32)
    return settled[: kernels.settle(states, winner, counters, settled)]


def _with_floor(floors: ArrayFile, winner: int, label: int) -> Numbers:
    """The states of a range whose floor is this label for a winner."""
    gains, begins = floors.read(3 * winner, WIDE), floors.read(3 * winner + 1, WIDE)
    states = floors.read(3 * winner + 2, NUMBERS)
    begin, end = np.searchsorted(gains, [label, label + 1])
    return states[begins[begin] : begins[end]]


def _parents(states: Numbers, offsets: Keys, parents: Numbers) -> Numbers:
    """The parents of these states, once for each move."""
    begins = offsets[states]
    return parents.take(ranges(begins, offsets[states.astype(np.int64) + 1] - begins))
