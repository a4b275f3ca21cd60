"""A game by many values of its parameters: which combinations are meant, and their figures side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from solver.analysis.report.contents import NONE, Chapter, Contents, Grid, Line, LinePlot, Paragraph, Piece
from solver.analysis.report.figures import Figure, percent
from solver.analysis.report.report import Report
from solver.database.entry import Entry
from solver.database.wording import aligned, standing_of
from solver.errors import BadParameter
from solver.game import AnyGame
from solver.rules.parameters import with_parameters

RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
"""The least and the most value of an integer."""

MAX_COMBINATIONS = 10_000

MAX_CURVES = 8
"""Curves of a plot that can be told from each other; with more there is none."""

COLUMNS = ("states", "the start", "winning first moves", "decisive", "traps")
"""What is said of each combination, beside the values of its parameters."""

NOTE = "note"
"""The head of a column that says why games are not solved; only where some are not."""

MEANING = (
    "Winning first moves are those after which whoever made them wins. Decisive is the share of positions "
    "that are won for one of the players. Traps is how often a player who looks two plies ahead loses value, "
    "over all positions in which play goes on."
)


def combinations(words: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """All combinations of the values of parameters, the last one varying fastest.

    A parameter that comes more than once has all these values; `A..B` stands for the integers from A to B.
    Raises `BadParameter` for a range without integers, a value that comes twice, and too many combinations.
    """
    values: dict[str, list[str]] = {}
    for name, text in words:
        bounds = RANGE.fullmatch(text)
        some = [text] if bounds is None else [*map(str, range(int(bounds[1]), int(bounds[2]) + 1))]
        if not some:
            raise BadParameter(f"{name}={text} has no integers: the least one comes first")
        values.setdefault(name, []).extend(some)
    number = 1
    for name, some in values.items():
        number *= len(some)
        if len({*some}) < len(some):
            raise BadParameter(f"{name} is given the same value twice")
        if number > MAX_COMBINATIONS:
            raise BadParameter(f"there are more than {MAX_COMBINATIONS:,} combinations: give fewer values")
    return [dict(zip(values, some, strict=True)) for some in product(*values.values())]


@dataclass(frozen=True)
class SweptGame:
    """A game by one combination of parameters, and its figures, or why there are none."""

    parameters: Mapping[str, str]
    """Those that were given, as texts."""
    failure: str | None = None
    """Why it is not solved; None if it is."""
    failed: bool = False
    """Whether its solve failed, not its size or its parameters."""
    states: int | None = None
    start: Entry | None = None
    first_moves: int = 0
    """The number of moves from the start."""
    winning: int = 0
    """The number of these after which whoever made them wins."""
    decisive: float = 0.0
    """The share of positions that are won for one of the players."""
    traps: Figure | None = None
    """How often a player who looks two plies ahead loses value; None where no play goes on."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as `sweep --json` prints them."""
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
        }

    def cells(self) -> list[str]:
        """The figures in the order of `COLUMNS`."""
        if self.start is None:
            return [NONE] * len(COLUMNS)
        first = f"{self.winning} of {self.first_moves}"
        states = f"{self.states:,}"
        return [states, standing_of(self.start), first, f"{self.decisive:.1%}", percent(self.traps)]


def swept_game(parameters: Mapping[str, str], report: Report) -> SweptGame:
    """The figures of a game, from the report on it."""
    counts, moves = report.counts, report.start.moves
    return SweptGame(
        parameters,
        states=counts.positions,
        start=report.start,
        first_moves=len(moves),
        winning=sum(move.outcome == "win" for move in moves),
        decisive=1 - counts.won["draw"] / counts.positions,
        traps=report.figures["two_plies"],
    )


def in_words(games: Sequence[SweptGame]) -> str:
    """The table as lines of text."""
    return "\n".join(line.rstrip() for line in aligned(_table(games)))


def contents_of(game: str, games: Sequence[SweptGame], rules: Sequence[AnyGame]) -> Contents:
    """The table, curves over each parameter that is an integer, and the rules, as a page has them."""
    head, *rows = _table(games)
    words = frozenset(at for at, name in enumerate(head) if name in ("the start", NOTE))
    pieces: list[Piece] = [Grid(head, rows, words), Paragraph(MEANING), *_curves(games)]
    chapters = [Chapter("Side by side", pieces)]
    return Contents(f"{game} by its parameters", f"{len(games):,} games.", chapters, rules)


def _table(games: Sequence[SweptGame]) -> list[list[str]]:
    """The heads of columns, and a row for each game; parameters that do not vary are left out."""
    names = [name for name in games[0].parameters if len({game.parameters[name] for game in games}) > 1]
    table = [
        [*names, *COLUMNS],
        *([*(game.parameters[name] for name in names), *game.cells()] for game in games),
    ]
    if any(game.failure for game in games):
        table = [
            [*row, note]
            for row, note in zip(table, [NOTE, *(game.failure or "" for game in games)], strict=True)
        ]
    return table


def _curves(games: Sequence[SweptGame]) -> Iterator[LinePlot]:
    """Shares over each parameter that varies and is an integer; the others make a curve each."""
    solved = [game for game in games if game.start is not None]
    for name in games[0].parameters:
        at = {game.parameters[name] for game in solved}
        if len(at) < 2 or not all(re.fullmatch(r"-?\d+", value) for value in at):
            continue
        shares = {"decisive": lambda game: game.decisive, "winning first moves": _winning_share}
        for share, measure in shares.items():
            curves: dict[str, list[tuple[int, float]]] = {}
            for game in solved:
                others = {key: value for key, value in game.parameters.items() if key != name}
                curves.setdefault(with_parameters("", others).strip(), []).append(
                    (int(game.parameters[name]), measure(game))
                )
            lines = [Line(rest or share, sorted(points)) for rest, points in curves.items()]
            if len(lines) <= MAX_CURVES:
                yield LinePlot(f"{share} by {name}".capitalize(), name, lines)


def _winning_share(game: SweptGame) -> float:
    return game.winning / game.first_moves if game.first_moves else 0.0
