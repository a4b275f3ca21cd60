"""The rules of a packed game as steps: what they do to a state, operation by operation.

Rules are written with operators only, so to run them once on a `Term`, which notes each operation instead of
doing it, is to learn everything that they do. Numbers stand apart, so that one list of steps serves all
actions whose steps are alike:

    (state >> 3 | state >> 12) & 1 == 0      legal(state, 2) of tic-tac-toe

    0            state          5  1 | 3                            numbers
    1  0 >> n0                  6  n2                  action 2     3  12  1  0
    2  n1                       7  5 & 6               action 3     4  13  1  0
    ...                         8  7 == 9              ...

What depends on the parameters alone is a number by then and loops are unrolled. Rules that look at a state
in another way (`if state ...`) cannot be traced. A truth, the answer of a comparison, is told from a number:
where NumPy and Python differ on what an operator makes of truths, rules cannot be traced either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.errors import told

COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
CONNECTIVES = {"&", "|", "^", "*"}
"""What makes a truth of two truths, in NumPy and in Python alike."""


class Untraceable(Exception):
    """The rules do more than operators can."""


class Step(NamedTuple):
    """One operation; the state itself and every number are steps, too."""

    symbol: str
    """An operator; or "state", or "number" with its place among the numbers as `left`."""
    left: int = 0
    """The number of the step whose result is the left operand."""
    right: int = 0
    is_truth: bool = False


class Trace(NamedTuple):
    """What a rule does to a state."""

    steps: tuple[Step, ...]
    answers: tuple[int, ...]
    """The steps whose results the rule answers."""
    numbers: tuple[int, ...]


class Term:
    """What some steps make of a state."""

    __array_ufunc__ = None  # NumPy's numbers leave their operators to those of this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, recorder: Recorder, step: int) -> None:
        """Stand for the result of a step."""
        self.recorder, self.step = recorder, step

    def __bool__(self) -> bool:
        """Refuse: the rules would go one way for all states."""
        raise Untraceable("the rules branch on a state")

    def __neg__(self) -> Term:
        """Note a sign."""
        return self.recorder.negative(self)

    def __invert__(self) -> Term:
        """Note that every bit is turned."""
        return self.recorder.inverse(self)


def _noting(symbol: str, *, reflected: bool = False) -> Callable[[Term, Any], Term]:
    """The method of an operator."""

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
    setattr(Term, f"__{_name}__", _noting(_symbol))
    setattr(Term, f"__r{_name}__", _noting(_symbol, reflected=True))
for _name, _symbol in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Term, f"__{_name}__", _noting(_symbol))


class Recorder:
    """Takes down steps in the order in which a rule asks for them."""

    def __init__(self) -> None:
        """Begin with the state."""
        self.steps = [Step("state")]
        self.numbers: list[int] = []

    def binary(self, symbol: str, left: Any, right: Any) -> Term:
        """The result of an operator."""
        one, other = self.step_of(left), self.step_of(right)
        of_truths = self.steps[one].is_truth and self.steps[other].is_truth
        if of_truths and symbol not in COMPARISONS | CONNECTIVES:
            raise Untraceable(f"{symbol} of two truths means another thing in NumPy than in Python")
        is_truth = symbol in COMPARISONS or (of_truths and symbol in CONNECTIVES)
        return self._add(Step(symbol, one, other, is_truth))

    def negative(self, term: Term) -> Term:
        """0 - term."""
        return self.binary("-", 0, self._no_truth("-", term))

    def inverse(self, term: Term) -> Term:
        """The term with every bit turned."""
        return self.binary("^", -1, self._no_truth("~", term))

    def step_of(self, value: Any) -> int:
        """The step that has this result; a number becomes one."""
        if isinstance(value, Term):
            return value.step
        if not isinstance(value, int | np.int64 | np.bool_):
            raise Untraceable(f"the rules combine a state with a {type(value).__name__}")
        number = int(value)
        if not -(2**63) <= number < 2**63:
            raise Untraceable("a number in the rules has more than 64 bits")
        self.numbers.append(number)
        is_truth = isinstance(value, bool | np.bool_)
        return self._add(Step("number", len(self.numbers) - 1, is_truth=is_truth)).step

    def _no_truth(self, symbol: str, term: Term) -> Term:
        if self.steps[term.step].is_truth:
            raise Untraceable(f"{symbol} of a truth means another thing in NumPy than in Python")
        return term

    def _add(self, step: Step) -> Term:
        self.steps.append(step)
        return Term(self, len(self.steps) - 1)


def traced(*rules: Callable[[Any], Any]) -> Trace:
    """What rules do to one and the same state; raises `Untraceable`."""
    recorder = Recorder()
    state = Term(recorder, 0)
    try:
        answers = tuple(recorder.step_of(rule(state)) for rule in rules)
    except Untraceable:
        raise
    except (Exception, SystemExit) as error:
        raise Untraceable(told(error)) from error
    return Trace(tuple(recorder.steps), answers, tuple(recorder.numbers))
