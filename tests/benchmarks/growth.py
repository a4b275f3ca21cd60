"""How time and file size grow with the number of states: a table and a log-log plot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from statistics import linear_regression

from exporters.palette import escape
from exporters.svg.plot import PLOT_CSS, Axes, Point, curve, legend
from exporters.svg.text import number
from tests.benchmarks.engines import RACE
from tests.benchmarks.measured import Bench, bytes_in_words, table, time_in_words

FAMILIES = {
    "connect, by layers": [
        f"connect rows={rows} columns={columns} --engine layers" for rows, columns in ((4, 4), (4, 5), (5, 5))
    ],
    "quixo, arrays in files": [
        f"quixo rows={rows} columns={columns} k={rows} --engine arrays --layout packed"
        for rows, columns in ((3, 4), (3, 5), (4, 4))
    ],
    "race.py, in memory": [
        f"{RACE} length={length} tank={length // 2} --engine arrays" for length in (25, 50, 100)
    ],
}
"""The solves of each engine, in ascending order of states."""

SMALL = {
    "connect": [f"connect rows=3 columns={columns} --engine layers" for columns in (3, 4)],
    "race": [f"{RACE} length={length} tank=2 --engine arrays" for length in (2, 4)],
}

WIDTH, HEIGHT, LEFT, TOP, GAP = 340, 260, 70, 40, 20
"""The size of a plot's area, and the space around it."""


@table("", columns=("solve ", "states", "time", "size of the file", "slope of the time", "slope of the size"))
def growth(bench: Bench) -> Iterator[Sequence[str]]:
    """Solves of increasingly large boards, a family of games for each engine; the plot is growth.svg."""
    times, sizes = dict[str, list[Point]](), dict[str, list[Point]]()
    for family, games in (SMALL if bench.small else FAMILIES).items():
        for game in games:
            took, facts = bench.solve(game), bench.facts(game)
            times.setdefault(family, []).append((facts["states"], took.seconds))
            sizes.setdefault(family, []).append((facts["states"], facts["bytes"]))
            slopes = [f"{slope(item[family]):.2f}" if game == games[-1] else "" for item in (times, sizes)]
            size = bytes_in_words(facts["bytes"])
            yield game.rpartition("/")[2], f"{facts['states']:,}", time_in_words(took.seconds), size, *slopes
    plots = {"Seconds of a solve": times, "Bytes of its file": sizes}
    (bench.folder / "growth.svg").write_text(drawn(plots), "utf-8")


def slope(points: Sequence[Point]) -> float:
    """The exponent of the power law that a curve follows: the slope of a line fitted in logarithms."""
    states, values = ([log10(point[axis]) for point in points] for axis in (0, 1))
    return linear_regression(states, values).slope


def drawn(plots: dict[str, dict[str, list[Point]]]) -> str:
    """The SVG of log-log plots side by side, each with the slopes of its curves."""
    wide = LEFT + WIDTH + GAP
    tall = TOP + HEIGHT + 50 + 22 * max(map(len, plots.values()))
    size = f'width="{wide * len(plots)}" height="{tall}" viewBox="0 0 {wide * len(plots)} {tall}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(', '.join(plots))}, by the number of states</title><style>{PLOT_CSS}</style>",
        f'<rect width="{wide * len(plots)}" height="{tall}" fill="white"/>',
    ]
    for at, (title, curves) in enumerate(plots.items()):
        lines += [f'<g transform="translate({at * wide} 0)">', *plotted(title, curves), "</g>"]
    return "\n".join([*lines, "</svg>\n"])


@dataclass(frozen=True)
class LogAxes(Axes):
    """Logarithmic axes: x from 10**first to 10**last, y over `most` powers of ten."""

    least: int = 0
    """The power of ten at the bottom of the plot."""

    def x(self, at: float) -> float:
        return super().x(log10(at))

    def y(self, value: float) -> str:
        return super().y(log10(value) - self.least)


def plotted(title: str, curves: dict[str, list[Point]]) -> Iterator[str]:
    """Yield the parts of a plot: lines at powers of ten with their numbers, curves, and the legend."""
    points = [point for curve in curves.values() for point in curve]
    ends = [[log10(point[axis]) for point in points] for axis in (0, 1)]
    (low, high), (least, most) = ((floor(min(end)), ceil(max(end))) for end in ends)
    axes = LogAxes(LEFT, TOP, WIDTH, HEIGHT, low, high, most - least, aside=0, least=least)
    yield f'<text class="title" x="{LEFT}" y="{TOP - 16}">{escape(title)}</text>'
    for power in range(least, most + 1):
        y = axes.y(10.0**power)
        yield f'<path class="rule" d="M{LEFT} {y}h{WIDTH}"/>'
        yield f'<text class="tick end" x="{LEFT - 7}" y="{number(float(y) + 4.5)}">{ten_to(power)}</text>'
    for power in range(low, high + 1):
        x = number(axes.x(10.0**power))
        yield f'<path class="rule" d="M{x} {TOP}v{HEIGHT}"/>'
        yield f'<text class="tick mid" x="{x}" y="{TOP + HEIGHT + 17}">{ten_to(power)}</text>'
    yield f'<text class="mid" x="{LEFT + WIDTH // 2}" y="{TOP + HEIGHT + 36}">states</text>'
    for nth, (name, states) in enumerate(curves.items()):
        yield from curve(axes, nth, states)
        words = f"{name}: slope {slope(states):.2f}"
        yield legend(nth, LEFT, TOP + HEIGHT + 44 + 22 * nth, words, WIDTH)


def ten_to(power: int) -> str:
    """A power of ten in words: 0.01, 1,000, 1 M, 1 G."""
    for unit, name in ((9, " G"), (6, " M"), (0, "")):
        if power >= unit:
            return f"{10 ** (power - unit):,}{name}"
    return f"{10.0**power:g}"
