"""A plot of the accuracy of players, as SVG: shares of best moves and of moves that keep the value.

The upper panels are of choices in positions in which some move loses value, the lower ones of all choices; by
ply, or in games in which lines of different length lead to one position by remoteness.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TypeAlias

from exporters.palette import escape
from exporters.svg.plot import LINE_COLOURS, PLOT_CSS, ROW, Axes, curve, legend
from exporters.svg.text import text_element
from solver.analysis.grade import AllCounts, ChoiceCounts, Grade
from solver.database import Database
from solver.database.wording import game_title
from solver.errors import NotLegible

Measure: TypeAlias = Callable[[ChoiceCounts], int]
Part: TypeAlias = Callable[[AllCounts], ChoiceCounts]

MEASURES: Mapping[str, Measure] = {
    "Plays a best move": lambda counts: counts.best,
    "Keeps the value": lambda counts: counts.keeps_value,
}
PARTS: Mapping[str, Part] = {
    "where a move loses value": lambda counts: counts.decisive,
    "in all positions": lambda counts: counts,
}

WIDTH, HEIGHT, PANEL_GAP, LEFT, TOP = 380, 260, 70, 62, 74
"""The size of a panel, the gap between two, and the margins left of and above them."""

PANEL_ROW = HEIGHT + 102
"""The height of a row of panels with what is above and below it."""

LINE_OFFSET = 4
"""The horizontal offset between the lines of two players, so that neither hides the other."""


@dataclass(frozen=True)
class PlotAxis:
    """What the horizontal axis of a plot says of positions."""

    title: str
    """The words below it."""
    counts: Callable[[Grade], Mapping[int, AllCounts]]
    """The counts of a grade by the numbers on it."""
    parities: bool = False
    """Whether odd and even numbers are apart, as positions are won at some and lost at others."""


BY_PLY = PlotAxis("ply (moves made before the choice)", lambda grade: grade.by_ply)
BY_REMOTENESS = PlotAxis("plies to the end under best play", lambda grade: grade.by_remoteness, parities=True)


def plot(db: Database, players: int) -> Callable[[Sequence[Grade]], str]:
    """The function that plots grades of `players` players in `db`.

    Raises `NotLegible`, before any player is graded, if no plot of them can be drawn.
    """
    _refuse_too_many(players)
    choices = [kind for kind in db.counts() if not kind.is_terminal]
    if all(kind.ply is not None for kind in choices):
        axis = BY_PLY
    else:
        axis, choices = BY_REMOTENESS, [kind for kind in choices if kind.remoteness is not None]
    if not choices:
        raise NotLegible(
            f"no position of {db.path} has a choice and an end to count plies to: leave --plot out"
        )
    return partial(render, axis=axis, game=game_title(db.game))


def render(grades: Sequence[Grade], axis: PlotAxis = BY_PLY, game: str = "") -> str:
    """The text of the SVG; raises `NotLegible` if there are no choices or too many players."""
    _refuse_too_many(len(grades))
    if not any(grade.total.choices for grade in grades):
        raise NotLegible("nothing to draw: there are no choices")
    last = max((at for grade in grades for at in axis.counts(grade)), default=0)
    width, below = LEFT + 2 * WIDTH + PANEL_GAP + 30, TOP + len(PARTS) * PANEL_ROW - 44
    height = below + ROW * len(grades) + 12
    title = f"{game}: how good the players are" if game else "How good the players are"
    names = (_words(grade) for grade in grades)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{PLOT_CSS}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text_element(title, LEFT, 28, 18, width - 2 * LEFT, look='style="font-size:18px"'),
        *_panels(grades, axis, last),
        *(legend(nth, LEFT, below + ROW * nth, name, inf) for nth, name in enumerate(names)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _refuse_too_many(players: int) -> None:
    if players > len(LINE_COLOURS):
        raise NotLegible(f"a plot shows {len(LINE_COLOURS)} players at most, not {players}")


def _panels(grades: Sequence[Grade], axis: PlotAxis, last: int) -> Iterator[str]:
    for down, (where, part) in enumerate(PARTS.items()):
        for along, (title, measure) in enumerate(MEASURES.items()):
            left, top = LEFT + along * (WIDTH + PANEL_GAP), TOP + down * PANEL_ROW
            yield f'<g transform="translate({left} {top})">'
            yield f'<text class="title" x="0" y="-16">{title} {where}</text>'
            yield from _panel(grades, axis, last, part, measure)
            yield "</g>"


def _panel(grades: Sequence[Grade], axis: PlotAxis, last: int, part: Part, measure: Measure) -> Iterator[str]:
    axes = Axes(0, 0, WIDTH, HEIGHT, 0, last, aside=12)
    yield from axes.drawn(axis.title)
    yield f'<text transform="translate(-46 {HEIGHT / 2}) rotate(-90)" class="mid">share of choices</text>'
    for nth, grade in enumerate(grades):
        counts = {at: counts for at, every in axis.counts(grade).items() if (counts := part(every)).choices}
        points = [(at, measure(each) / each.choices) for at, each in counts.items()]
        found = ((at, grade.interval(measure(each), each)) for at, each in counts.items())
        bars = [(at, *interval) for at, interval in found if interval]
        yield f'<g transform="translate({LINE_OFFSET * (nth - (len(grades) - 1) / 2)} 0)">'
        yield from curve(axes, nth, points, bars, apart=1 + axis.parities)
        yield "</g>"


def _words(grade: Grade) -> str:
    if not grade.total.choices:
        return f"{grade.player}: no choices"
    best, keeps, best_of_all, keeps_of_all = (
        _percent(measure(part(grade.total)), part(grade.total).choices)
        for part in PARTS.values()
        for measure in MEASURES.values()
    )
    words = f"{grade.player}: best {best}, keeps the value {keeps}; in all positions {best_of_all}"
    return f"{words} and {keeps_of_all}{'' if grade.exact else '; bars: 95% intervals'}"


def _percent(good: int, choices: int) -> str:
    return f"{good / choices:.1%}" if choices else "-"
