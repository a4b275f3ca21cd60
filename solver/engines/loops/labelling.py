"""The labels of all stages, from the last one to the first: moves, then retrograde analysis.

The states of a stage, and the tables of the later ones, are held until its moves are found; then its moves
are reversed and followed, and need the numbers of states alone.

Labels are given strictly in their order, best ones first. For either player as the winner, from the best
label to the worst that is better than endless play:

    a state where the winner is to move     gets a label if a move leads to a state with the label before it,
                                            or if its floor is that label
    a state where the loser is to move      gets it if that was the last of its open moves

The value falls from label to label, and for each value the remoteness rises by one ply. States that get none
for either winner neither win nor lose: play from them need not end.
Source: K. Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9(3), 1986.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.engines.loops import kernels
from solver.engines.loops.moves import (
    FoundStage,
    LabelledStage,
    MoveFinder,
    Numbers,
    StageMoves,
    reversed_moves,
)
from solver.engines.loops.scratch import Scratch
from solver.engines.loops.stage_files import KEYS_PER_WRITE, SOLVED, keys_in_parts
from solver.engines.loops.state_table import Bucket, Numbering, StateTable
from solver.engines.storage.context import SolveContext
from solver.engines.storage.labelled_layer import write_labels
from solver.engines.storage.records import ReachedStage, StageLabels
from solver.errors import UnfitRules
from solver.game import FIRST, SECOND
from solver.rules.arrays import Keys, Labels
from solver.system.resources import return_freed

MOVES_AT_ONCE = 1 << 22
"""Moves to states of one label that are followed at a time."""

STATES_AT_ONCE = 1 << 22
"""States the floors or the moves of which are looked at at a time."""


def label_stage(
    code: LabelCode, moves: StageMoves, labels: Labels, winners: Sequence[int] = (FIRST, SECOND)
) -> Iterator[int]:
    """Write the labels of all states of a stage to `labels`, all 0 beforehand: dtype of the code, (states,).

    `winners` as in `Rules`. Yields the number of states that got a label, now and then. Raises `UnfitRules`
    if a remoteness is too large.
    """
    none, signs = np.empty(0, np.uint32), {FIRST: 1, SECOND: -1}
    levels = dict.fromkeys(signs, none)
    floors = {winner: _floors(moves, sign) for winner, sign in signs.items()}
    label = _greatest(floors)
    while label:
        parts = {winner: _parts(moves, levels[winners[winner]]) for winner in signs}
        for winner, sign in signs.items():
            decided = [_settled_parents(moves, winner, part) for part in parts[winner]]
            decided.append(states_settled(floors[winner].pop(label, none), winner, moves.open_moves))
            levels[winner] = np.sort(np.concatenate(decided))
            labels[levels[winner]] = sign * label
        settled = sum(map(len, levels.values()))
        if settled and label % code.base == 0:
            raise UnfitRules(f"play takes {code.base - 1:,} plies, which is too long: use --layout readable")
        yield settled
        label = label - 1 if settled else _greatest(floors)


def _greatest(floors: dict[int, dict[int, Numbers]]) -> int:
    """The greatest label of those by which states are held, 0 for none."""
    return max((label for states in floors.values() for label in states), default=0)


def _floors(moves: StageMoves, sign: int) -> dict[int, Numbers]:
    """The states by floor, for floors above 0 for the first player, or for the second if the `sign` is -1."""
    by_floor = defaultdict[int, list[Numbers]](list)
    for begin in range(0, len(moves.floors), STATES_AT_ONCE):
        some = slice(begin, begin + STATES_AT_ONCE)
        floors, movers = moves.floors[some], moves.open_moves[some] & 1
        gains = np.where(floors == np.iinfo(floors.dtype).min, 0, floors)
        gains *= sign * (1 - 2 * movers.astype(gains.dtype))
        states = np.flatnonzero(gains > 0)
        order = states[np.argsort(gains[states], kind="stable")]
        cuts = np.flatnonzero(np.diff(gains[order], prepend=0, append=0)).tolist()
        for low, high in pairwise(cuts):
            by_floor[int(gains[order[low]])].append((order[low:high] + begin).astype(np.uint32))
    return {floor: np.concatenate(parts) for floor, parts in by_floor.items()}


def _parts(moves: StageMoves, level: Numbers) -> Iterator[Numbers]:
    """Yield the states of a level, so many at a time that the moves to them are about `MOVES_AT_ONCE`."""
    for first in range(0, len(level), STATES_AT_ONCE):
        some, begin = level[first : first + STATES_AT_ONCE], 0
        totals = np.cumsum(moves.offsets[some + np.uint32(1)] - moves.offsets[some])
        while begin < len(some):
            done = int(totals[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(totals, done + MOVES_AT_ONCE)))
            yield some[begin:end]
            begin = end


def _settled_parents(moves: StageMoves, winner: int, level: Numbers) -> Numbers:
    """The states that are decided by moves to the states of a level, which win for `winner`."""
    count = int((moves.offsets[level + np.uint32(1)] - moves.offsets[level]).sum())
    settled = np.empty(count, np.uint32)
    decided = kernels.settle_parents(level, moves.offsets, moves.parents, winner, moves.open_moves, settled)
    return settled[:decided].copy()


def states_settled(states: Numbers, winner: int, open_moves: NDArray[Any]) -> Numbers:
    """Those of the states that are decided as one more move of each leads to a state won by `winner`."""
    settled = np.empty(len(states), np.uint32)
    return settled[: kernels.settle(states, winner, open_moves, settled)]


MAX_REMOTENESS = (1 << 15) - 3
"""Plies that labels in the work folder can tell: with utilities of -1, 0 and 1 they take two bytes."""


def label_code_of(context: SolveContext, stages: Sequence[ReachedStage]) -> LabelCode:
    """The encoding of the labels in the work folder; raises `UnfitRules` if none can hold the utilities."""
    margin = max(stage.margin for stage in stages)
    return smallest_label_code(MAX_REMOTENESS, margin, context.endless_value, has_loops=True)


def label_stages(
    context: SolveContext, stages: Sequence[ReachedStage]
) -> tuple[LabelCode, list[StageLabels]]:
    """Write the labels of all stages that were found to the work folder.

    Returns the encoding of the labels, and a record of those of each stage.

    Raises `UnfitRules` if no label can hold the utilities, and `BrokenRules` if the rules fail.
    """
    code = label_code_of(context, stages)
    labelling = _Labelling(context, code, stages)
    labels = [labelling.label(nth) for nth in reversed(range(len(stages)))]
    return code, labels[::-1]


class _Labelling:
    """A labelling under way."""

    def __init__(self, context: SolveContext, code: LabelCode, stages: Sequence[ReachedStage]) -> None:
        self._context, self._code, self._stages, self._scratch = context, code, stages, Scratch(context)
        self._later = dict[int, LabelledStage]()
        self._done, self._total = 0, sum(stage.open_states for stage in stages)

    def label(self, nth: int) -> StageLabels:
        """Label one stage, unless that was done before; return the record of its labels."""
        work = self._context.work
        labels = StageLabels.read(work, nth) or self._label(nth).write(work, nth)
        self._done += self._stages[nth].open_states
        return labels

    def _label(self, nth: int) -> StageLabels:
        context, numbering, exits = self._context, self._numbering(nth), self._stages[nth].exit_tiers
        scratch = self._scratch
        self._later = {tier: self._later.get(tier) or self._labelled(tier) for tier in exits}
        stage = self._found(nth, numbering, scratch)
        return_freed()
        labels: Labels = scratch.zeros(int(numbering.begins[-1]), self._code.dtype)
        moves = reversed_moves(context, stage, numbering.begins, scratch)
        del stage
        done = len(labels)
        for more in label_stage(self._code, moves, labels, context.rules.winners):
            done += more
            context.check_cancelled()
            self._report(done)
        parts = (labels[numbers] for numbers in numbering.numbers())
        write_labels(context, nth, SOLVED.labels, 0, parts)
        return StageLabels(moves.moves, self._greatest_remoteness(labels), 1)

    def _greatest_remoteness(self, labels: Labels) -> int:
        parts = (labels[begin : begin + KEYS_PER_WRITE] for begin in range(0, len(labels), KEYS_PER_WRITE))
        return max((int(self._code.remoteness(part, 0).max()) for part in parts), default=0)

    def _found(self, nth: int, numbering: Numbering, scratch: Scratch) -> FoundStage:
        """The moves of a stage as they are found; its states and their table are held no longer."""
        tier, keys = self._stages[nth].tier, numbering.keys(scratch)
        table = _table(self._context, scratch, keys, numbering)
        finder = MoveFinder(self._context, self._code, tier, table, self._later)
        return finder.found(keys, scratch, self._report)

    def _report(self, done: int) -> None:
        """Report the progress in a stage: half of it when moves are found, half when states are labelled."""
        self._context.progress("labelling", self._done + done // 2, self._total)

    def _labelled(self, tier: int) -> LabelledStage:
        nth = next(nth for nth, stage in enumerate(self._stages) if stage.tier == tier)
        numbering = self._numbering(nth)
        labels = SOLVED.labels_of(self._context, nth, self._code)
        offers: Labels = self._scratch.empty(int(numbering.begins[-1]), self._code.dtype)
        begin = 0
        for numbers in numbering.numbers():
            offers[numbers] = self._code.before(labels.read(begin, begin := begin + len(numbers)))
        table = _table(self._context, self._scratch, numbering.keys(self._scratch), numbering)
        return LabelledStage(table, offers, numbering.begins)

    def _numbering(self, nth: int) -> Numbering:
        keys = SOLVED.open_states(self._context, nth)
        return Numbering(keys.states, partial(keys_in_parts, keys))


def _table(context: SolveContext, scratch: Scratch, keys: Keys, numbering: Numbering) -> StateTable:
    table = StateTable(scratch, numbering.bits)
    parts = (keys[begin:end] for begin, end in pairwise(numbering.begins))
    table.buckets = list(context.map_ordered(partial(Bucket.of, scratch), parts))
    return table
