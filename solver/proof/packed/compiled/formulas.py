"""Formulas: what a rule of a packed game computes of a state, an operator at a time.

A rule uses operators alone, so it needs to be called only once, with a `Symbol` for the state, to know them:

    state >> 7 & 1 == 0        value 0    the state         value 3    constant 1
                               value 1    constant 0        value 4    2 & 3  ...
                               value 2    0 >> 1            constants  7, 1, 0

Truths are the integers 0 and 1. Actions with the same steps share a formula, and differ in constants.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.errors import told

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
"""Comparisons by the names of Python, and of signed integers by those of LLVM."""

OPERATORS = {"and": "and", "or": "or", "xor": "xor", "add": "add", "sub": "sub", "mul": "mul"}
SHIFTS = {"lshift": "shl", "rshift": "ashr"}

LEAST, GREATEST = -(2**63), 2**63 - 1
"""The integers of 64 bits."""


class NoFormula(Exception):
    """Raised if a rule does more than apply operators."""


class Computed(NamedTuple):
    """A value that is computed of others, which have been before it."""

    operator: str
    """The name of an operator in Python; "constant"."""
    left: int
    """The number of a value, or of the constant."""
    right: int = 0


class Formula(NamedTuple):
    """A rule: the last of the values is its answer. Value 0 is the state."""

    steps: tuple[Computed, ...]
    """The values from number 1 on."""
    answer: int
    """The number of the value that is the answer."""
    constants: tuple[int, ...]


class _Record:
    """The steps so far."""

    def __init__(self) -> None:
        self.steps: list[Computed] = []
        self.constants: list[int] = []

    def add(self, step: Computed) -> "Symbol":
        """The value of one more step."""
        self.steps.append(step)
        return Symbol(self, len(self.steps))

    def value(self, given: Any) -> "Symbol":
        """What a rule combines with a value, as a value."""
        if isinstance(given, Symbol):
            return given
        if not isinstance(given, int | np.integer) or not LEAST <= int(given) <= GREATEST:
            raise NoFormula(f"a state is combined with {type(given).__name__}")
        self.constants.append(int(given))
        return self.add(Computed("constant", len(self.constants) - 1))


class Symbol:
    """A value of which only is known how it is computed. An operator on it is a further step."""

    __array_ufunc__ = None  # integers of NumPy leave operators to this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, record: _Record, number: int) -> None:
        """The value of this number."""
        self.record, self.number = record, number

    def __bool__(self) -> bool:
        """Raise `NoFormula`: all states would take one branch."""
        raise NoFormula("a rule branches on a state")

    def __neg__(self) -> "Symbol":
        """0 minus the value."""
        return self.combined("sub", 0, swapped=True)

    def __invert__(self) -> "Symbol":
        """All bits turned."""
        return self.combined("xor", -1)

    def combined(self, name: str, given: Any, *, swapped: bool = False) -> "Symbol":
        """The value of an operator, of this value and another, or of the other and this."""
        other = self.record.value(given)
        left, right = (other, self) if swapped else (self, other)
        return self.record.add(Computed(name, left.number, right.number))


def _operator(name: str, *, swapped: bool = False) -> Callable[[Symbol, Any], Symbol]:
    return lambda value, given: value.combined(name, given, swapped=swapped)


for _name in (*OPERATORS, *SHIFTS):
    setattr(Symbol, f"__{_name}__", _operator(_name))
    setattr(Symbol, f"__r{_name}__", _operator(_name, swapped=True))
for _name in COMPARED:
    setattr(Symbol, f"__{_name}__", _operator(_name))


def formula(rule: Callable[[Any], Any]) -> Formula:
    """The formula of a rule; raises `NoFormula`."""
    record = _Record()
    try:
        answer = record.value(rule(Symbol(record, 0)))
    except NoFormula:
        raise
    except (Exception, SystemExit) as error:
        raise NoFormula(told(error)) from error
    return Formula(tuple(record.steps), answer.number, tuple(record.constants))
