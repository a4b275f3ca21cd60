"""Does the tasks of a proof in one process, and defines their findings.

A `Checker` has the open file, its rules and a reader of its blocks. Checks that need no children are here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.database.header import connect
from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.database.packed.probe import folding_of
from solver.database.packed.reader import PackedDatabase
from solver.errors import SolverError, summary_of
from solver.game import ENDLESS
from solver.proof.packed.array_answers import COMPILED_FROM
from solver.proof.packed.blocks import Damage, LabelledStates, Reader, Series
from solver.proof.packed.metadata import StateKind, problems_of_labels
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import problems_of_classes, problems_of_negation
from solver.rules.arrays import Keys, Labels
from solver.rules.failures import refusal
from solver.rules.notation import read_position
from solver.system.executors import OnProgress


class ReachedPart(NamedTuple):
    """The states of a series that a task has reached by moves."""

    blocks: Places
    """The blocks that were read, as indices in the series: intp, (blocks,)."""
    bits: NDArray[np.uint8]
    """A bit per state, 1 if it was reached, most significant bit first: uint8, (blocks, BLOCK // 8)."""


@dataclass(frozen=True)
class Findings:
    """The result of a task."""

    problems: tuple[str, ...]
    kinds: Counter[StateKind] = field(default_factory=Counter)
    """The number of states of each kind."""
    moves: int = 0
    """The number of moves in these states."""
    ply_proved: bool = False
    """Whether `PackedGame.ply` confirms the ply of each state."""
    reached: Sequence[ReachedPart] = ()
    """The states of the next ply that moves lead to, one part per series, or empty."""

    @classmethod
    def merged(cls, parts: Iterable["Findings"]) -> "Findings":
        """The sum of the parts, without `reached`."""
        problems, kinds, moves, ply_proved = list[str](), Counter[StateKind](), 0, True
        for part in parts:
            problems += part.problems
            kinds.update(part.kinds)
            moves += part.moves
            ply_proved &= part.ply_proved
        return cls(tuple(problems), kinds, moves, ply_proved)


def checked_ends(rules: CheckedRules, states: LabelledStates, ply: int) -> Findings:
    """The findings on terminal states."""
    movers, images = rules.movers(states.keys), rules.images(states.keys)
    return Findings(
        tuple(problems_of_states(rules, states.keys, images, ply, is_terminal=True)),
        kinds_of(ply, 1, movers, states.labels),
        0,
        rules.confirm_ply(ply, states.keys),
    )


def problems_of_states(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys] | None, ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """Yield states with a wrong `is_terminal` or, unless `images` is None, in wrong symmetry classes."""
    right = rules.is_terminal(keys) == is_terminal
    problem = f"is_terminal should be {int(not is_terminal)}, not {int(is_terminal)}"
    yield from rules.each_wrong(keys, ply, ~right, problem)
    if images is None:
        return
    if rules.has_classes:
        images = [image[right] for image in images]
        yield from problems_of_classes(rules, keys[right], images, ply, is_terminal=is_terminal)
    yield from problems_of_negation(rules, keys[right], images, ply, is_terminal=is_terminal)


def kinds_of(ply: int, is_terminal: int, movers: Keys, labels: Labels) -> Counter[StateKind]:
    """The number of states of each kind; engines and writer count with separate code on purpose."""
    kinds, sizes = np.unique(labels * np.int64(2) + movers, return_counts=True)
    numbers = zip(kinds.tolist(), sizes.tolist(), strict=True)
    return Counter({(ply, is_terminal, kind & 1, kind >> 1): size for kind, size in numbers})


AllSeries: TypeAlias = Mapping[tuple[int, int], Series]
"""The series by (ply, is_terminal)."""


class Checker:
    """Does the tasks of a proof in one process."""

    def __init__(
        self, db: PackedDatabase, series: AllSeries, on_progress: OnProgress, *, by_class: bool = False
    ) -> None:
        """Open the file; raises `Damage` if its start or the code of its labels is wrong.

        `on_progress` is called with numbers of checked states. For `by_class` see `CheckedRules`.
        """
        self.db, self.series, self.on_progress = db, series, on_progress
        rules = db.rules
        try:
            start, self.code = read_position(rules, db.start), self._label_code()
            folding = folding_of(db, self.code, rules)
        except SolverError as error:
            raise Damage(error) from error
        decoder, states = db.key_decoder, sum(part.states for part in series.values())
        self.rules = CheckedRules(
            rules,
            start,
            folding.degree,
            layered=not db.has_loops,
            by_class=by_class,
            states=states,
            for_lookups=True,
        )
        self._connection = connect(db.path)
        self.reader = Reader(
            self._connection,
            decoder,  # read above, before there is a connection to close: a damaged file raises there
            self.code,
            self.rules.utilities,
            compiled=states >= COMPILED_FROM,
        )

    def _label_code(self) -> LabelCode:
        """The code that the values and the last ply require; with loops, the code that the file states.

        That the latter is the smallest one is proved at the end. Raises `Damage` if the file states another.
        """
        db = self.db
        most, endless_value = max(1, *map(abs, db.value_range)), ENDLESS.get(db.about["endless"], 0)
        if db.has_loops:
            code = LabelCode(db.number("label_span"), most, endless_value, has_loops=True)
        else:
            code = smallest_label_code(max(ply for ply, _ in self.series), most, endless_value)
        if not code.fits:
            raise Damage(f"about says label_span = {code.base}, which cannot be")
        for problem in problems_of_labels(db, code):
            raise Damage(problem)
        return code

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def done(self, part: "Task") -> Findings:
        """The findings of a task; an exception becomes a problem."""
        return guarded(lambda: part(self))


Task: TypeAlias = Callable[[Any], Findings | Iterable[str]]
"""A method of a `Checker` with its arguments, as it can be pickled; returns findings or yields problems."""


def guarded(do: Callable[[], Findings | Iterable[str]]) -> Findings:
    """The findings that `do` returns, or the problems that it yields; an exception becomes a problem."""
    try:
        findings = do()
        return findings if isinstance(findings, Findings) else Findings(tuple(findings))
    except Damage as error:
        return Findings((str(error),))
    except (Exception, SystemExit) as error:
        return Findings((f"the rules fail: {refusal(error) or summary_of(error)}",))
