"""What a report is made of, in no format yet: chapters of paragraphs, grids and plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from solver.analysis.certificates.mark import Mark
from solver.game import AnyGame

NONE = "-"
"""Stands for a figure, a ply or a remoteness that there is not."""

MAX_SHOWN = 300
"""Characters that are shown of a text of the game."""


class Quoted(NamedTuple):
    """A text of the game, such as a move or a position, to be shown as it is."""

    text: str
    game: AnyGame | None = None
    """The game of which the text is a position, which may be drawn; None for all other texts."""


Words: TypeAlias = str | Quoted | Sequence[str | Quoted]
"""A sentence or the content of a cell; words of ours, and among them texts of the game."""


class Paragraph(NamedTuple):
    """Some sentences."""

    words: Words


class Grid(NamedTuple):
    """A table. The first column is of words, all others are of numbers, unless `wordy` says otherwise."""

    head: Sequence[Words]
    rows: Sequence[Sequence[Words]]
    wordy: frozenset[int] = frozenset({0})
    """The columns that are of words."""
    hidden: str = ""
    """The words by which a long one is opened; "" for one that is always shown."""


class Line(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[int, float]]
    bars: Sequence[tuple[int, float, float]] = ()
    """Intervals: at which point, from where to where."""


class LinePlot(NamedTuple):
    """Lines over plies."""

    title: str
    across: str
    """What the horizontal axis shows."""
    lines: Sequence[Line]
    percent: bool = True
    """Whether values are shares."""
    parities: bool = False
    """Whether odd and even places are apart, as of remoteness, by whose parity positions are won or lost."""
    names: Sequence[str] = ()
    """What the places 0, 1, ... are called, which are not joined then."""
    alike: Sequence["Plot"] = ()
    """The plots that it is to be compared with, itself among them, which have the same axes."""


class StackPlot(NamedTuple):
    """Shares that make up a whole, over plies."""

    title: str
    across: str
    names: Sequence[str]
    stacks: Sequence[tuple[int, Sequence[float]]]
    """At which ply, and the shares in the order of the names."""
    alike: Sequence["Plot"] = ()
    """As of a `LinePlot`."""


class ColumnPlot(NamedTuple):
    """A share for each number of plies."""

    title: str
    across: str
    columns: Sequence[tuple[int, float]]
    alike: Sequence["Plot"] = ()
    """As of a `LinePlot`."""


Plot: TypeAlias = LinePlot | StackPlot | ColumnPlot
Piece: TypeAlias = Paragraph | Grid | Plot


@dataclass(frozen=True)
class Chapter:
    """A part of the report under a heading of its own."""

    heading: str
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Contents:
    """All that a report says."""

    title: str
    about: Words
    chapters: Sequence[Chapter]
    games: Sequence[AnyGame] = ()
    """The games whose rules a page tells."""
    answers: Sequence[str] = ()
    """The sentences on top, each of which says in short what is said of a game."""
    marks: Sequence[Mark] = ()
    """What is told of certificates, at the end."""


def plot_of(game: str, plot: Plot, plots: Sequence[Plot]) -> Plot:
    """A plot of a chapter with the name of its game, and with those of its `plots` that are compared with it.

    These are the same plots of other games; all plots of lengths are compared.
    """
    alike = [other for other in plots if type(other) is type(plot)]
    if not isinstance(plot, ColumnPlot):
        alike = [other for other in alike if other.title == plot.title]
    return plot._replace(title=f"{game}. {plot.title}", alike=alike)


def quoted(text: object, game: AnyGame | None = None) -> Quoted:
    """A text of the game, of whose positions it is one if `game` is given; cut if it is very long."""
    shown = str(text)
    return Quoted(shown, game) if len(shown) <= MAX_SHOWN else Quoted(f"{shown[:MAX_SHOWN]}...")


def listed(texts: Sequence[object]) -> list[str | Quoted]:
    """Several texts of the game, with commas between them."""
    words: list[str | Quoted] = []
    for text in texts:
        words += [", ", quoted(text)] if words else [quoted(text)]
    return words
