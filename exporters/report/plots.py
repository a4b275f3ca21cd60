"""The plots of a report as SVG, in the colours of the page."""

from collections.abc import Iterator, Sequence
from math import floor, log10

from exporters.palette import escape
from exporters.svg.text import number, shorten
from solver.analysis.report.contents import ColumnPlot, Line, LinePlot, Plot, StackPlot

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 440, 200, 46, 12, 10
"""The size of the field, and the margins around it."""

SIZE = 13
"""The font size."""

ROW = 22
"""The height of a row of the legend."""

DASHES = ("", "7 4", "2 4")
SHAPES = ("circle", "square", "triangle")

MAX_MARKED = 40
"""Points of a line that are marked; more would hide each other."""

PARTS = {1: 5, 1.5: 3, 2: 4, 3: 3, 4: 4, 5: 5, 6: 3, 8: 4, 10: 5}
"""Round numbers up to which axes go, times a power of ten, and the parts into which they are divided."""

FIELD = WIDTH - LEFT - RIGHT


def drawn(plot: Plot) -> str:
    """The SVG of a plot."""
    if isinstance(plot, StackPlot):
        names, body = plot.names, list(_stacks(plot))
    elif isinstance(plot, ColumnPlot):
        names, body = [], list(_columns(plot))
    else:
        names, body = [line.name for line in plot.lines], list(_lines(plot))
    down = TOP + HEIGHT + 44
    height = down + ROW * len(names)
    keys = "swatch" if isinstance(plot, StackPlot) else "line"
    legend = (_legend(keys, at, name, down + ROW * at) for at, name in enumerate(names))
    across = (
        f'<text x="{LEFT + FIELD / 2:g}" y="{TOP + HEIGHT + 36}" class="mid">{escape(plot.across)}</text>'
    )
    return "".join(
        [
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(plot.title)}">',
            *body,
            across,
            *legend,
            "</svg>",
        ]
    )


def _stacks(plot: StackPlot) -> Iterator[str]:
    yield from _axis(1, 5, percent=True)
    places = [at for at, _ in plot.stacks]
    wide = _room(places)
    for at, shares in plot.stacks:
        below = 0.0
        for nth, share in enumerate(shares):
            if share:
                yield _bar(_x(at, places, wide / 2), wide, below, below + share, f"s{nth}")
            below += share
    yield from _plies(places, wide / 2)


def _columns(plot: ColumnPlot) -> Iterator[str]:
    (most, parts), places = _scale(max(share for _, share in plot.columns)), [at for at, _ in plot.columns]
    yield from _axis(most, parts, percent=True)
    wide = _room(places)
    for at, share in plot.columns:
        yield _bar(_x(at, places, wide / 2), wide, 0, share / most, "s0")
    yield from _plies(places, wide / 2)


def _lines(plot: LinePlot) -> Iterator[str]:
    values = [y for line in plot.lines for _, y in line.points] + [
        y for line in plot.lines for *_, y in line.bars
    ]
    (most, parts), places = _scale(max(values)), sorted({at for line in plot.lines for at, _ in line.points})
    yield from _axis(most, parts, percent=plot.percent)
    for nth, line in enumerate(plot.lines):
        yield from _line(nth, line, places, most)
    yield from _plies(places, 8)


def _line(nth: int, line: Line, places: Sequence[int], most: float) -> Iterator[str]:
    look = f'class="l{nth}"'
    for at, low, high in line.bars:
        x = number(_x(at, places, 8))
        yield f'<path {look} opacity=".5" d="M{x} {_y(low / most)}V{_y(high / most)}"/>'
    path = " ".join(f"{number(_x(at, places, 8))},{_y(value / most)}" for at, value in line.points)
    dash = f' stroke-dasharray="{DASHES[nth]}"' if DASHES[nth] else ""
    yield f'<polyline {look}{dash} points="{path}"/>'
    if len(line.points) <= MAX_MARKED:
        for at, value in line.points:
            yield _mark(nth, _x(at, places, 8), float(_y(value / most)))


def _mark(nth: int, x: float, y: float) -> str:
    look = f'class="m{nth}"'
    if SHAPES[nth] == "circle":
        return f'<circle {look} cx="{number(x)}" cy="{number(y)}" r="3.5"/>'
    if SHAPES[nth] == "square":
        return f'<rect {look} x="{number(x - 3)}" y="{number(y - 3)}" width="6" height="6"/>'
    return f'<path {look} d="M{number(x)} {number(y - 4.5)}l4.2 7.5h-8.4z"/>'


def _legend(kind: str, nth: int, name: str, y: float) -> str:
    if kind == "swatch":
        key = f'<rect class="s{nth}" x="{LEFT}" y="{number(y + 3)}" width="14" height="14"/>'
    else:
        dash = f' stroke-dasharray="{DASHES[nth]}"' if DASHES[nth] else ""
        key = f'<path class="l{nth}"{dash} d="M{LEFT} {number(y + 10)}h34"/>{_mark(nth, LEFT + 17, y + 10)}'
    after = LEFT + (22 if kind == "swatch" else 42)
    return (
        f'{key}<text x="{after}" y="{number(y + 14.5)}">{escape(shorten(name, SIZE, WIDTH - after))}</text>'
    )


def _axis(most: float, parts: int, *, percent: bool) -> Iterator[str]:
    """Yield lines at equal parts of the height, with what they stand for."""
    for part in range(parts + 1):
        y, value = _y(part / parts), most * part / parts
        text = f"{100 * value:.4g}%" if percent else f"{value:.4g}"
        yield f'<path class="rule" d="M{LEFT} {y}h{FIELD}"/>'
        yield f'<text class="end" x="{LEFT - 7}" y="{number(float(y) + 4.5)}">{text}</text>'


def _plies(places: Sequence[int], aside: float) -> Iterator[str]:
    """Yield the axis of plies, of which as many are written as there is room for."""
    yield f'<path class="base" d="M{LEFT} {_y(0)}h{FIELD}"/>'
    if not places:
        return
    span = places[-1] - places[0] + 1
    step = next(step for step in _steps() if span / step <= 12)
    for at in range(-(-places[0] // step) * step, places[-1] + 1, step):
        yield f'<text class="mid" x="{number(_x(at, places, aside))}" y="{TOP + HEIGHT + 17}">{at}</text>'


def _steps() -> Iterator[int]:
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def _room(places: Sequence[int]) -> float:
    """The width of a column."""
    return min(40.0, FIELD / (places[-1] - places[0] + 1))


def _x(at: int, places: Sequence[int], aside: float) -> float:
    """Where a ply is: the first of all `aside` from the left of the field, the last as far from its right."""
    first, last = places[0], places[-1]
    share = (at - first) / (last - first) if last > first else 0.5
    return LEFT + aside + (FIELD - 2 * aside) * share


def _y(share: float) -> str:
    return number(TOP + HEIGHT * (1 - share))


def _bar(x: float, wide: float, low: float, high: float, look: str) -> str:
    gap = wide * 0.1 if wide > 4 else 0
    tall = number(HEIGHT * (high - low))
    return (
        f'<rect class="{look}" x="{number(x - wide / 2 + gap)}" y="{_y(high)}" '
        f'width="{number(wide - 2 * gap)}" height="{tall}"/>'
    )


def _scale(most: float) -> tuple[float, int]:
    """A round number that is not below the greatest value, and how many parts it is divided into."""
    if most <= 0:
        return 1.0, 5
    ten: float = 10.0 ** floor(log10(most))
    step = next(step for step in PARTS if step * ten >= most * 0.999999)
    return round(step * ten, 12), PARTS[step]
