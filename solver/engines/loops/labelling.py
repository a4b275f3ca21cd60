"""The labels of all stages, from the last one to the first: moves, then retrograde analysis.

The states of a stage, and the tables of the later ones, are held until its moves are found; then its moves
are reversed and followed, and need the numbers of states alone.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from solver.database.packed.label_code import RemotenessCode, smallest_remoteness_code
from solver.engines.loops.moves import FoundStage, LabelledStage, MoveFinder, reversed_moves
from solver.engines.loops.retrograde import label_stage
from solver.engines.loops.stage_files import KEYS_PER_WRITE, SOLVED, Scratch, keys_in_parts, write_labels
from solver.engines.loops.state_table import Bucket, Numbering, StateTable
from solver.engines.storage.context import SolveContext
from solver.engines.storage.records import ReachedStage, StageLabels
from solver.engines.storage.resumable import HOW_TO_RESUME
from solver.errors import TooLarge
from solver.rules.arrays import Keys, Labels
from solver.system.resources import return_freed

GREATEST_REMOTENESS = (1 << 15) - 3
"""Plies that labels in the work folder can tell: with utilities of -1, 0 and 1 they take two bytes."""

BYTES_PER_STATE = 20
"""Of a state: its key, slots, floor and open moves; then offset and label instead of key and slots."""

BYTES_PER_LATER_STATE = 16
"""Of a state of a later stage: its key, its slots and its label."""


def label_stages(
    context: SolveContext, stages: Sequence[ReachedStage]
) -> tuple[RemotenessCode, list[StageLabels]]:
    """Write the labels of all stages that were found to the work folder.

    Returns the encoding of the labels, and a record of those of each stage.

    Raises `UnfitRules` if no label can hold the utilities, and `BrokenRules` if the rules fail.
    """
    margin = max(stage.margin for stage in stages)
    code = smallest_remoteness_code(GREATEST_REMOTENESS, margin, context.endless_value)
    labelling = _Labelling(context, code, stages)
    labels = [labelling.label(nth) for nth in reversed(range(len(stages)))]
    return code, labels[::-1]


class _Labelling:
    """A labelling under way."""

    def __init__(self, context: SolveContext, code: RemotenessCode, stages: Sequence[ReachedStage]) -> None:
        self._context, self._code, self._stages = context, code, stages
        self._later = dict[int, LabelledStage]()
        self._done, self._total = 0, sum(stage.open_states for stage in stages)

    def label(self, nth: int) -> StageLabels:
        """Label one stage, unless that was done before; return the record of its labels."""
        work = self._context.work
        labels = StageLabels.read(work, nth) or self._label(nth).write(work, nth)
        self._done += self._stages[nth].open_states
        return labels

    def _label(self, nth: int) -> StageLabels:
        """Write the labels of a stage; return the record of them."""
        context, numbering, exits = self._context, self._numbering(nth), self._stages[nth].exits
        self._later = {tier: self._later.get(tier) or self._labelled(tier) for tier in exits}
        scratch = Scratch(context, self._left(nth))
        found = self._found(nth, numbering, scratch)
        return_freed()
        moves = reversed_moves(context, found, numbering.begins, scratch)
        del found
        labels: Labels = np.zeros(numbering.begins[-1], self._code.dtype)
        done = len(labels)
        for more in label_stage(self._code, moves, labels, exchange=context.rules.exchange):
            done += more
            context.check_cancelled()
            self._report(done)
        write_labels(context, nth, SOLVED.labels, (labels[numbers] for numbers in numbering.numbers()))
        return StageLabels(moves.moves, self._greatest_remoteness(labels))

    def _greatest_remoteness(self, labels: Labels) -> int:
        """The greatest remoteness of all labels, in plies."""
        parts = (labels[begin : begin + KEYS_PER_WRITE] for begin in range(0, len(labels), KEYS_PER_WRITE))
        return max((int(self._code.remoteness(part, 0).max()) for part in parts), default=0)

    def _found(self, nth: int, numbering: Numbering, scratch: Scratch) -> FoundStage:
        """The moves of a stage as they are found; its states and their table are held no longer."""
        tier, keys = self._stages[nth].tier, numbering.keys()
        table = _table(self._context, keys, numbering)
        finder = MoveFinder(self._context, self._code, tier, table, self._later)
        return finder.found(keys, scratch, self._report)

    def _report(self, done: int) -> None:
        """Report the progress in a stage: half of it when moves are found, half when states are labelled."""
        self._context.progress("labelling", self._done + done // 2, self._total)

    def _left(self, nth: int) -> int:
        """Bytes of memory that the states of a stage and of the later ones leave for its moves.

        A third of the memory is for moves that are not grouped yet. Raises `TooLarge` if the states take
        more than the rest.
        """
        states, later = (
            self._stages[nth].open_states,
            sum(len(stage.offers) for stage in self._later.values()),
        )
        need: int = states * BYTES_PER_STATE + later * BYTES_PER_LATER_STATE
        if need > self._context.memory * 2 // 3:
            raise TooLarge(
                f"labelling the {states:,} states of a stage takes {need / 1e6:,.0f} MB of memory: "
                f"give it more; {HOW_TO_RESUME}"
            )
        return self._context.memory * 2 // 3 - need

    def _labelled(self, tier: int) -> LabelledStage:
        """The stage of a tier, which was labelled before."""
        nth = next(nth for nth, stage in enumerate(self._stages) if stage.tier == tier)
        numbering = self._numbering(nth)
        labels = SOLVED.labels_of(self._context, nth, self._code.dtype)
        offers: Labels = np.empty(numbering.begins[-1], self._code.dtype)
        begin = 0
        for numbers in numbering.numbers():
            offers[numbers] = self._code.before(labels.read(begin, begin := begin + len(numbers)))
        return LabelledStage(_table(self._context, numbering.keys(), numbering), offers, numbering.begins)

    def _numbering(self, nth: int) -> Numbering:
        """The numbers of the states of a stage."""
        keys = SOLVED.open_states(self._context, nth)
        return Numbering(keys.states, partial(keys_in_parts, keys))


def _table(context: SolveContext, keys: Keys, numbering: Numbering) -> StateTable:
    """A table of the states of a stage, given by number."""
    table = StateTable(numbering.bits)
    parts = (keys[begin:end] for begin, end in pairwise(numbering.begins))
    table.buckets = list(context.map_ordered(Bucket.of, parts))
    return table
