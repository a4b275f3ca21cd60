"""Variants of a game with many values of its parameters: the combinations, and their figures side by side."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from solver.analysis.report.contents import NONE, Chapter, Contents, Grid, LinePlot, Paragraph, Piece
from solver.analysis.report.figures import Figure, line_of, percent, share
from solver.analysis.report.report import Report
from solver.database.entry import Entry
from solver.database.wording import aligned, standing_of
from solver.errors import BadParameter
from solver.game import AnyGame
from solver.rules.parameters import with_parameters
from solver.system.words import number_of

RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})")

MAX_COMBINATIONS = 10_000

INTEGER = re.compile(r"-?\d+")

MAX_CURVES = 8
"""The most curves of a legible plot; a plot with more is left out."""

COLUMNS = ("states", "the start", "winning first moves", "decisive", "traps")
"""The columns of the table, after those of the parameters."""

NOTE = "note"
"""The heading of the column for why games are not solved, if some are not."""

MEANING = (
    "Winning first moves: those after which the player who made them wins. Decisive: the share of positions "
    "that are won for one of the players. Traps: how often a player who looks two plies ahead loses value, "
    "over all positions in which the game is not over."
)


def combinations(words: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """All combinations of the values of parameters; the last parameter varies fastest.

    A parameter that is given more than once takes all its values; `A..B` stands for the integers from A to B.
    Raises `BadParameter` for an empty range, a repeated value, and too many combinations.
    """
    values: dict[str, list[str]] = {}
    for name, text in words:
        bounds = RANGE.fullmatch(text)
        new_values = [text] if bounds is None else range(int(bounds[1]), int(bounds[2]) + 1)
        if not new_values:
            raise BadParameter(f"{name}={text} has no integers: the least one comes first")
        values.setdefault(name, []).extend(map(str, new_values[: MAX_COMBINATIONS + 1]))
    for name, texts in values.items():
        if len({*texts}) < len(texts):
            raise BadParameter(f"{name} is given the same value twice")
    if prod(map(len, values.values())) > MAX_COMBINATIONS:
        raise BadParameter(f"there are more than {MAX_COMBINATIONS:,} combinations: give fewer values")
    return [dict(zip(values, combination, strict=True)) for combination in product(*values.values())]


@dataclass(frozen=True)
class SweptGame:
    """A game with one combination of parameters, and its figures, or why there are none."""

    parameters: Mapping[str, str]
    """The given parameters, as texts."""
    failure: str | None = None
    """The reason why it is not solved; None if it is."""
    failed: bool = False
    """Whether the solve failed, as opposed to being skipped for its size or its parameters."""
    states: int | None = None
    start: Entry | None = None
    first_moves: int = 0
    winning: int = 0
    """The number of first moves after which the player who made them wins."""
    decisive: float = 0.0
    """The share of positions that are won for one of the players."""
    traps: Figure | None = None
    """How often a player who looks two plies ahead loses value; None without non-terminal positions."""
    length: Figure | None = None
    """The mean length of perfect play in plies; None if it need not end."""

    def as_dict(self) -> dict[str, Any]:
        """The figures in the form printed by `sweep --json`."""
        start = self.start
        return {
            "parameters": dict(self.parameters),
            "failure": self.failure,
            "states": self.states,
            "value": start and start.value,
            "outcome": start and start.outcome,
            "remoteness": start and start.remoteness,
            "first_moves": start and self.first_moves,
            "winning_first_moves": start and self.winning,
            "decisive": start and round(self.decisive, 6),
            "traps": self.traps and self.traps.as_dict(),
            "length": self.length and self.length.as_dict(),
        }

    def cells(self) -> list[str]:
        """The figures in the order of `COLUMNS`."""
        if self.start is None:
            return [NONE] * len(COLUMNS)
        first = f"{self.winning} of {self.first_moves}"
        states = f"{self.states:,}"
        return [states, standing_of(self.start), first, f"{self.decisive:.1%}", percent(self.traps)]


def swept_game(parameters: Mapping[str, str], report: Report) -> SweptGame:
    """The figures of a game, from its report."""
    counts, moves = report.counts.total, report.start.moves
    return SweptGame(
        parameters,
        states=counts.positions,
        start=report.start,
        first_moves=len(moves),
        winning=sum(move.outcome == "win" for move in moves),
        decisive=1 - counts.won["draw"] / counts.positions,
        traps=report.figures["two_plies"],
        length=report.perfect.figures()["plies"] if report.perfect.given_up is None else None,
    )


LENGTH, FIRST_MOVES = "plies of perfect play", "first moves that win"

MEASURES: Mapping[str, Callable[[SweptGame], Figure | None]] = {
    LENGTH: lambda game: game.length,
    FIRST_MOVES: lambda game: share(game.winning, game.first_moves, exact=True),
    "decisive positions": lambda game: None if game.start is None else Figure(game.decisive),
    "traps": lambda game: game.traps,
}
"""The plotted figures, by the titles of their plots."""


def in_words(games: Sequence[SweptGame]) -> str:
    """The table as lines of text."""
    return "\n".join(line.rstrip() for line in aligned(_table(games)))


def contents_of(game: str, games: Sequence[SweptGame], rules: Sequence[AnyGame]) -> Contents:
    """The contents of a page: the table, its plots and the rules."""
    head, *rows = _table(games)
    words = frozenset(at for at, name in enumerate(head) if name in ("the start", NOTE))
    pieces: list[Piece] = [Grid(head, rows, words), Paragraph(MEANING), *plots_of(game, games)]
    chapters = [Chapter("Side by side", pieces)]
    return Contents(f"{game} by its parameters", f"{number_of(len(games), 'game')}.", chapters, rules)


def _table(games: Sequence[SweptGame]) -> list[list[str]]:
    """The column headings and a row for each game; parameters that do not vary are left out."""
    names = [name for name in games[0].parameters if len({game.parameters[name] for game in games}) > 1]
    rows = [[*(game.parameters[name] for name in names), *game.cells(), game.failure or ""] for game in games]
    noted = None if any(game.failure for game in games) else -1
    return [row[:noted] for row in ([*names, *COLUMNS, NOTE], *rows)]


def axes_of(combined: Sequence[Mapping[str, str]]) -> list[str]:
    """The parameters to plot over: the integers that vary or, if there are none, the one with most values."""
    values = {name: {parameters[name] for parameters in combined} for name in combined[0]}
    varied = sorted((name for name in values if len(values[name]) > 1), key=lambda name: -len(values[name]))
    numbers = [name for name in varied if all(map(INTEGER.fullmatch, values[name]))]
    return [name for name in numbers or varied[:1] if len(combined) <= MAX_CURVES * len(values[name])]


def plots_of(game: str, games: Sequence[SweptGame]) -> Iterator[LinePlot]:
    """The plots over each of the `axes_of` parameters, with a curve for each combination of the others.

    Shares of winning first moves are not joined, as they may jump between 0 and 1 from one value to the next.
    """
    head, *_ = _table(games)
    for name in axes_of([swept.parameters for swept in games]):
        values = list(dict.fromkeys(swept.parameters[name] for swept in games))
        joined = all(map(INTEGER.fullmatch, values))
        for title, measure in MEASURES.items():
            names = [] if joined and title != FIRST_MOVES else values
            curves: dict[str, list[tuple[int, Figure]]] = {}
            for swept in games:
                others = {
                    key: swept.parameters[key] for key in swept.parameters if key in head and key != name
                }
                points = curves.setdefault(with_parameters("", others).strip() or title, [])
                at = values.index(swept.parameters[name]) if names else int(swept.parameters[name])
                if (figure := measure(swept)) is not None:
                    points.append((at, figure))
            if any(len(points) > 1 for points in curves.values()):
                lines = [line_of(name, sorted(points)) for name, points in curves.items()]
                yield LinePlot(f"{game}: {title} by {name}", name, lines, title != LENGTH, names=names)
