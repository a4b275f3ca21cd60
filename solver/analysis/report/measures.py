"""Measures of every non-terminal position: the number of choices, the chances of errors, and traps.

A player who looks one ply ahead chooses a move with the best `Choices.ends`, one who looks two plies ahead a
move with the best `Choices.replies`, uniformly if there are several. Both evaluate only terminal states.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.analysis.report.contents import Line
from solver.analysis.report.counted import Counted
from solver.analysis.report.figures import Figure, amount, as_dicts, line_of, mean, percent, share
from solver.rules.arrays import Flags, Keys

TRAPS = 50
"""The most traps that are collected."""

LIKELY = 0.5
"""The least chance of an error in a trap."""

LAST = 2**63 - 1
"""A modulus for rows that sorts -1 after all others."""


@dataclass(frozen=True)
class Choices:
    """Non-terminal positions and their moves.

    positions    0    1    2          values +1   0   0       the minimax values
    parents      0    0    1    2   2
    outcomes    +1    0    0    0  -1                         the value after each move: two moves lose value
    ends        +1    0    0    0   0                         the utility if the move ends play, else 0
    replies     +1   -1    0    0  -1                         the same, one ply later
    """

    keys: Keys
    """The states, or the ids, of the positions."""
    rows: Keys
    """The ply of each position or, if positions have none, its remoteness; -1 for none."""
    drawn: Flags
    """Whether each position was sampled from all positions; otherwise, only from those of its row."""
    movers: Keys
    """The player to move, 0 or 1, in each position."""
    values: Keys
    """The minimax value of each position; all values here are for the first player."""
    parents: Keys
    """The index of the position of each move."""
    outcomes: Keys
    """The value after each move."""
    ends: Keys
    """The utility after each move that ends play, else 0."""
    replies: Keys
    """The same for a move that ends play; otherwise the best `ends` among the replies, for their player."""

    @cached_property
    def moves(self) -> NDArray[Any]:
        """The number of moves in each position."""
        return np.bincount(self.parents, minlength=len(self.rows))

    @cached_property
    def keeps(self) -> Flags:
        """Whether each move keeps the value."""
        keeps: Flags = self.outcomes == self.values[self.parents]
        return keeps

    @cached_property
    def good(self) -> NDArray[Any]:
        """The number of moves in each position that keep the value."""
        return np.bincount(self.parents, self.keeps, len(self.rows))

    def errors(self, seen: Keys) -> NDArray[np.float64]:
        """The chance of losing value in each position, for a player who takes the best move by `seen`."""
        count = len(self.rows)
        taken = seen == best_reply(count, self.parents, self.movers, seen)[self.parents]
        good = np.bincount(self.parents, taken & self.keeps, count)
        errors: NDArray[np.float64] = 1 - good / np.bincount(self.parents, taken, count)
        return errors


def best_reply(count: int, parents: Keys, movers: Keys, ends: Keys) -> Keys:
    """The best of `ends`, for the mover, among the moves in each of `count` positions.

    `parents` and `ends` are per move, `movers` per position; every position has a move.
    """
    signs = 1 - 2 * movers
    best = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(best, parents, ends * signs[parents])
    return best * signs


class Measure(NamedTuple):
    """A measure of positions: a number, a Boolean, or the chance that a player errs."""

    name: str
    plot: str
    """The plot with its line; "" for none."""
    words: str
    of: Callable[[Choices], NDArray[Any]]
    """The measure of each position."""
    among: Callable[[Choices], NDArray[Any]] = lambda of: np.ones(len(of.moves))
    """Whether each position is measured."""
    is_share: bool = True

    def figure(self, sums: Sequence[float], *, exact: bool) -> Figure | None:
        """The mean over positions, given their number, the sum of the measure and the sum of its squares."""
        number, total, squares = round(sums[0]), *sums[1:]
        if self.is_share:
            return share(total, number, squares, exact=exact)
        return mean(total, squares, number, exact=exact)

    def text(self, figure: Figure | None) -> str:
        """The figure as text."""
        return percent(figure) if self.is_share else amount(figure)

    def line(self, rows: Iterable["RowFigures"], name: str = "") -> Line:
        """The line in a plot, called `name` or by its words, without the row of no ply or remoteness."""
        figures = ((row.at, row.figures[self.name]) for row in rows)
        points = [(at, figure) for at, figure in figures if at is not None and figure is not None]
        return line_of(name or self.words, points)


MEASURES = (
    Measure("branching", "moves", "legal moves on average", lambda of: of.moves, is_share=False),
    Measure("forced", "choices", "only one legal move", lambda of: of.moves == 1),
    Measure("one_keeps", "choices", "exactly one move keeps the value", lambda of: of.good == 1),
    Measure("all_keep", "choices", "every move keeps the value", lambda of: of.good == of.moves),
    Measure(
        "one_of_choice",
        "",
        "exactly one of several moves keeps the value",
        lambda of: (of.good == 1) & (of.moves > 1),
        lambda of: of.moves > 1,
    ),
    Measure("random", "errors", "who moves at random", lambda of: 1 - of.good / of.moves),
    Measure("one_ply", "errors", "who looks one ply ahead", lambda of: of.errors(of.ends)),
    Measure("two_plies", "errors", "who looks two plies ahead", lambda of: of.errors(of.replies)),
)
"""All measures, in the order of JSON."""


class RowFigures(NamedTuple):
    """The figures of the positions at one ply or of one remoteness."""

    at: int | None
    """The ply or remoteness; None for positions from which play need not end."""
    asked: int
    """The number of measured positions."""
    figures: dict[str, Figure | None]

    def as_dict(self, by: str) -> dict[str, Any]:
        """The row for JSON; `by` is `ply` or `remoteness`."""
        return {by: self.at, "asked": self.asked, **as_dicts(self.figures)}


class Trap(NamedTuple):
    """A position in which a player who looks two plies ahead is likely to err."""

    row: int
    """The ply or remoteness; -1 for none."""
    error: float
    """The chance of the error."""
    position: str


def first_traps(traps: Iterable[Trap]) -> list[Trap]:
    """The first `TRAPS` traps by row, with none last, then by descending error, then by position."""
    return nsmallest(TRAPS, traps, key=lambda trap: (trap.row % LAST, -trap.error, trap.position))


def traps_in(keys: Keys, rows: Keys, errors: NDArray[Any], text_of: Callable[[int], str]) -> list[Trap]:
    """The first traps among positions, given their keys, rows and chances of errors, and the text of a key.

    Only for positions that may be among the first traps are texts made.
    """
    likely = np.flatnonzero(errors >= LIKELY)
    likely = likely[np.lexsort((-errors[likely], rows[likely] % LAST))]
    last = likely[:TRAPS][-1:]
    equal = (rows[likely] == rows[last]) & (errors[likely] == errors[last])
    equal[:TRAPS] = True
    candidates = likely[equal]
    columns = (column[candidates].tolist() for column in (rows, errors, keys))
    return first_traps(Trap(row, error, text_of(key)) for row, error, key in zip(*columns, strict=True))


@dataclass
class Tally:
    """Sums over positions, which can be added up over parts."""

    sums: dict[tuple[int, bool], NDArray[np.float64]] = field(default_factory=dict)
    """By row and `drawn`: for each measure the number of positions, the sum, and the sum of squares."""
    traps: list[Trap] = field(default_factory=list)
    """The first traps: see `first_traps`."""

    def add(self, other: "Tally") -> None:
        """Add the sums of another part."""
        for key, column in other.sums.items():
            self.sums[key] = self.sums[key] + column if key in self.sums else column
        self.traps = first_traps([*self.traps, *other.traps])

    def positions(self, row: int | None = None) -> int:
        """The number of positions that were sampled from all, or of all sampled positions of a row."""
        return int(self._sums(row)[0])

    def figures(self, going_on: int, row: int | None = None) -> dict[str, Figure | None]:
        """The figures of all positions, or of a row; `going_on` is the number of these positions."""
        sums, exact = self._sums(row).reshape(-1, 3).tolist(), self.positions(row) == going_on
        measured = zip(MEASURES, sums, strict=True)
        return {measure.name: measure.figure(of, exact=exact) for measure, of in measured}

    def by_row(self, counts: Counted) -> list[RowFigures]:
        """The figures by ply or by remoteness."""
        places = [(row, -1 if row.at is None else row.at) for row in counts.rows]
        return [
            RowFigures(row.at, number, self.figures(row.going_on, at))
            for row, at in places
            if (number := self.positions(at))
        ]

    def _sums(self, row: int | None) -> NDArray[np.float64]:
        rows = [(row, False), (row, True)] if row is not None else sorted(key for key in self.sums if key[1])
        columns = (self.sums[key] for key in rows if key in self.sums)
        return sum(columns, np.zeros(3 * len(MEASURES)))


def tally(choices: Choices, text_of: Callable[[int], str]) -> Tally:
    """The sums over positions; `text_of` returns the position of a key."""
    keys, places = np.unique(2 * choices.rows + choices.drawn, return_inverse=True)
    columns = []
    for measure in MEASURES:
        column = measure.of(choices).astype(np.float64)
        columns += [
            np.bincount(places, weights, len(keys))
            for weights in (measure.among(choices), column, column * column)
        ]
    rows = ((key >> 1, bool(key & 1)) for key in keys.tolist())
    errors = column  # of the last measure: the player who looks two plies ahead
    return Tally(
        dict(zip(rows, np.stack(columns, axis=1), strict=True)),
        traps_in(choices.keys, choices.rows, errors, text_of),
    )
