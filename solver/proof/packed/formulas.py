"""Formulas: the operations by which a packed rule computes its answer from a state.

A rule uses operators alone, so one call with a `Symbol` for the state records all of them:

    state >> 7 & 1 == 0        value 0    the state         value 3    constant 1
                               value 1    constant 0        value 4    2 & 3  ...
                               value 2    0 >> 1            constants  7, 1, 0

Bools are the integers 0 and 1. Actions with the same steps share a formula, and differ in constants.

Most moves are illegal, and a few steps rule most of them out: `needed` derives a necessary condition, which
is nonzero wherever the answer is. For `a & b` it is `a`, `b` or both; for `a | b` it is that of `a` or that
of `b`. A term such as `a != b` excludes little: it is left out if there are other terms.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.errors import summary_of

OPERATORS = ("and", "or", "xor", "add", "sub", "mul", "lshift", "rshift")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
"""The operators of a `Symbol`, by their names in Python."""

MIN_STEPS, SHARES = 100, (5, 10, 20, 40, 80)
"""The fewest steps of an answer for which a condition pays; its conjunctions take 1 / 5 of them or less."""

MIN_INT64, MAX_INT64 = -(2**63), 2**63 - 1
"""The integers of 64 bits."""


class NoFormula(Exception):
    """Raised if a rule does more than apply operators."""


class Computed(NamedTuple):
    """A value that is computed from earlier values."""

    operator: str
    """The name of an operator in Python, or "constant"."""
    left: int
    """The number of the left operand, or of the constant."""
    right: int = 0


class Formula(NamedTuple):
    """A rule as a list of computed values. Value 0 is the state."""

    steps: tuple[Computed, ...]
    """The values from number 1 on."""
    answer: int
    """The number of the value that is the answer."""
    constants: tuple[int, ...]


class _Record:
    def __init__(self) -> None:
        self.steps: list[Computed] = []
        self.constants: list[int] = []

    def add(self, step: Computed) -> "Symbol":
        self.steps.append(step)
        return Symbol(self, len(self.steps))

    def value(self, given: Any) -> "Symbol":
        if isinstance(given, Symbol):
            return given
        if not isinstance(given, int | np.integer) or not MIN_INT64 <= int(given) <= MAX_INT64:
            raise NoFormula(f"a state is combined with {type(given).__name__}")
        self.constants.append(int(given))
        return self.add(Computed("constant", len(self.constants) - 1))


class Symbol:
    """A symbolic value: the result of a recorded step. An operator on it records a further step."""

    __array_ufunc__ = None  # NumPy's scalars defer to the operators of this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, record: _Record, number: int) -> None:
        self.record, self.number = record, number

    def __bool__(self) -> bool:
        """Raise `NoFormula`: all states would take one branch."""
        raise NoFormula("a rule branches on a state")

    def __neg__(self) -> "Symbol":
        """0 minus the value."""
        return self.combined("sub", 0, swapped=True)

    def __invert__(self) -> "Symbol":
        """The bitwise complement."""
        return self.combined("xor", -1)

    def combined(self, name: str, given: Any, *, swapped: bool = False) -> "Symbol":
        """The result of an operator on this value and another; `swapped`, the other comes first."""
        other = self.record.value(given)
        left, right = (other, self) if swapped else (self, other)
        return self.record.add(Computed(name, left.number, right.number))


def _operator(name: str, *, swapped: bool = False) -> Callable[[Symbol, Any], Symbol]:
    return lambda value, given: value.combined(name, given, swapped=swapped)


for _name in OPERATORS:
    setattr(Symbol, f"__{_name}__", _operator(_name))
    setattr(Symbol, f"__r{_name}__", _operator(_name, swapped=True))
for _name in COMPARISONS:
    setattr(Symbol, f"__{_name}__", _operator(_name))


def formula(rule: Callable[[Any], Any]) -> Formula:
    """The formula of a rule; raises `NoFormula`."""
    record = _Record()
    try:
        answer = record.value(rule(Symbol(record, 0)))
    except NoFormula:
        raise
    except (Exception, SystemExit) as error:
        raise NoFormula(summary_of(error)) from error
    return Formula(tuple(record.steps), answer.number, tuple(record.constants))


def steps_of(steps: Sequence[Computed], values: Iterable[int]) -> set[int]:
    """The values from which the given ones are computed, these included, without the state."""
    needed, left = set[int](), [*values]
    while left:
        if (number := left.pop()) and number not in needed:
            needed.add(number)
            step = steps[number - 1]
            left += [] if step.operator == "constant" else [step.left, step.right]
    return needed


def needed(made: Formula) -> Formula | None:
    """A necessary condition: a formula that is 0 only where another one is; None if none is much cheaper."""
    total = len(steps_of(made.steps, [made.answer]))
    for share in SHARES if total >= MIN_STEPS else ():
        more = _Needed(made, total // share)
        value = more.of(made.answer)
        if len(steps_of(more.steps, [value])) <= 2 * total // 5:
            return Formula(tuple(more.steps), value, (*made.constants, 0))
    return None


class _Needed:
    def __init__(self, made: Formula, most: int) -> None:
        self.steps, self._most = [*made.steps, Computed("constant", len(made.constants))], most
        self._zero = len(self.steps)

    def of(self, number: int) -> int:
        """The number of a value that is 0 only where the value with this number is."""
        step = self.steps[number - 1]
        if number and step.operator == "or":
            return self._added("or", self.of(step.left), self.of(step.right))
        terms = self._terms(number)
        telling = [term for term in terms if not term or self.steps[term - 1].operator != "ne"]
        terms = sorted(telling or terms, key=lambda term: len(steps_of(self.steps, [term])))
        if len(terms) == 1:
            return number
        chosen = [self.of(terms[0])]
        chosen += [term for term in terms[1:] if len(steps_of(self.steps, [*chosen, term])) <= self._most]
        first, *others = [self._added("ne", term, self._zero) for term in chosen]
        for other in others:
            first = self._added("and", first, other)
        return first

    def _terms(self, number: int) -> list[int]:
        step = self.steps[number - 1]
        if not number or step.operator not in ("and", "mul"):
            return [number]
        return self._terms(step.left) + self._terms(step.right)

    def _added(self, operator: str, left: int, right: int) -> int:
        self.steps.append(Computed(operator, left, right))
        return len(self.steps)
