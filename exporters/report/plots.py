"""The plots of a report as SVG, in the colours of the page."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from exporters.palette import escape
from exporters.svg.plot import PLOT_CSS, ROW, Axes, column, curve, legend, scale
from exporters.svg.text import Part, moved, number, text_element, wrap
from solver.analysis.report.contents import LinePlot, Plot, StackPlot
from solver.errors import NotLegible

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 440, 200, 46, 12, 10
"""The size of a plot's field, and the margins around it, in pixels."""

FIELD = WIDTH - LEFT - RIGHT

MARGIN, GAP, TITLE = 20, 44, 126
"""The margin around the plots of a sheet, the gap between them, and the room above them for titles."""


def sheet(title: str, words: str, plots: Sequence[Plot]) -> str:
    """The SVG of plots, two in a row, under a title and a few words; raises `NotLegible` without plots."""
    if not plots:
        raise NotLegible("nothing to draw: fewer than two games of a curve are solved")
    parts = [_plotted(plot) for plot in plots]
    rows = [parts[at : at + 2] for at in range(0, len(parts), 2)]
    tops = [*accumulate((max(part.height for part in row) + GAP for row in rows), initial=TITLE)]
    width, height = 2 * WIDTH + GAP + 2 * MARGIN, tops[-1] - GAP + MARGIN
    size = f'width="{width}" height="{number(height)}" viewBox="0 0 {width} {number(height)}"'
    said = "; ".join(plot.title for plot in plots)
    about = enumerate(wrap(words, 12, width - 2 * MARGIN))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title><desc>{escape(said)}</desc><style>{PLOT_CSS}</style>",
        f'<rect width="{width}" height="{number(height)}" fill="white"/>',
        text_element(title, MARGIN, 30, 18, width - 2 * MARGIN, look='style="font-size:18px"'),
        *(text_element(line, MARGIN, 54 + 17 * at, 12, width, look='class="tick"') for at, line in about),
    ]
    for at, (plot, part) in enumerate(zip(plots, parts, strict=True)):
        x, y = MARGIN + at % 2 * (WIDTH + GAP), tops[at // 2]
        heading = text_element(plot.title, LEFT, -8, 15, FIELD, look='class="title"')
        lines.append(moved(heading + part.drawn, x, y))
    return "\n".join([*lines, "</svg>\n"])


def drawn(plot: Plot) -> str:
    """The SVG of a plot, with the shared axes of the plots to compare it with."""
    part = _plotted(plot)
    size = f'viewBox="0 0 {WIDTH} {part.height:g}" role="img" aria-label="{escape(plot.title)}"'
    return f"<svg {size}>{part.drawn}</svg>"


def _plotted(plot: Plot) -> Part:
    extents = [*map(_extent, plot.alike or [plot])]
    places = [at for some, _ in extents for at in some]
    first, last = min(places, default=0), max(places, default=0)
    most, parts = scale(max(value for _, value in extents))
    wide = min(40.0, FIELD / (last - first + 1))
    field = LEFT, TOP, FIELD, HEIGHT, first, last, most, parts
    if isinstance(plot, LinePlot):
        aside = FIELD / len(plot.names) / 2 if plot.names else 8
        axes, names = Axes(*field, plot.percent, aside, plot.names), [line.name for line in plot.lines]
    else:
        axes, names = Axes(*field, aside=wide / 2), [*plot.names]
    down, area = TOP + HEIGHT + 44, isinstance(plot, StackPlot)
    rows = (legend(nth, LEFT, down + ROW * nth, name, FIELD, area=area) for nth, name in enumerate(names))
    parts_drawn = [*axes.drawn(plot.across), *_body(plot, axes, wide), *rows]
    return Part(WIDTH, down + ROW * len(names), "".join(parts_drawn))


def _body(plot: Plot, axes: Axes, wide: float) -> Iterator[str]:
    if isinstance(plot, LinePlot):
        places = len(plot.names)
        beside = min(9, FIELD / places / (len(plot.lines) + 1)) if places else 0  # points do not overlap
        for nth, line in enumerate(plot.lines):
            shift = beside * (nth - (len(plot.lines) - 1) / 2)
            drawn = "".join(curve(axes, nth, line.points, line.bars, apart=places or 1 + plot.parities))
            yield moved(drawn, shift, 0) if shift else drawn
    else:
        for at, shares in plot.stacks:
            below = 0.0
            for nth, share in enumerate(shares):
                if share or not plot.names:
                    yield column(axes, at, wide, (below, below + share), f"s{nth}")
                below += share


def _extent(plot: Plot) -> tuple[list[int], float]:
    """The places of a plot, and its greatest value."""
    if isinstance(plot, LinePlot):
        points = [point for line in plot.lines for point in line.points]
        ends = [high for line in plot.lines for *_, high in line.bars]
        return [at for at, _ in points], max([*(value for _, value in points), *ends], default=0)
    most = 1 if plot.names else max((share for _, (share,) in plot.stacks), default=0)
    return [at for at, _ in plot.stacks], most
