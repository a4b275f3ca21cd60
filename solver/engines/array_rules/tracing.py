"""Tracing: the rules of a packed game as a list of steps, one for each operation on a state.

Rules use operators only, so one call with a `Term`, a symbolic value that records operations instead of
computing them, records all that they do. Constants are separate, so that one list of steps serves all actions
that differ in constants only:

    (state >> 3 | state >> 12) & 1 == 0      legal(state, 2) of tic-tac-toe

    0            state          5  1 | 3                            constants
    1  0 >> n0                  6  n2                  action 2     3  12  1  0
    2  n1                       7  5 & 6               action 3     4  13  1  0
    ...                         8  7 == 9              ...

A value that depends on parameters alone is a constant in the trace, and loops are unrolled. Rules that use a
state otherwise than by operators (`if state ...`) cannot be traced. Booleans, the results of comparisons, are
distinguished from integers, but mean 0 and 1 in arithmetic.

Actions whose steps differ in constants only share a template; each has a row of the constants that differ:

    (state ^ 1) + (row[0] << 9 * (state & 1))       result(state, 2): row [8]; result(state, 3): row [16]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solver.errors import summary_of

COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
CONNECTIVES = {"&", "|", "^", "*"}
"""The operators whose result for two booleans is a boolean, or 0 or 1."""


class Untraceable(Exception):
    """Raised if rules do more than apply operators."""


class Operation(NamedTuple):
    """A recorded step: the state, a constant, or an operator applied to the results of earlier steps."""

    symbol: str
    """An operator, "state", or "constant", whose `left` is the index of the constant."""
    left: int = 0
    """The index of the step whose result is the left operand."""
    right: int = 0
    is_boolean: bool = False


class Trace(NamedTuple):
    """The recorded steps of one or several rules."""

    steps: tuple[Operation, ...]
    answers: tuple[int, ...]
    """The index of the step whose result each rule returns."""
    constants: tuple[int, ...]


class Term:
    """A symbolic value: the result of a recorded step. Operators on it record further steps."""

    __array_ufunc__ = None  # NumPy's scalars defer to the operators of this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, recorder: Recorder, step: int) -> None:
        self.recorder, self.step = recorder, step

    def __bool__(self) -> bool:
        """Raise `Untraceable`: the rules would take one branch for all states."""
        raise Untraceable("the rules branch on a state")

    def __neg__(self) -> Term:
        return self.recorder.binary("-", 0, self)

    def __invert__(self) -> Term:
        return self.recorder.binary("^", -1, self)


def _recording(symbol: str, *, reflected: bool = False) -> Callable[[Term, Any], Term]:

    def method(self: Term, other: Any) -> Term:
        operands = (other, self) if reflected else (self, other)
        return self.recorder.binary(symbol, *operands)

    return method


for _name, _symbol in {
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "add": "+",
    "sub": "-",
    "mul": "*",
}.items():
    setattr(Term, f"__{_name}__", _recording(_symbol))
    setattr(Term, f"__r{_name}__", _recording(_symbol, reflected=True))
for _name, _symbol in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Term, f"__{_name}__", _recording(_symbol))


class Recorder:
    """Records steps in the order in which rules evaluate them."""

    def __init__(self) -> None:
        self.steps = [Operation("state")]
        self.constants: list[int] = []

    def binary(self, symbol: str, left: Any, right: Any) -> Term:
        """Record an operator; raises `Untraceable` for arithmetic with a NumPy boolean."""
        one, other = self.step_of(left), self.step_of(right)
        of_numpy = isinstance(left, np.bool_) or isinstance(right, np.bool_)
        if of_numpy and symbol not in COMPARISONS | CONNECTIVES:
            raise Untraceable(f"{symbol} of a truth of NumPy means another thing than of one of Python")
        of_truths = self.steps[one].is_boolean and self.steps[other].is_boolean
        is_boolean = symbol in COMPARISONS or (of_truths and symbol in CONNECTIVES)
        return self._add(Operation(symbol, one, other, is_boolean))

    def step_of(self, value: Any) -> int:
        """The index of the step whose result is the value; a constant is recorded as a step."""
        if isinstance(value, Term):
            return value.step
        if not isinstance(value, int | np.int64 | np.bool_):
            raise Untraceable(f"the rules combine a state with a {type(value).__name__}")
        constant = int(value)
        if not -(2**63) <= constant < 2**63:
            raise Untraceable("a number in the rules has more than 64 bits")
        self.constants.append(constant)
        is_boolean = isinstance(value, bool | np.bool_)
        return self._add(Operation("constant", len(self.constants) - 1, is_boolean=is_boolean)).step

    def _add(self, step: Operation) -> Term:
        self.steps.append(step)
        return Term(self, len(self.steps) - 1)


def traced(*rules: Callable[[Any], Any]) -> Trace:
    """Trace rules for the same state; raises `Untraceable`."""
    recorder = Recorder()
    state = Term(recorder, 0)
    try:
        answers = tuple(recorder.step_of(rule(state)) for rule in rules)
    except Untraceable:
        raise
    except (Exception, SystemExit) as error:
        raise Untraceable(summary_of(error)) from error
    return Trace(tuple(recorder.steps), answers, tuple(recorder.constants))


@dataclass(frozen=True)
class Template:
    """The expression that some actions have in common."""

    steps: tuple[Operation, ...]
    answers: tuple[int, ...]
    """The indices of the steps whose results are the answers of the rules."""
    constants: tuple[tuple[int, ...], ...]
    """The value of each constant for each of `actions`: a tuple per constant."""
    actions: tuple[int, ...]

    @cached_property
    def columns(self) -> list[tuple[int, ...]]:
        """The columns of the table: the values of each constant that depends on the action."""
        return list(dict.fromkeys(column for column in self.constants if len(set(column)) > 1))

    def rows(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each action with its row in the table."""
        for nth, action in enumerate(self.actions):
            yield action, [column[nth] for column in self.columns]


def templates(traces: Mapping[int, Trace]) -> list[Template]:
    """The templates of all actions, given the trace of each action's rules."""
    groups: dict[tuple[tuple[Operation, ...], tuple[int, ...]], list[int]] = {}
    for action, trace in traces.items():
        groups.setdefault((trace.steps, trace.answers), []).append(action)
    alike = []
    for (steps, answers), actions in groups.items():
        constants = zip(*(traces[action].constants for action in actions), strict=True)
        alike.append(Template(steps, answers, tuple(constants), tuple(actions)))
    return alike
