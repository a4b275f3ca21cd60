"""What solving costs as games grow: `python -m tests.benchmarks.growth [ROWSxCOLUMNS ...]`.

Solves connect-4 on boards of these sizes, each in a process of its own. Prints a Markdown table, and writes a
plot of time, memory and file size against states to docs/growth.svg, where both axes are logarithmic: what
costs the same for each state is a straight line with the slope 1.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from exporters.svg.accuracy import LINE_COLOURS, PLOT_CSS
from tests.benchmarks.measured import PROGRAM, bytes_in_words, setting, table, taken

SIZES = ["5x4", "4x5", "6x4", "5x5", "6x5"]
"""1.7 million to 1,044 million states."""

PLOT = Path(__file__).parents[2] / "docs" / "growth.svg"

FITTED = 3
"""The slope is that of the largest boards: on small ones it shows what a start costs, whatever the size."""

WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 230, 66, 40, 74
"""The size of a panel, the room left of it and above it, and between two."""

COLUMNS = (
    "rows x columns ",
    "states",
    "seconds",
    "CPU seconds",
    "states/s",
    "peak memory",
    "file",
    "bytes a state",
)


class Cost(NamedTuple):
    """What a board costs."""

    size: str
    states: int
    seconds: float
    cpu: float
    peak: int
    file: int


Words: TypeAlias = Callable[[float], str]

PANELS: tuple[tuple[str, Callable[[Cost], float], Words], ...] = (
    ("Time (s)", lambda cost: cost.seconds, lambda value: f"{value:,g}"),
    ("Peak memory", lambda cost: cost.peak, bytes_in_words),
    ("File", lambda cost: cost.file, bytes_in_words),
)
"""What is drawn, and how its axis is written."""


def cost(program: str, size: str, folder: Path, memory: str | None) -> Cost:
    """Solve one board."""
    rows, columns = map(int, size.split("x"))
    path = folder / f"{size}.db"
    game = ["connect", f"rows={rows}", f"columns={columns}", "k=4"]
    command = [program, "solve", *game, "--engine", "layers", "-o", str(path), "--force"]
    found = taken(command + (["--memory", memory] if memory else []))
    states = json.loads(taken([program, "stats", str(path), "--json"]).output)["states"]
    file = path.stat().st_size
    path.unlink()
    return Cost(size, states, found.seconds, found.cpu, found.peak, file)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The exponent of growth: the slope of the line of least squares through the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(each) / len(logs) for each in zip(*logs, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread if spread else math.nan


def ten_to(power: int) -> str:
    """A power of ten."""
    return f"10{str(power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def plot(costs: Sequence[Cost]) -> str:
    """The text of the SVG."""
    width, height = LEFT + len(PANELS) * (WIDTH + GAP), TOP + HEIGHT + 54
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="What solving costs as games grow">',
        f"<style>{PLOT_CSS}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, (title, measure, words) in enumerate(PANELS):
        points = [(float(each.states), float(measure(each))) for each in costs]
        lines += [f'<g transform="translate({LEFT + number * (WIDTH + GAP)} {TOP})">']
        lines += panel(f"{title}: slope {slope(points[-FITTED:]):.2f}", points, words, LINE_COLOURS[number])
        lines += ["</g>"]
    return "\n".join([*lines, "</svg>"]) + "\n"


def panel(title: str, points: Sequence[tuple[float, float]], words: Words, colour: str) -> Iterator[str]:
    """A panel: powers of ten on both axes, the points, and the line of slope 1 through the last of them."""
    xs, ys = ([math.log10(value) for value in each] for each in zip(*points, strict=True))
    low_x, high_x = math.floor(min(xs)), math.ceil(max(xs))
    low_y, high_y = math.floor(min(ys)), math.ceil(max(ys))

    def place(x: float, y: float) -> tuple[float, float]:
        across = WIDTH * (x - low_x) / max(1, high_x - low_x)
        return round(across, 1), round(HEIGHT * (1 - (y - low_y) / max(1, high_y - low_y)), 1)

    yield f'<text class="title" x="0" y="-14">{title}</text>'
    for power in range(low_x, high_x + 1):
        x, _ = place(power, low_y)
        yield f'<line x1="{x}" y1="0" x2="{x}" y2="{HEIGHT}" stroke="#DDD"/>'
        yield f'<text class="tick" x="{x}" y="{HEIGHT + 18}" text-anchor="middle">{ten_to(power)}</text>'
    for power in range(low_y, high_y + 1):
        _, y = place(low_x, power)
        yield f'<line x1="0" y1="{y}" x2="{WIDTH}" y2="{y}" stroke="#DDD"/>'
        yield f'<text class="tick" x="-6" y="{y + 4:.1f}" text-anchor="end">{words(10.0**power)}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 40}" text-anchor="middle">states</text>'
    reach = min(xs[-1] - low_x, ys[-1] - low_y)
    (x1, y1), (x2, y2) = place(xs[-1] - reach, ys[-1] - reach), place(xs[-1], ys[-1])
    yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#999" stroke-dasharray="3 4"/>'
    places = [place(x, y) for x, y in zip(xs, ys, strict=True)]
    path = " ".join(f"{x},{y}" for x, y in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in places:
        yield f'<circle cx="{x}" cy="{y}" r="4.5" fill="{colour}" stroke="white"/>'


def main() -> None:
    """Print the table and write the plot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", nargs="*", metavar="ROWSxCOLUMNS")
    parser.add_argument("--memory", help="what solve is given, such as 4G")
    parser.add_argument("--folder", type=Path, help="where there is room; default: for temporary files")
    parser.add_argument("--plot", type=Path, default=PLOT)
    parser.add_argument("--program", default=PROGRAM)
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=arguments.folder) as scratch:
        sizes = arguments.sizes or SIZES
        costs = [cost(arguments.program, size, Path(scratch), arguments.memory) for size in sizes]
    costs.sort(key=lambda each: each.states)
    arguments.plot.write_text(plot(costs), "utf-8")
    rows = [
        [
            each.size,
            f"{each.states:,}",
            f"{each.seconds:.1f}",
            f"{each.cpu:.1f}",
            f"{each.states / each.seconds:,.0f}",
            bytes_in_words(each.peak),
            bytes_in_words(each.file),
            f"{each.file / each.states:.3f}",
        ]
        for each in costs
    ]
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
