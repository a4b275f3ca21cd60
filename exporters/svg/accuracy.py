"""A plot of the accuracy of players, as SVG: shares of best moves and of moves that keep the value.

The upper panels show choices in positions in which some move loses value, the lower ones all choices, by ply
or, if positions have no unique ply, by remoteness.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product
from math import inf

from exporters.palette import escape
from exporters.svg.plot import LINE_COLOURS, PLOT_CSS, ROW, Axes, curve, legend
from exporters.svg.text import text_element
from solver.analysis.grade import AllCounts, ChoiceCounts, Grade
from solver.database import Database
from solver.database.wording import game_title
from solver.errors import NotLegible

MEASURES: Mapping[str, Callable[[ChoiceCounts], int]] = {
    "Plays a best move": lambda counts: counts.best,
    "Keeps the value": lambda counts: counts.keeps_value,
}
PARTS: Mapping[str, Callable[[AllCounts], ChoiceCounts]] = {
    "where a move loses value": lambda counts: counts.decisive,
    "everywhere": lambda counts: counts,
}

WIDTH, HEIGHT, PANEL_GAP, LEFT, TOP = 380, 260, 70, 62, 74
"""The size of a panel, the gap between panels, and the margins to their left and above them."""

PANEL_ROW = HEIGHT + 102
"""The height of a row of panels with its titles and axes."""


def plot(db: Database, players: int) -> Callable[[Sequence[Grade]], str]:
    """The function that plots grades of `players` players in `db`.

    Raises `NotLegible`, before any player is graded, if no plot of them can be drawn.
    """
    if players > len(LINE_COLOURS):
        raise NotLegible(f"a plot shows {len(LINE_COLOURS)} players at most, not {players}")
    choices = [kind for kind in db.counts() if not kind.is_terminal]
    by_remoteness = any(kind.ply is None for kind in choices)
    if all((kind.remoteness if by_remoteness else kind.ply) is None for kind in choices):
        raise NotLegible(f"no position of {db.path} has a choice and an end to count plies to: omit --plot")
    return partial(render, by_remoteness=by_remoteness, game=game_title(db.game))


def render(grades: Sequence[Grade], *, by_remoteness: bool = False, game: str = "") -> str:
    """The SVG, for at most as many players as there are colours; raises `NotLegible` without choices.

    The horizontal axis has plies or remoteness. Odd and even remoteness have separate lines, as their
    positions are won or lost.
    """
    if not any(grade.total.choices for grade in grades):
        raise NotLegible("nothing to draw: there are no choices")
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
        *_panels(grades, by_remoteness=by_remoteness),
        *(legend(nth, LEFT, below + ROW * nth, name, inf) for nth, name in enumerate(names)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panels(grades: Sequence[Grade], *, by_remoteness: bool) -> Iterator[str]:
    """The panels for `PARTS` and `MEASURES`, with a line for each player."""
    counts = [grade.by_remoteness if by_remoteness else grade.by_ply for grade in grades]
    across = "plies to the end under best play" if by_remoteness else "ply (moves made before the choice)"
    last = max(chain.from_iterable(counts), default=0)
    axes = Axes(0, 0, WIDTH, HEIGHT, 0, last, aside=12)
    for (down, (where, part)), (along, (title, measure)) in product(
        enumerate(PARTS.items()), enumerate(MEASURES.items())
    ):
        left, top = LEFT + along * (WIDTH + PANEL_GAP), TOP + down * PANEL_ROW
        yield f'<g transform="translate({left} {top})">'
        yield f'<text class="title" x="0" y="-16">{title} {where}</text>'
        yield from axes.drawn(across)
        yield f'<text transform="translate(-46 {HEIGHT / 2}) rotate(-90)" class="mid">share of choices</text>'
        for nth, grade in enumerate(grades):
            parts = {at: part(total) for at, total in counts[nth].items() if part(total).choices}
            points = [(at, measure(count) / count.choices) for at, count in parts.items()]
            intervals = {at: grade.interval(measure(count), count) for at, count in parts.items()}
            bars = [(at, *interval) for at, interval in intervals.items() if interval]
            # Lines of players are drawn beside each other, so that they do not overlap.
            yield f'<g transform="translate({4 * (nth - (len(grades) - 1) / 2)} 0)">'
            yield from curve(axes, nth, points, bars, apart=1 + by_remoteness)
            yield "</g>"
        yield "</g>"


def _words(grade: Grade) -> str:
    if not grade.total.choices:
        return f"{grade.player}: no choices"
    parts = [part(grade.total) for part in PARTS.values()]
    best, keeps, best_of_all, keeps_of_all = (
        f"{measure(counts) / counts.choices:.1%}" if counts.choices else "-"
        for counts in parts
        for measure in MEASURES.values()
    )
    words = f"{grade.player}: best {best}, keeps the value {keeps}; everywhere {best_of_all}"
    return f"{words} and {keeps_of_all}{'' if grade.exact else '; bars: 95% intervals'}"
