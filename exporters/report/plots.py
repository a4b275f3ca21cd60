"""The plots of a report as SVG, in the colours of the page."""

from collections.abc import Iterator

from exporters.palette import escape
from exporters.svg.plot import ROW, Axes, column, curve, legend, scale
from solver.analysis.report.contents import ColumnPlot, LinePlot, Plot, StackPlot

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 440, 200, 46, 12, 10
"""The size of the field, and the margins around it."""

FIELD = WIDTH - LEFT - RIGHT


def drawn(plot: Plot) -> str:
    """The SVG of a plot, with the axes of all that it is to be compared with."""
    alike = plot.alike or [plot]
    places = [at for each in alike for at in _places(each)]
    first, last = min(places, default=0), max(places, default=0)
    most, parts = (1.0, 5) if isinstance(plot, StackPlot) else scale(max(map(_most, alike)))
    wide = min(40.0, FIELD / (last - first + 1))
    aside = 8 if isinstance(plot, LinePlot) else wide / 2
    percent = not isinstance(plot, LinePlot) or plot.percent
    axes = Axes(LEFT, TOP, FIELD, HEIGHT, first, last, most, parts, percent, aside)
    names = [line.name for line in plot.lines] if isinstance(plot, LinePlot) else []
    names += plot.names if isinstance(plot, StackPlot) else []
    down, area = TOP + HEIGHT + 44, isinstance(plot, StackPlot)
    rows = (legend(nth, LEFT, down + ROW * nth, name, FIELD, area=area) for nth, name in enumerate(names))
    size = f'viewBox="0 0 {WIDTH} {down + ROW * len(names)}" role="img" aria-label="{escape(plot.title)}"'
    return f"<svg {size}>{''.join([*axes.drawn(plot.across), *_body(plot, axes, wide), *rows])}</svg>"


def _body(plot: Plot, axes: Axes, wide: float) -> Iterator[str]:
    """Yield what is drawn into the field."""
    if isinstance(plot, LinePlot):
        for nth, line in enumerate(plot.lines):
            yield from curve(axes, nth, line.points, line.bars, parities=plot.parities)
    elif isinstance(plot, ColumnPlot):
        yield from (column(axes, at, wide, (0, share), "s0") for at, share in plot.columns)
    else:
        for at, shares in plot.stacks:
            below = 0.0
            for nth, share in enumerate(shares):
                if share:
                    yield column(axes, at, wide, (below, below + share), f"s{nth}")
                below += share


def _places(plot: Plot) -> list[int]:
    if isinstance(plot, LinePlot):
        return [at for line in plot.lines for at, _ in line.points]
    return [at for at, _ in (plot.columns if isinstance(plot, ColumnPlot) else plot.stacks)]


def _most(plot: Plot) -> float:
    """The greatest value of a plot."""
    if isinstance(plot, LinePlot):
        ends = [high for line in plot.lines for *_, high in line.bars]
        return max([*(value for line in plot.lines for _, value in line.points), *ends], default=0)
    return max((share for _, share in plot.columns), default=0) if isinstance(plot, ColumnPlot) else 1
