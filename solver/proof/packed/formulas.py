"""Formulas: the operations by which a packed rule computes its answer from a state.

A rule uses operators alone, so one call with a `Symbol` for the state records all of them:

    state >> 7 & 1 == 0        value 0    the state         value 3    constant 1
                               value 1    constant 0        value 4    2 & 3  ...
                               value 2    0 >> 1            constants  7, 1, 0

Bools are the integers 0 and 1. Actions with the same steps share a formula, and differ in constants.
"""

from collections.abc import Callable
from functools import partialmethod
from typing import Any, NamedTuple

import numpy as np

from solver.errors import summary_of

OPERATORS = ("and", "or", "xor", "add", "sub", "mul", "lshift", "rshift")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
"""The operators of a `Symbol`, by their names in Python."""

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


for _name in (*OPERATORS, *COMPARISONS):
    setattr(Symbol, f"__{_name}__", partialmethod(Symbol.combined, _name))
for _name in OPERATORS:
    setattr(Symbol, f"__r{_name}__", partialmethod(Symbol.combined, _name, swapped=True))


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
