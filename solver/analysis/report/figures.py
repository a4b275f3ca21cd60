"""Figures of a report: shares and means, either exact or with a 95% interval.

In words a share is 58.5% (58.2 to 58.8), a mean 4.30.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from solver.analysis.report.contents import NONE, Line
from solver.analysis.statistics import CONFIDENCE, decimals, wilson

DECIMALS = 6
"""The decimals of a figure in JSON, unless its interval is narrower; words are rounded from these, too.

So figures do not depend on the order in which floats are summed.
"""


class Figure(NamedTuple):
    """A share or a mean."""

    value: float
    interval: tuple[float, float] | None = None
    """The 95% interval of the true figure; None if the value is exact."""

    @property
    def exact(self) -> bool:
        """Whether the value is exact."""
        return self.interval is None

    def times(self, factor: float) -> "Figure":
        """The figure, and its interval, multiplied by a number above 0."""
        low, high = self.interval or (0, 0)
        return Figure(self.value * factor, None if self.exact else (low * factor, high * factor))

    def as_dict(self) -> dict[str, Any]:
        """The figure for JSON."""
        if self.interval is None:
            return {"value": round(self.value, DECIMALS), "interval": None}
        places = decimals(*self.interval, DECIMALS)
        bounds = [round(bound, places) for bound in self.interval]
        return {"value": round(self.value, places), "interval": bounds}


def share(successes: float, trials: int, squares: float | None = None, *, exact: bool) -> Figure | None:
    """The share of successes, with Wilson's interval unless `exact`; None without trials.

    With `squares`, the mean of numbers in [0, 1], given their sum (`successes`) and the sum of their squares.
    """
    if not trials:
        return None
    return Figure(successes / trials, None if exact else wilson(successes, trials, squares=squares))


def mean(total: float, squares: float, number: int, *, exact: bool) -> Figure | None:
    """The mean of integers, given their sum, the sum of their squares and their number; None if it is 0.

    Unless `exact`, it has the normal interval of the population mean. As few or equal numbers say little
    about the variance, as many numbers as Wilson's interval adds are assumed to deviate by one.
    """
    if not number:
        return None
    value, z = total / number, NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    variance = (max(0.0, squares - total * value) + z * z) / max(1, number - 1)
    reach = z * sqrt(variance / number)
    return Figure(value, None if exact else (value - reach, value + reach))


def as_dicts(figures: Mapping[str, Figure | None]) -> dict[str, dict[str, Any] | None]:
    """The figures for JSON, by the same names."""
    return {name: None if figure is None else figure.as_dict() for name, figure in figures.items()}


def line_of(name: str, points: Sequence[tuple[int, Figure]]) -> Line:
    """The line through figures, with the parts above 0 of their intervals as bars."""
    intervals = [(at, figure.interval) for at, figure in points if figure.interval]
    bars = [(at, max(0.0, low), high) for at, (low, high) in intervals]
    return Line(name, [(at, figure.value) for at, figure in points], bars)


def percent(figure: Figure | None) -> str:
    """A share as text, with its interval if it is an estimate; two decimals if it is below a tenth."""
    if figure is None:
        return NONE
    if figure.interval is None:
        value = round(figure.value, DECIMALS)
        return f"{value:.2%}" if 0 < value < 0.1 else f"{value:.1%}"
    low, high = (100 * bound for bound in figure.interval)
    places = decimals(low, high, 2 if high < 10 else 1)
    return f"{figure.value:.{places}%} ({low:.{places}f} to {high:.{places}f})"


def about(figure: Figure | None, *, is_share: bool) -> str:
    """A figure as short text; an estimate has only its significant decimals: "about 58%"."""
    if figure is None or figure.interval is None:
        return percent(figure) if is_share else amount(figure)
    scale, (low, high) = 100 if is_share else 1, figure.interval
    places = decimals(scale * low, scale * high, 0)
    return f"about {scale * figure.value:,.{places}f}{'%' * is_share}"


def amount(figure: Figure | None) -> str:
    """A mean as text, with its interval if it is an estimate."""
    if figure is None:
        return NONE
    if figure.interval is None:
        return f"{round(figure.value, DECIMALS):,.2f}"
    low, high = figure.interval
    places = decimals(low, high, 2)
    return f"{figure.value:,.{places}f} ({low:,.{places}f} to {high:,.{places}f})"
