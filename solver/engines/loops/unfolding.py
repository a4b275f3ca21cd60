"""Makes all states of a stage by tasks from one of each class: the state and its images, with its label.

solved     3 (-7)   4 (9)            images   3 12 6 3 (-7)   4 8 4 8 (9)
all        3 (-7)   4 (9)   6 (-7)   8 (9)   12 (-7)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.loops.workplace import SOLVED, UNFOLDED, Workplace
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import key_shards
from solver.engines.storage.labelled_layer import write_labels
from solver.engines.storage.merging import KeyRange
from solver.engines.storage.records import ReachedStage, UnfoldedStage
from solver.engines.storage.steps import Answer
from solver.rules.arrays import MAX_STATE, Keys, Labels, distinct_pairs
from solver.system.executors import OnProgress

PIECES_AT_ONCE = 4
"""Pieces of states whose images are made at a time."""


@dataclass(frozen=True)
class UnfoldStates:
    """Make all states of a stage in a range of keys."""

    stage: int
    nth: int
    code: LabelCode
    range: KeyRange
    begin: int
    end: int
    """The task counts the moves of the states in the pieces [begin, end), and of their images."""

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the states with their labels; return the numbers of states and of moves."""
        context = workplace.context
        with key_shards(context, self.stage, self.nth, UNFOLDED.open, UNFOLDED.terminal) as files:
            for kind, file in enumerate(files):
                states, of_states = map(np.concatenate, zip(*self._parts(context, kind), strict=True))
                keys, labels = distinct_pairs(states, of_states)
                file.add(keys)
                if not kind:
                    write_labels(context, self.stage, UNFOLDED.labels, self.nth, labels)
        solved, pieces = SOLVED.open_states(context, self.stage), range(self.begin, self.end)
        moves = sum(_count_moves(context.rules, solved.read(piece, piece + 1)) for piece in pieces)
        counted = int(solved.begins[self.end] - solved.begins[self.begin])
        on_progress(counted)
        return {"states": counted, "open": files[0].states, "terminal": files[1].states, "moves": moves}

    def _parts(self, context: SolveContext, kind: int) -> Iterator[tuple[Keys, Labels]]:
        """Yield the states in the range with their labels, 0 for terminal ones; some are repeated."""
        states, (low, high) = SOLVED.states(context, self.stage, kind), self.range
        labels = SOLVED.labels_of(context, self.stage, self.code)
        yield np.empty(0, np.int64), np.empty(0, self.code.dtype)
        for begin in range(0, states.pieces, PIECES_AT_ONCE):
            context.check_cancelled()
            end = min(begin + PIECES_AT_ONCE, states.pieces)
            keys = states.read(begin, end)
            ranks = int(states.begins[begin]), int(states.begins[end])
            of_keys = np.zeros(len(keys), self.code.dtype) if kind else labels.read(*ranks)
            for image in (keys, *context.rules.images(keys)):
                inside = np.flatnonzero((low <= image) & ((image < high) | (high == MAX_STATE)))
                yield image.take(inside), of_keys.take(inside)


def unfolded_stages(
    workplace: Workplace, code: LabelCode, stages: Sequence[ReachedStage]
) -> list[UnfoldedStage]:
    """Write all states of all stages and their labels; return a record of each stage."""
    context, work = workplace.context, workplace.context.work
    on_progress = context.counted("unfolding", sum(stage.open_states for stage in stages), None)
    unfolded = list[UnfoldedStage]()
    for nth, stage in enumerate(stages):
        if (record := UnfoldedStage.read(work, nth)) is not None:
            on_progress(stage.open_states)
            unfolded.append(record)
            continue
        ranges, pieces = _ranges(context, nth), SOLVED.open_states(context, nth).pieces
        cuts = [place * pieces // len(ranges) for place in range(len(ranges) + 1)]
        tasks = [
            UnfoldStates(nth, part, code, key_range, *bounds)
            for part, (key_range, bounds) in enumerate(zip(ranges, pairwise(cuts), strict=True))
        ]
        answers = workplace.run(f"{nth:04}.unfolding", tasks, on_progress)
        sums = [sum(answer[what] for answer in answers) for what in ("open", "terminal", "moves")]
        unfolded.append(UnfoldedStage(sums[0], sums[1], len(tasks), sums[2]).write(work, nth))
    return unfolded


def _ranges(context: SolveContext, stage: int) -> list[KeyRange]:
    """Ranges with about equal numbers of states, each small enough to be sorted."""
    files = [SOLVED.states(context, stage, kind) for kind in (0, 1)]
    firsts = np.concatenate([file.firsts for file in files])
    sample = np.sort(np.concatenate([firsts, *context.rules.images(firsts)]))
    states = sum(file.states for file in files) * len(sample) // len(firsts)
    at_once = context.job.label_shards  # one task beyond a multiple of these would run alone
    parts = at_once * -(-states // (at_once * context.keys_per_sort))
    return list(pairwise(sorted({0, *sample[:: -(-len(sample) // parts)][1:].tolist(), MAX_STATE})))


def _count_moves(rules: Rules, keys: Keys) -> int:
    """The number of moves of all states of some classes, given one state of each."""
    _, owners = rules.every_child(keys)
    members, sizes = [keys], np.ones(len(keys), np.int64)
    for image in rules.images(keys):
        sizes += np.logical_and.reduce([image != member for member in members])
        members.append(image)
    return int(np.bincount(owners >> 1, minlength=len(keys)) @ sizes)
