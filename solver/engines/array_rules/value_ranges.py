"""Interval analysis: bounds of the result of each step, valid for every state.

    state & 1             0 ... 1
    9 * (state & 1)       0 ... 9     so a shift by this is always by fewer than 64 places

A sum or product that may overflow 64 bits has no bounds, as it wraps around.
Source: R. E. Moore, Interval Analysis, 1966.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias

from solver.engines.array_rules.tracing import COMPARISONS, Operation

Bounds: TypeAlias = tuple[int, int]
"""The least and the greatest value, both included."""

ANY: Bounds = (-(2**63), 2**63 - 1)


def bounds(steps: Sequence[Operation], constants: Sequence[Sequence[int]]) -> list[Bounds]:
    """The bounds of the result of each step; `constants` has all values that each constant can have."""
    found: list[Bounds] = []
    for step in steps:
        if step.symbol == "state":
            found.append(ANY)
        elif step.symbol == "constant":
            found.append((min(constants[step.left]), max(constants[step.left])))
        elif step.is_boolean or step.symbol in COMPARISONS:
            found.append((0, 1))
        else:
            found.append(_RULES[step.symbol](found[step.left], found[step.right]))
    return found


def _from_corners(operate: Callable[[int, int], int]) -> Callable[[Bounds, Bounds], Bounds]:
    """The rule for a monotonic operation, whose extremes are at the extremes of its operands."""

    def rule(left: Bounds, right: Bounds) -> Bounds:
        found = [operate(one, other) for one, other in product(left, right)]
        fits = ANY[0] <= min(found) and max(found) <= ANY[1]
        return (min(found), max(found)) if fits else ANY

    return rule


def _of_both(left: Bounds, right: Bounds) -> Bounds:
    """The bounds of `&`: at most the least upper bound of an operand that is not negative."""
    tops = [high for low, high in (left, right) if low >= 0]
    return (0, min(tops)) if tops else ANY


def _of_either(left: Bounds, right: Bounds) -> Bounds:
    """The bounds of `|` and `^`: no bit above the highest bit of either operand."""
    if min(left[0], right[0]) < 0:
        return ANY
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _shifted_up(left: Bounds, right: Bounds) -> Bounds:
    return _from_corners(int.__lshift__)(left, right) if right[0] >= 0 and right[1] < 64 else ANY


def _shifted_down(left: Bounds, right: Bounds) -> Bounds:
    """The bounds of `>>` by any number of places: the result is never farther from 0, or -1, than `left`."""
    return min(left[0], 0), max(left[1], 0)


_RULES: dict[str, Callable[[Bounds, Bounds], Bounds]] = {
    "&": _of_both,
    "|": _of_either,
    "^": _of_either,
    "+": _from_corners(int.__add__),
    "-": _from_corners(int.__sub__),
    "*": _from_corners(int.__mul__),
    "<<": _shifted_up,
    ">>": _shifted_down,
}
