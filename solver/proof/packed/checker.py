"""What one process needs to do the tasks of a proof: the open file, its rules, and a reader of its blocks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from solver.database.header import connect
from solver.database.packed.label_code import LabelCode
from solver.database.packed.probe import is_exchanged
from solver.database.packed.reader import PackedDatabase
from solver.errors import SolverError, told
from solver.proof.packed.blocks import Damage, Reader, Series
from solver.proof.packed.compiled.array_answers import COMPILED_FROM
from solver.proof.packed.findings import Findings
from solver.proof.packed.rules import CheckedRules
from solver.proof.packed.symmetry import problems_of_actions
from solver.rules.failures import refusal
from solver.rules.notation import read_position
from solver.system.executors import Tell

CACHED_BYTES = 128 << 20
"""Bytes of decoded blocks in the cache of a process."""

AllSeries: TypeAlias = Mapping[tuple[int, int], Series]
"""By ply and is_terminal."""


class Checker(ABC):
    """Does the tasks of a proof in one process."""

    def __init__(self, db: PackedDatabase, series: AllSeries, tell: Tell, *, by_class: bool = False) -> None:
        """Open the file; raises `Damage` if its start or the code of its labels is wrong.

        `tell` is called with each number of states that were checked. For `by_class` see `CheckedRules`.
        """
        self.db, self.series, self.tell = db, series, tell
        rules = db.rules
        try:
            start, self.code = read_position(rules, db.start), self.label_code()
            exchanged = is_exchanged(db, self.code, rules)
        except SolverError as error:
            raise Damage(error) from error
        states = sum(each.states for each in series.values())
        self.rules = CheckedRules(
            rules,
            start,
            db.folded,
            layered=self.code.ply_of(0) is not None,
            exchanged=exchanged,
            by_class=by_class,
            states=states,
        )
        self._connection = connect(db.path)
        self.reader = Reader(
            self._connection, self.code, self.rules.utilities, CACHED_BYTES, compiled=states >= COMPILED_FROM
        )

    @abstractmethod
    def label_code(self) -> LabelCode:
        """The code of the labels; raises `Damage` if it cannot be that."""

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def done(self, part: "Task") -> Findings:
        """The findings of a task; if it raises, that is a problem."""
        return guarded(lambda: part(self))

    def actions(self) -> Iterator[str]:
        """Check the actions under the symmetries of the rules."""
        return problems_of_actions(self.rules)


Task: TypeAlias = Callable[[Any], Findings | Iterable[str]]
"""A method of a `Checker` with its arguments, in a form that can be pickled for another process.

What it yields are problems.
"""


def guarded(do: Callable[[], Findings | Iterable[str]]) -> Findings:
    """The findings, or those that are no more than problems; if `do` raises, that is a problem."""
    try:
        found = do()
        return found if isinstance(found, Findings) else Findings(tuple(found))
    except Damage as error:
        return Findings((str(error),))
    except (Exception, SystemExit) as error:
        return Findings((f"the rules fail: {refusal(error) or told(error)}",))
