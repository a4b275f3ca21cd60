"""The labels of all stages, from the last one to the first: moves, then retrograde analysis."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.database.packed.label_code import RemotenessCode, smallest_remoteness_code
from solver.engines.context import SolveContext
from solver.engines.loops.moves import LabelledStage, MoveFinder
from solver.engines.loops.retrograde import label_stage
from solver.engines.loops.stage_files import SOLVED, write_labels
from solver.engines.loops.state_table import Bucket, StateTable
from solver.engines.resumable import HOW_TO_RESUME
from solver.errors import TooLarge
from solver.rules.arrays import Keys, Labels

GREATEST_REMOTENESS = (1 << 15) - 3
"""Plies that labels in the work folder can tell: with utilities of -1, 0 and 1 they take two bytes."""

BYTES_PER_STATE = 40
"""Of a state that is labelled: its key, slots, rank, label, floor, number of moves, and an offset."""

BYTES_PER_LATER_STATE = 22
"""Of a state of a later stage: its key, its slots and its label."""


def label_stages(
    context: SolveContext, stages: Sequence[dict[str, Any]]
) -> tuple[RemotenessCode, list[dict[str, Any]]]:
    """Write the labels of all stages to the work folder, given the facts about each.

    Returns the encoding of the labels, and all facts about each stage.

    Raises `UnfitRules` if no label can hold the utilities, and `BrokenRules` if the rules fail.
    """
    margin = max(facts["margin"] for facts in stages)
    code = smallest_remoteness_code(GREATEST_REMOTENESS, margin, context.level)
    labelling = _Labelling(context, code, stages)
    facts = [labelling.label(nth) for nth in reversed(range(len(stages)))]
    return code, facts[::-1]


class _Labelling:
    """A labelling under way."""

    def __init__(self, context: SolveContext, code: RemotenessCode, stages: Sequence[dict[str, Any]]) -> None:
        self._context, self._code, self._stages = context, code, stages
        self._later = dict[int, LabelledStage]()
        self._done, self._total = 0, sum(facts["going"] for facts in stages)

    def label(self, nth: int) -> dict[str, Any]:
        """Label one stage, unless that was done before; return all facts about it."""
        facts, work = self._stages[nth], self._context.work
        if (labelled := work.facts(f"{nth:04}.labelled")) is None:
            self._later = {
                tier: self._later.get(tier) or self._labelled(self._number_of(tier))
                for tier in facts["exits"]
            }
            labelled = self._label(nth, facts["tier"])
            work.finish(f"{nth:04}.labelled", labelled)
        self._done += facts["going"]
        return facts | labelled

    def _label(self, nth: int, tier: int) -> dict[str, Any]:
        """Write the labels of a stage; return the facts about them."""
        context, code = self._context, self._code
        keys = SOLVED.open_states(context, nth)
        self._refuse_too_many(keys.states)
        table, numbered, ranks = _numbered(context, keys.read(0, keys.pieces))
        moves = MoveFinder(context, code, tier, table, self._later).moves(numbered, self._report)
        labels: Labels = np.zeros(len(numbered), code.dtype)
        done = len(numbered)
        for more in label_stage(code, moves, labels, exchange=context.rules.exchange):
            done += more
            context.check_cancelled()
            self._report(done)
        ordered = np.empty_like(labels)
        ordered[ranks] = labels
        write_labels(context, nth, SOLVED.labels, ordered)
        self._later[tier] = LabelledStage(table, code.before(labels), table.begins)
        return {"moves": moves.moves, "remoteness": int(code.remoteness(labels, 0).max(initial=0))}

    def _report(self, done: int) -> None:
        """Report the progress in a stage: half of it when moves are found, half when states are labelled."""
        self._context.progress("labelling", self._done + done // 2, self._total)

    def _refuse_too_many(self, states: int) -> None:
        """Raise `TooLarge` if the arrays for the states of a stage exceed the memory."""
        later = sum(int(stage.begins[-1]) for stage in self._later.values())
        need = states * BYTES_PER_STATE + later * BYTES_PER_LATER_STATE
        if need > self._context.memory * 2 // 3:  # moves take the rest
            raise TooLarge(
                f"labelling the {states:,} states of a stage takes {need / 1e6:,.0f} MB of memory: "
                f"give it more; {HOW_TO_RESUME}"
            )

    def _labelled(self, nth: int) -> LabelledStage:
        """A stage that was labelled before."""
        keys = SOLVED.open_states(self._context, nth)
        table, _, ranks = _numbered(self._context, keys.read(0, keys.pieces))
        labels = SOLVED.labels_of(self._context, nth, self._code.dtype).read(0, keys.states)
        return LabelledStage(table, self._code.before(labels[ranks]), table.begins)

    def _number_of(self, tier: int) -> int:
        """The number of the stage of a tier."""
        return next(nth for nth, facts in enumerate(self._stages) if facts["tier"] == tier)


def _numbered(context: SolveContext, keys: Keys) -> tuple[StateTable, Keys, Keys]:
    """A table of ascending keys, the keys by number, and the rank of each."""
    table = StateTable()
    table.divide_for(2 * len(keys))
    numbered = table.grouped(keys, np.arange(len(keys), dtype=np.uint32))
    parts = (numbered.bucket(nth)[0] for nth in range(len(table.buckets)))
    table.buckets = list(context.map_ordered(Bucket.of, parts))
    return table, numbered.keys, numbered.owners
