"""The parts of the proof of a packed file: each is done by itself, in any order and by any process.

    the whole     ply 2   |--------|--------|--------|        blocks in which play goes on
                          |-----|                             blocks in which it is over
                  ply 1   |------|------| ...

A part says what is wrong, and what `solver.proof.packed.walk` needs to know of it to speak about the whole.
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
from solver.proof.packed.internal_states import Parents, ascend
from solver.proof.packed.metadata import problems_of_labels, problems_of_starts
from solver.proof.packed.rules import CheckedRules
from solver.proof.packed.symmetry import problems_of_actions
from solver.rules.failures import refusal
from solver.rules.notation import read_position

KEPT = 128 << 20
"""Bytes of decoded blocks that a process keeps."""

IN_HAND = 1 << 22
"""So many children a process sorts at once, at some 60 bytes each."""

STRETCH = 8
"""So many blocks are checked at once: what the rules make of them fits a processor's cache."""


AllSeries: TypeAlias = Mapping[tuple[int, int], Series]
"""By ply and is_terminal."""


Tell: TypeAlias = Callable[[int], object]
"""What is told of so many states more that they are done with, by any thread."""


class Checker:
    """What one process does parts with."""

    def __init__(self, db: PackedDatabase, series: AllSeries, tell: Tell) -> None:
        """Begin; raises `Damage` where the start or the labels make no sense.

        Each number of states that are done with `tell` is told.
        """
        rules = db.rules
        try:
            start = read_position(rules, db.start)
            last, level = max(ply for ply, _ in series), ENDLESS.get(db.about["endless"], 0)
            self.form = smallest_label_code(last, max(map(abs, db.value_range)), level)
            self.asked = CheckedRules(rules, start, db.folded)
        except SolverError as error:
            raise Damage(error) from error
        if wrong := list(problems_of_labels(db, self.form)):
            raise Damage(wrong[0])
        self._db, self._series, self._tell = db, series, tell
        self._connection = connect(db.path)
        self.reader = Reader(self._connection, self.form, self.asked.utilities, KEPT)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def at(self, ply: int) -> list[Series]:
        """The series of a ply."""
        return [self._series[kind] for kind in ((ply, 0), (ply, 1)) if kind in self._series]

    def done(self, part: "Task") -> Findings:
        """What comes of a part; where it fails, that is a problem."""
        return _guarded(lambda: part(self))

    def actions(self) -> Findings:
        """The actions, under the symmetries of the rules."""
        return Findings(tuple(problems_of_actions(self.asked)))

    def states(self, ply: int, is_terminal: int, begin: int, end: int) -> Findings:
        """The states in the blocks of a series from `begin` up to `end`."""
        series, below = self._series[ply, is_terminal], ChildLookup(self.reader, self.at(ply + 1))
        parents = Parents(self.asked, self.form, ply, below, IN_HAND)
        stretches = (range(at, min(at + STRETCH, end)) for at in range(begin, end, STRETCH))
        checked = [self._told(series, blocks, parents) for blocks in stretches]
        checked.append(_guarded(lambda: Findings(tuple(parents.rest()), placed=True)))
        return replace(Findings.together(checked), reached=below.reached)

    def starts(self) -> Findings:
        """The states of ply 0."""
        keys = [self.reader.run(series, range(series.blocks)).keys for series in self.at(0)]
        first = np.sort(np.concatenate(keys))
        return Findings(tuple(problems_of_starts(self._db, self.asked, first)))

    def repeated(self, begin: int, end: int) -> Findings:
        """The states from `begin` on, below `end`, that are at two plies."""
        return repeated(self.asked, self.reader, list(self._series.values()), begin, end)

    def least(self, series: Series, most: int) -> int:
        """How many blocks of a series a part should have at least, but for a stretch no more than `most`.

        Children that come out of order are all over the next ply: the more are looked up at once, the less
        often it is read. The block in the middle shows how many there are.
        """
        if series.is_terminal:
            return STRETCH
        try:
            middle = self.reader.block(series, series.blocks // 2)
            children = [found for play in self.asked.plays(middle.keys) for _, found in play.parts()]
        except (Exception, SystemExit):
            return STRETCH  # it will fail again, where that is said
        loose = sum(len(each) for each in children if not ascend(each))
        return max(STRETCH, min(IN_HAND // loose, most)) if loose else STRETCH

    def _told(self, series: Series, blocks: range, parents: Parents) -> Findings:
        checked = _guarded(partial(self._checked, series, blocks, parents))
        self._tell(sum(map(series.size, blocks)))
        return checked

    def _checked(self, series: Series, blocks: range, parents: Parents) -> Findings:
        run = self.reader.run(series, blocks)
        return checked_ends(self.asked, run, series.ply) if series.is_terminal else parents.checked(run)


Task: TypeAlias = Callable[[Checker], Findings]
"""A method of `Checker` with its arguments, which another process can be sent."""


def _guarded(do: Callable[[], Findings]) -> Findings:
    """What comes of it; where it fails, that is a problem."""
    try:
        return do()
    except Damage as error:
        return Findings((str(error),))
    except (Exception, SystemExit) as error:
        return Findings((f"the rules fail: {refusal(error) or told(error)}",))
