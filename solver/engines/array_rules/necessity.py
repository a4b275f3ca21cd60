"""Necessary conditions of legal moves that take far fewer steps than the rules, and that most moves fail.

    legal     (left == 12) & is_free(...) & (is_check(...) == 0)      415 steps
    needed    (left == 12)                                              3 steps

The condition of a conjunction is that of its cheapest terms; that of a disjunction, the disjunction of the
conditions of its terms.
"""

from collections.abc import Sequence

from solver.engines.array_rules.tracing import Operation

MIN_STEPS = 40
"""The number of steps of rules from which a necessary condition pays."""

SHARE = 5
"""A conjunction may take 1 / SHARE of all steps, and the whole condition twice as many."""


def needed(steps: Sequence[Operation], answers: Sequence[int]) -> tuple[list[Operation], int] | None:
    """The steps, with new ones, and the index of a condition that every legal move meets.

    The first of the `answers` is whether a move is legal. Returns None if no condition is much cheaper.
    """
    total = len(_taken(steps, answers))
    for share in (SHARE, 2 * SHARE, 4 * SHARE) if total >= MIN_STEPS else ():
        extended = list(steps)
        last = _weakened(extended, answers[0], total // share)
        if len(_taken(extended, [last])) <= 2 * total // SHARE:
            return extended, last
    return None


def _weakened(steps: list[Operation], condition: int, most: int) -> int:
    """The index of a condition that follows from the given one; it may be a new step."""
    symbol, left, right, is_boolean = steps[condition]
    if is_boolean and symbol == "|":
        return _joined(steps, symbol, _weakened(steps, left, most), _weakened(steps, right, most))
    chosen = -1
    for term in sorted(_terms(steps, condition), key=lambda term: len(_taken(steps, [term]))):
        if chosen < 0:
            chosen = term if term == condition else _weakened(steps, term, most)
        elif len(_taken(steps, [chosen, term])) <= most:
            chosen = _joined(steps, "&", chosen, term)
    return chosen


def _terms(steps: Sequence[Operation], condition: int) -> list[int]:
    """The terms of a conjunction."""
    symbol, left, right, is_boolean = steps[condition]
    return _terms(steps, left) + _terms(steps, right) if is_boolean and symbol in "&*" else [condition]


def _joined(steps: list[Operation], symbol: str, one: int, other: int) -> int:
    steps.append(Operation(symbol, one, other, is_boolean=True))
    return len(steps) - 1


def _taken(steps: Sequence[Operation], wanted: Sequence[int]) -> set[int]:
    """All steps that the wanted ones depend on, these included, without the state and constants."""
    taken, left = set[int](), [*wanted]
    while left:
        step = left.pop()
        if step not in taken and steps[step].symbol not in ("state", "constant"):
            taken.add(step)
            left += steps[step][1:3]
    return taken
