"""The contents of a report, independent of its format: chapters of paragraphs, grids and plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from solver.analysis.certificates.mark import Mark
from solver.game import AnyGame

NONE = "-"
"""The text for a missing figure, ply or remoteness."""

MAX_SHOWN = 300
"""The most characters of a text of the game that are shown."""


class Quoted(NamedTuple):
    """A text of the game, such as a move or a position, to be shown verbatim."""

    text: str
    game: AnyGame | None = None
    """The game of a position, which may be drawn; None for any other text."""


Words: TypeAlias = str | Quoted | Sequence[str | Quoted]
"""A sentence or the content of a cell, which may mix words with texts of the game."""


class Paragraph(NamedTuple):
    """One or more sentences."""

    words: Words


class Grid(NamedTuple):
    """A table."""

    head: Sequence[Words]
    rows: Sequence[Sequence[Words]]
    wordy: frozenset[int] = frozenset({0})
    """The columns of words, by default only the first; the others are of numbers."""
    hidden: str = ""
    """The caption by which a collapsed table is opened; "" for a table that is always shown."""


class Line(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[int, float]]
    bars: Sequence[tuple[int, float, float]] = ()
    """Intervals as (point, low, high)."""


class LinePlot(NamedTuple):
    """Lines over plies."""

    title: str
    across: str
    """The label of the horizontal axis."""
    lines: Sequence[Line]
    percent: bool = True
    """Whether values are shares."""
    parities: bool = False
    """Whether odd and even points are drawn separately, as for remoteness, whose parity decides who wins."""
    names: Sequence[str] = ()
    """The names of the points 0, 1, ..., which are then not joined."""
    alike: Sequence["Plot"] = ()
    """The plots to compare it with, itself included, which share its axes."""


class StackPlot(NamedTuple):
    """Columns over plies, of shares that make up a whole, or of a single share."""

    title: str
    across: str
    stacks: Sequence[tuple[int, Sequence[float]]]
    """The ply, and the shares in the order of the names."""
    names: Sequence[str] = ()
    """The names of the shares that make up a whole; empty for a single share."""
    alike: Sequence["Plot"] = ()
    """As in `LinePlot`."""


Plot: TypeAlias = LinePlot | StackPlot
Piece: TypeAlias = Paragraph | Grid | Plot


@dataclass(frozen=True)
class Chapter:
    """A part of the report with its own heading."""

    heading: str
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Contents:
    """The whole contents of a report."""

    title: str
    about: Words
    chapters: Sequence[Chapter]
    games: Sequence[AnyGame] = ()
    """The games whose rules a page shows."""
    answers: Sequence[str] = ()
    """The sentences at the top, each a summary of a game."""
    marks: Sequence[Mark] = ()
    """The marks of certificates, shown at the end."""


def plot_of(game: str, plot: Plot, plots: Sequence[Plot]) -> Plot:
    """A plot of a chapter with the name of its game, and with those of `plots` to compare it with.

    These are the plots with the same title, or, for columns of a single share, all such plots.
    """
    alike = [other for other in plots if type(other) is type(plot) and other.title == plot.title]
    if isinstance(plot, StackPlot) and not plot.names:
        alike = [other for other in plots if isinstance(other, StackPlot) and not other.names]
    return plot._replace(title=f"{game}. {plot.title}", alike=alike)


def quoted(text: object, game: AnyGame | None = None) -> Quoted:
    """A text of the game, cut if it is very long; give `game` if it is a position."""
    shown = str(text)
    return Quoted(shown, game) if len(shown) <= MAX_SHOWN else Quoted(f"{shown[:MAX_SHOWN]}...")


def listed(texts: Sequence[object]) -> list[str | Quoted]:
    """Several texts of the game, separated by commas."""
    return [word for text in texts for word in (", ", quoted(text))][1:]
