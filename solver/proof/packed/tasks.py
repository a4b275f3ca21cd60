"""The tasks of the proof of a packed file: independent of each other, in any order and by any process.

    ply 2   |--------|--------|--------|        non-terminal blocks, a task each
            |-----|                             terminal blocks
    ply 1   |------|------| ...

The findings of a task are its problems, and counts that `solver.proof.packed.walk` adds up for the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from solver.database.header import connect
from solver.database.packed.label_code import smallest_label_code
from solver.database.packed.reader import PackedDatabase
from solver.errors import SolverError, told
from solver.game import ENDLESS
from solver.proof.packed.blocks import Damage, Reader, Series
from solver.proof.packed.child_lookup import ChildLookup
from solver.proof.packed.disjoint import repeated
from solver.proof.packed.findings import Findings, checked_ends
from solver.proof.packed.internal_states import InternalStates, ascend
from solver.proof.packed.metadata import problems_of_labels, problems_of_starts
from solver.proof.packed.rules import CheckedRules
from solver.proof.packed.symmetry import problems_of_actions
from solver.rules.failures import refusal
from solver.rules.notation import read_position
from solver.system.worker_pool import Tell

CACHED_BYTES = 128 << 20
"""Bytes of decoded blocks in the cache of a process."""

CHILDREN_AT_ONCE = 1 << 22
"""Children that a process collects and sorts at a time, at about 60 bytes each."""

BLOCKS_AT_ONCE = 8
"""Blocks that are checked at a time: their children fit a processor's cache."""


AllSeries: TypeAlias = Mapping[tuple[int, int], Series]
"""By ply and is_terminal."""


class Checker:
    """Everything that one process needs to do tasks: the open file, its rules, and a reader of its blocks."""

    def __init__(self, db: PackedDatabase, series: AllSeries, tell: Tell) -> None:
        """Open the file; raises `Damage` if its start or the form of its labels is wrong.

        `tell` is called with each number of states that were checked.
        """
        rules = db.rules
        try:
            start = read_position(rules, db.start)
            last, level = max(ply for ply, _ in series), ENDLESS.get(db.about["endless"], 0)
            self.form = smallest_label_code(last, max(map(abs, db.value_range)), level)
            self.rules = CheckedRules(rules, start, db.folded)
        except SolverError as error:
            raise Damage(error) from error
        if wrong := list(problems_of_labels(db, self.form)):
            raise Damage(wrong[0])
        self._db, self._series, self._tell = db, series, tell
        self._connection = connect(db.path)
        self.reader = Reader(self._connection, self.form, self.rules.utilities, CACHED_BYTES)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def series_at(self, ply: int) -> list[Series]:
        """Return the series of a ply: none, one or two."""
        return [self._series[kind] for kind in ((ply, 0), (ply, 1)) if kind in self._series]

    def done(self, part: "Task") -> Findings:
        """Return the findings of a task; if it raises, that is a problem."""
        return _guarded(lambda: part(self))

    def actions(self) -> Findings:
        """Check the actions under the symmetries of the rules."""
        return Findings(tuple(problems_of_actions(self.rules)))

    def states(self, ply: int, is_terminal: int, begin: int, end: int) -> Findings:
        """Check the states in the blocks [begin, end) of a series."""
        series, next_ply = self._series[ply, is_terminal], ChildLookup(self.reader, self.series_at(ply + 1))
        internal = InternalStates(self.rules, self.form, ply, next_ply, CHILDREN_AT_ONCE)
        batches = (range(at, min(at + BLOCKS_AT_ONCE, end)) for at in range(begin, end, BLOCKS_AT_ONCE))
        found = [self._checked_batch(series, blocks, internal) for blocks in batches]
        found.append(_guarded(lambda: Findings(tuple(internal.finish()), ply_proved=True)))
        return replace(Findings.merged(found), reached=next_ply.reached)

    def starts(self) -> Findings:
        """Check the states of ply 0."""
        keys = [self.reader.states(series, range(series.blocks)).keys for series in self.series_at(0)]
        first = np.sort(np.concatenate(keys))
        return Findings(tuple(problems_of_starts(self._db, self.rules, first)))

    def repeated(self, begin: int, end: int) -> Findings:
        """Find the states in the key range [begin, end) that are stored twice."""
        return repeated(self.rules, self.reader, list(self._series.values()), begin, end)

    def min_task_blocks(self, series: Series, limit: int) -> int:
        """Return the least number of blocks for a task: one batch, or more if children come out of order.

        Children out of order are spread over the whole next ply, which is read once for each sort of them. So
        a task should fill a sort, but have no more than `limit` blocks. The number of such children is taken
        from the block in the middle of the series.
        """
        if series.is_terminal:
            return BLOCKS_AT_ONCE
        try:
            middle = self.reader.block(series, series.blocks // 2)
            children = [found for play in self.rules.plays(middle.keys) for _, found in play.edges()]
        except (Exception, SystemExit):
            return BLOCKS_AT_ONCE  # the task that checks this block reports it
        unsorted = sum(len(each) for each in children if not ascend(each))
        return max(BLOCKS_AT_ONCE, min(CHILDREN_AT_ONCE // unsorted, limit)) if unsorted else BLOCKS_AT_ONCE

    def _checked_batch(self, series: Series, blocks: range, internal: InternalStates) -> Findings:
        findings = _guarded(partial(self._checked, series, blocks, internal))
        self._tell(sum(map(series.size, blocks)))
        return findings

    def _checked(self, series: Series, blocks: range, internal: InternalStates) -> Findings:
        states = self.reader.states(series, blocks)
        return (
            checked_ends(self.rules, states, series.ply) if series.is_terminal else internal.checked(states)
        )


Task: TypeAlias = Callable[[Checker], Findings]
"""A method of `Checker` with its arguments, in a form that can be pickled for another process."""


def _guarded(do: Callable[[], Findings]) -> Findings:
    """Return the findings; if `do` raises, that is a problem."""
    try:
        return do()
    except Damage as error:
        return Findings((str(error),))
    except (Exception, SystemExit) as error:
        return Findings((f"the rules fail: {refusal(error) or told(error)}",))
