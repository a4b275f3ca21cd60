"""Exact figures from the counts of a file: winners by ply or remoteness, ends, and possible lengths."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from solver.analysis.report.contents import NONE, Grid, Line, LinePlot, Paragraph, Piece, StackPlot
from solver.analysis.statistics import by_remoteness
from solver.database import Database
from solver.database.entry import KindCount
from solver.database.wording import plies, winners
from solver.game import outcome_sign

SIDES = {1: "first", 0: "draw", -1: "second"}
"""The winner, by the sign of a value for the first player."""


class Row(NamedTuple):
    """The counts of the positions at one ply or of one remoteness."""

    at: int | None
    """The ply or remoteness; None for positions from which play need not end."""
    positions: int
    going_on: int
    """The number of positions in which the game is not over."""
    won: dict[str, int]
    """The number of positions by winner, one of `SIDES`."""

    def as_dict(self, by: str) -> dict[str, Any]:
        """The row for JSON; `by` is `ply` or `remoteness`."""
        return {by: self.at, "positions": self.positions, "going_on": self.going_on, **self.won}


class Counted(NamedTuple):
    """The counts of a file."""

    by: str
    """The kind of the rows: `ply`, or `remoteness` if positions have no unique ply."""
    rows: Sequence[Row]
    total: Row
    """The counts of all positions."""
    ends: dict[str, int]
    """The number of terminal positions by winner, one of `SIDES`."""
    shortest: int | None
    """The length in plies of the shortest possible game; None if positions have no unique ply."""
    longest: int | None
    """The length in plies of the longest possible game; None if positions have no unique ply."""

    @property
    def axis(self) -> str:
        """The label of an axis of plies or of remoteness."""
        if self.by == "ply":
            return "ply (moves made before)"
        return "remoteness (plies to the end under best play)"

    @property
    def possible(self) -> str:
        """The lengths of possible games in words; "" if positions have no unique ply."""
        if self.shortest is None or self.longest is None:
            return ""
        most = plies(self.longest)
        return most if self.shortest == self.longest else f"{self.shortest:,} to {most}"

    def as_dict(self) -> dict[str, Any]:
        """The counts for JSON."""
        return {
            "positions": self.total.positions,
            "going_on": self.total.going_on,
            "values": self.total.won,
            "ends": self.ends,
            "shortest_game": self.shortest,
            "longest_game": self.longest,
        }


def counted(db: Database) -> Counted:
    """The counts of a file, by ply or by remoteness."""
    counts = db.counts()
    layered = all(count.ply is not None for count in counts)
    by_row: dict[int | None, list[KindCount]] = {}
    for count in counts:
        by_row.setdefault(count.ply if layered else count.remoteness, []).append(count)
    ends = [count for count in counts if count.is_terminal]
    lengths = [count.ply for count in ends if count.ply is not None]
    return Counted(
        "ply" if layered else "remoteness",
        [_row(at, by_row[at]) for at in sorted(by_row, key=lambda at: (at is None, at))],
        _row(None, counts),
        _won(ends),
        min(lengths, default=None),
        max(lengths, default=None),
    )


def who_wins(counts: Counted, db: Database) -> Iterator[Piece]:
    """The pieces of the chapter on who wins, by ply or by remoteness."""
    by, total, names = counts.by, counts.total, list(winners(db).values())
    shares = [(row.at, [row.won[side] / row.positions for side in SIDES.values()]) for row in counts.rows]
    stacks = [(at, parts) for at, parts in shares if at is not None]
    if stacks and by == "remoteness":
        lines = [
            Line(f"a {outcome} for the player to move", by_remoteness(db.counts(), outcome))
            for outcome in ("win", "loss")
        ]
        yield LinePlot(f"Wins and losses, by {by}", counts.axis, lines, percent=False)
    elif stacks:
        yield StackPlot(f"Who wins, by {by}", counts.axis, stacks, names)
    parts = [
        f"{name}: {total.won[side]:,} ({total.won[side] / total.positions:.1%})"
        for name, side in zip(names, SIDES.values(), strict=True)
    ]
    yield Paragraph(f"Results of perfect play from all {positions_of(db)}: {'; '.join(parts)}.")
    rows = [
        [at_name(row.at), f"{row.positions:,}", *(f"{number:,}" for number in row.won.values())]
        for row in counts.rows
    ]
    _, nouns = noun_of(db)
    yield Grid([by, nouns, *names], rows, frozenset(), f"{nouns.capitalize()} by {by}")


def positions_of(db: Database) -> str:
    """The noun for the positions of a file."""
    return "classes of symmetric positions" if db.folded else "positions"


def noun_of(db: Database) -> tuple[str, str]:
    """The same noun in short, for one and for more."""
    return ("class", "classes") if db.folded else ("position", "positions")


def at_name(at: int | None) -> str:
    """A ply or a remoteness as text in a table."""
    return NONE if at is None else str(at)


def _row(at: int | None, counts: Sequence[KindCount]) -> Row:
    going_on = sum(count.positions for count in counts if not count.is_terminal)
    return Row(at, sum(count.positions for count in counts), going_on, _won(counts))


def _won(counts: Sequence[KindCount]) -> dict[str, int]:
    numbers = Counter[str]()
    for count in counts:
        numbers[SIDES[outcome_sign(count.value)]] += count.positions
    return {side: numbers[side] for side in SIDES.values()}
