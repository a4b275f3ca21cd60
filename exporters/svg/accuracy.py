"""A plot of the accuracy of players, as SVG: shares of best moves and of moves that keep the value.

The upper panels are of choices in positions in which some move loses value, the lower ones of all choices; by
ply, or in games in which lines of different length lead to one position by remoteness.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from exporters.palette import escape
from exporters.svg.text import FAMILY
from solver.analysis.grade import AllCounts, ChoiceCounts, Grade
from solver.database import Database
from solver.errors import NotLegible

Measure: TypeAlias = Callable[[ChoiceCounts], int]
Part: TypeAlias = Callable[[AllCounts], ChoiceCounts]

TITLE = "How good the players are"

MEASURES: Mapping[str, Measure] = {
    "Plays a best move": lambda counts: counts.best,
    "Keeps the value": lambda counts: counts.keeps_value,
}
PARTS: Mapping[str, Part] = {
    "where a move loses value": lambda counts: counts.decisive,
    "in all positions": lambda counts: counts,
}

LINE_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8B6B00", "#56B4E9", "#000000", "#A0522D")
"""Colours for the colour-blind: M. Okabe, K. Ito, "Color Universal Design", 2008; browns for yellow."""

LINE_DASHES = ("", "7 4", "2 3", "9 3 2 3")
MARKERS = ("circle", "square", "triangle", "diamond")
CORNERS = {"triangle": ((0, -5.5), (5, 4), (-5, 4)), "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0))}

WIDTH, HEIGHT, PANEL_GAP, LEFT, TOP = 380, 260, 70, 62, 44
"""The size of a panel, the gap between two, and the margins left of and above them."""

PANEL_ROW = TOP + HEIGHT + 58
"""The height of a row of panels with what is above and below it."""

LINE_OFFSET = 4
"""The horizontal offset between the lines of two players, so that neither hides the other."""

LEGEND_ROW = 22
"""The height of a row of the legend."""

PLOT_CSS = (
    f"text{{font-family:{FAMILY};font-size:13px;fill:#222}}"
    ".title{font-size:15px;font-weight:600}.tick{font-size:12px;fill:#555}"
)


@dataclass(frozen=True)
class PlotAxis:
    """What the horizontal axis of a plot says of positions."""

    title: str
    """The words below it."""
    counts: Callable[[Grade], Mapping[int, AllCounts]]
    """The counts of a grade by the numbers on it."""


BY_PLY = PlotAxis("ply (moves made before the choice)", lambda grade: grade.by_ply)
BY_REMOTENESS = PlotAxis("plies to the end under best play", lambda grade: grade.by_remoteness)


@dataclass(frozen=True)
class LineStyle:
    """The style of a player's line."""

    colour: str
    dash: str
    marker: str


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
    return partial(render, axis=axis)


def render(grades: Sequence[Grade], axis: PlotAxis = BY_PLY) -> str:
    """The text of the SVG; raises `NotLegible` if there are no choices or too many players."""
    _refuse_too_many(len(grades))
    if not any(grade.total.choices for grade in grades):
        raise NotLegible("nothing to draw: there are no choices")
    last = max((at for grade in grades for at in axis.counts(grade)), default=0)
    width = LEFT + 2 * WIDTH + PANEL_GAP + 30
    height = len(PARTS) * PANEL_ROW + LEGEND_ROW * len(grades) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{TITLE}</title>",
        f"<style>{PLOT_CSS}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *_panels(grades, axis, last),
        *_legend(grades),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _refuse_too_many(players: int) -> None:
    if players > len(LINE_COLOURS):
        raise NotLegible(f"a plot shows {len(LINE_COLOURS)} players at most, not {players}")


