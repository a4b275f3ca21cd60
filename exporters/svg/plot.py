"""The parts of plots: axes, curves, columns and legends.

Colours are given by classes, `l0`, `m0` and `s0` for the first line, mark and area, which `PLOT_CSS` or the
style of a page defines.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import floor, log10

from exporters.palette import escape
from exporters.svg.text import FAMILY, number, shorten

LINE_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8B6B00", "#56B4E9", "#000000", "#A0522D")
"""Colours for the colour-blind: M. Okabe, K. Ito, "Color Universal Design", 2008; browns for yellow."""

DASHES = ("", "7 4", "2 3", "9 3 2 3")
SHAPES = ("circle", "square", "triangle", "diamond")
CORNERS = {"square": "-3.5,-3.5h7v7h-7z", "triangle": "0,-5l4.5,8h-9z", "diamond": "0,-5l5,5l-5,5l-5,-5z"}

SIZE, ROW = 13, 22
"""The font size, and the height of a row of the legend."""

MAX_MARKED = 40
"""The most points of a line that are marked; more marks would overlap."""

SCALES = {1: 5, 1.5: 3, 2: 4, 3: 3, 4: 4, 5: 5, 6: 3, 8: 4, 10: 5}
"""The greatest values of axes, up to a power of ten, and the numbers of parts into which they are divided."""


def line_css(colours: Iterable[str], rim: str = "") -> str:
    """The CSS of lines and their marks in these colours; `rim` is added to the style of marks."""
    return "".join(
        f".l{nth}{{fill:none;stroke:{colour};stroke-width:2}}.m{nth}{{fill:{colour}{rim}}}"
        for nth, colour in enumerate(colours)
    )


PLOT_CSS = (
    f"text{{font-family:{FAMILY};font-size:13px;fill:#222}}.title{{font-size:15px;font-weight:600}}"
    ".tick{font-size:12px;fill:#555}.mid{text-anchor:middle}.end{text-anchor:end}"
    ".rule{stroke:#ddd}.base{stroke:#222}" + line_css(LINE_COLOURS, rim=";stroke:#fff")
)
"""The style of a plot on a white background."""

Point = tuple[int, float]


@dataclass(frozen=True)
class Axes:
    """The field of a plot, and the ranges and labels of its axes."""

    left: float
    top: float
    width: float
    height: float
    first: int
    last: int
    most: float = 1.0
    """The value at the top."""
    parts: int = 5
    percent: bool = True
    aside: float = 8
    """The distance of the first and the last place from the sides."""
    names: Sequence[str] = ()
    """The names of the places, in order; if empty, their numbers."""

    def x(self, at: float) -> float:
        """The horizontal coordinate of a place."""
        share = (at - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return self.left + self.aside + (self.width - 2 * self.aside) * share

    def y(self, value: float) -> str:
        """The vertical coordinate of a value, as text."""
        return number(self.top + self.height * (1 - value / self.most))

    def drawn(self, across: str) -> Iterator[str]:
        """The horizontal rules with their values, and as many labels of places as there is room for."""
        for part in range(self.parts + 1):
            value = self.most * part / self.parts
            y, shown = self.y(value), f"{100 * value:.4g}%" if self.percent else self._count(value)
            yield f'<path class="rule" d="M{number(self.left)} {y}h{number(self.width)}"/>'
            x, down = number(self.left - 7), number(float(y) + 4.5)
            yield f'<text class="tick end" x="{x}" y="{down}">{shown}</text>'
        yield f'<path class="base" d="M{number(self.left)} {self.y(0)}h{number(self.width)}"/>'
        steps = (base * 10**power for power in count() for base in (1, 2, 5))
        step = next(size for size in steps if (self.last - self.first + 1) / size <= 12)
        below = self.top + self.height
        for at in range(-(-self.first // step) * step, self.last + 1, step):
            name = shorten(self.names[at], 12, self.width / min(12, len(self.names))) if self.names else at
            x, y = number(self.x(at)), number(below + 17)
            yield f'<text class="tick mid" x="{x}" y="{y}">{escape(str(name))}</text>'
        middle = number(self.left + self.width / 2)
        yield f'<text class="mid" x="{middle}" y="{number(below + 36)}">{escape(across)}</text>'

    def _count(self, value: float) -> str:
        """A count: from 10,000 at the top on, in thousands (k), millions (M) or billions (G)."""
        power = 0 if self.most < 10_000 else min(3, floor(log10(self.most)) // 3)
        return f"{value / 1000**power:,.4g}{('', 'k', 'M', 'G')[power] if value else ''}"


def scale(most: float) -> tuple[float, int]:
    """A round number not below the greatest value, and the number of parts into which it is divided."""
    if most <= 0:
        return 1.0, 5
    ten: float = 10.0 ** floor(log10(most))
    step = next(step for step in SCALES if step * ten >= most * 0.999999)
    return round(step * ten, 12), SCALES[step]


def curve(
    axes: Axes,
    nth: int,
    points: Sequence[Point],
    bars: Sequence[tuple[int, float, float]] = (),
    *,
    apart: int = 1,
) -> Iterator[str]:
    """A curve with its points and intervals, with a separate line for each remainder of places by `apart`."""
    for at, low, high in bars:
        x = number(axes.x(at))
        yield f'<path class="l{nth} bar" opacity=".5" d="M{x} {axes.y(low)}V{axes.y(high)}"/>'
    places = [(axes.x(at), float(axes.y(value)), at) for at, value in points]
    for remainder in range(apart):
        path = " ".join(f"{number(x)},{number(y)}" for x, y, at in places if at % apart == remainder)
        if path or apart == 1:
            yield f'<polyline class="l{nth}"{_dashes(nth)} points="{path}"/>'
    if len(points) <= MAX_MARKED or apart > 2:
        yield from (marker(nth, x, y) for x, y, _ in places)


def marker(nth: int, x: float, y: float) -> str:
    """The mark of a point: no two of eight lines share their colour, or both dash and mark."""
    shape = SHAPES[(nth + nth // len(DASHES)) % len(SHAPES)]
    if shape == "circle":
        return f'<circle class="m{nth}" cx="{number(x)}" cy="{number(y)}" r="4"/>'
    return f'<path class="m{nth}" transform="translate({number(x)} {number(y)})" d="M{CORNERS[shape]}"/>'


def column(axes: Axes, at: int, wide: float, ends: tuple[float, float], look: str) -> str:
    """A column between two values."""
    gap, (low, high) = wide * 0.1 if wide > 4 else 0, ends
    x, tall = axes.x(at) - wide / 2 + gap, axes.height * (high - low) / axes.most
    size = f'width="{number(wide - 2 * gap)}" height="{number(tall)}"'
    return f'<rect class="{look}" x="{number(x)}" y="{axes.y(high)}" {size}/>'


def legend(nth: int, x: float, y: float, words: str, room: float, *, area: bool = False) -> str:
    """A row of the legend, with its top left corner at `x`, `y`: a line or an area, and its meaning."""
    drawn = f'<rect class="s{nth}" x="{number(x)}" y="{number(y + 3)}" width="14" height="14"/>'
    if not area:
        line = f'<path class="l{nth}"{_dashes(nth)} d="M{number(x)} {number(y + 10)}h34"/>'
        drawn = line + marker(nth, x + 17, y + 10)
    after = 22 if area else 42
    shown = escape(shorten(words, SIZE, room - after))
    return f'{drawn}<text x="{number(x + after)}" y="{number(y + 14.5)}">{shown}</text>'


def _dashes(nth: int) -> str:
    dash = DASHES[nth % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""