def line_style(number: int) -> LineStyle:
    """The line style of a player: no two have the same colour, nor the same dash and marker."""
    dash, marker = number % len(LINE_DASHES), (number + number // len(LINE_DASHES)) % len(MARKERS)
    return LineStyle(LINE_COLOURS[number], LINE_DASHES[dash], MARKERS[marker])


def _panels(grades: Sequence[Grade], axis: PlotAxis, last: int) -> Iterator[str]:
    """Yield a row of panels for each of `PARTS`, with one for each of `MEASURES`."""
    for down, (where, part) in enumerate(PARTS.items()):
        for along, (title, measure) in enumerate(MEASURES.items()):
            left, top = LEFT + along * (WIDTH + PANEL_GAP), TOP + down * PANEL_ROW
            yield f'<g transform="translate({left} {top})">'
            yield f'<text class="title" x="0" y="-16">{title} {where}</text>'
            yield from _panel(grades, axis, last, part, measure)
            yield "</g>"


def _panel(grades: Sequence[Grade], axis: PlotAxis, last: int, part: Part, measure: Measure) -> Iterator[str]:
    """Yield a panel with its axes and a line for each player."""
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        yield f'<line x1="0" y1="{y}" x2="{WIDTH}" y2="{y}" stroke="#DDD"/>'
        yield f'<text class="tick" x="-8" y="{y + 4:.1f}" text-anchor="end">{percent}%</text>'
    for at in range(0, last + 1, max(1, -(-last // 12))):
        yield f'<text class="tick" x="{_x(at, last)}" y="{HEIGHT + 20}" text-anchor="middle">{at}</text>'
    centred = 'text-anchor="middle"'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 42}" {centred}>{axis.title}</text>'
    yield f'<text transform="translate(-46 {HEIGHT / 2}) rotate(-90)" {centred}>share of choices</text>'
    yield f'<line x1="0" y1="{HEIGHT}" x2="{WIDTH}" y2="{HEIGHT}" stroke="#222"/>'
    for number, grade in enumerate(grades):
        aside = LINE_OFFSET * (number - (len(grades) - 1) / 2)
        yield f'<g transform="translate({aside} 0)">'
        counts = {at: counts for at, every in axis.counts(grade).items() if (counts := part(every)).choices}
        yield from _line(grade, counts, line_style(number), last, measure)
        yield "</g>"


def _line(
    grade: Grade, counts: Mapping[int, ChoiceCounts], style: LineStyle, last: int, measure: Measure
) -> Iterator[str]:
    """Yield a player's line with its points, and 95% intervals if they are estimates."""
    points = [(_x(at, last), _y(measure(each) / each.choices)) for at, each in counts.items()]
    for (x, _), each in zip(points, counts.values(), strict=True):
        if interval := grade.interval(measure(each), each):
            low, high = map(_y, interval)
            ends = f'x1="{x}" y1="{low}" x2="{x}" y2="{high}"'
            yield f'<line {ends} stroke="{style.colour}" opacity=".55"/>'
    path = " ".join(f"{x},{y}" for x, y in points)
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    yield f'<polyline points="{path}" fill="none" stroke="{style.colour}" stroke-width="2"{dash}/>'
    for x, y in points:
        yield _marker(style, x, y)


def _legend(grades: Sequence[Grade]) -> Iterator[str]:
    """Yield a row for each player: its line style, and its shares over all plies."""
    for number, grade in enumerate(grades):
        style, y = line_style(number), len(PARTS) * PANEL_ROW + 8 + LEGEND_ROW * number
        dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
        ends = f'x1="{LEFT}" y1="{y}" x2="{LEFT + 46}" y2="{y}"'
        yield f'<line {ends} stroke="{style.colour}" stroke-width="2"{dash}/>'
        yield _marker(style, LEFT + 23, y)
        words = "no choices"
        if grade.total.choices:
            best, keeps, best_of_all, keeps_of_all = (
                _percent(measure(part(grade.total)), part(grade.total).choices)
                for part in PARTS.values()
                for measure in MEASURES.values()
            )
            words = f"best {best}, keeps the value {keeps}; in all positions {best_of_all} and {keeps_of_all}"
            words += "" if grade.exact else "; bars: 95% intervals"
        yield f'<text x="{LEFT + 56}" y="{y + 4}">{escape(grade.player)}: {words}</text>'


def _percent(good: int, choices: int) -> str:
    return f"{good / choices:.1%}" if choices else "-"


def _marker(style: LineStyle, x: float, y: float) -> str:
    """A point of the line, outlined in white, so that touching points stay distinct."""
    paint = f'fill="{style.colour}" stroke="white"'
    if style.marker == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4.5" {paint}/>'
    if style.marker == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {paint}/>'
    path = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in CORNERS[style.marker])
    return f'<polygon points="{path}" {paint}/>'


def _x(at: int, last: int) -> float:
    return round(12 + (WIDTH - 24) * at / max(1, last), 1)


def _y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)
