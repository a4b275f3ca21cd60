"""A report on a solved game, and on two of them, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from solver.analysis.difference import Difference
from solver.analysis.difference.report import as_dict as difference_as_dict
from solver.analysis.report.choices import Tally
from solver.analysis.report.counted import Counted
from solver.analysis.report.draws import Draws
from solver.analysis.report.ends import Ends
from solver.analysis.report.figures import Figure, as_dicts
from solver.analysis.report.first_moves import Opening
from solver.analysis.report.symmetry import SymmetryFound
from solver.database import Database
from solver.database.entry import Entry


class LikelyError(NamedTuple):
    """A position in which a player who looks two plies ahead is likely to lose value."""

    position: str
    at: int
    """Its ply, or its remoteness where positions have no single ply; -1 for none."""
    error: float
    """The chance to lose value."""
    keeps: tuple[str | int, ...]
    """The moves that keep the value."""


class LongestWin(NamedTuple):
    """A position from which the player to move takes longest to win."""

    position: str
    plies: int
    line: tuple[str | int, ...]
    """Best play to the end."""


class RowFigures(NamedTuple):
    """The figures of positions of one ply, or of one remoteness."""

    at: int | None
    """The ply or remoteness; None for positions from which play need not end."""
    asked: int
    """The positions that were asked."""
    figures: dict[str, Figure | None]


@dataclass(frozen=True)
class Report:
    """The figures of one solved game."""

    db: Database
    """The file, which is open."""
    title: str
    start: Entry
    counts: Counted
    moves: int
    """The number of moves in all positions."""
    seed: int
    sample: int
    """The positions that were drawn from all in which play goes on, or all of these."""
    tally: Tally
    random: Ends
    """The ends of random play from the start."""
    perfect: Ends
    """The ends of play from the start by best moves."""
    openings: Sequence[Opening]
    """The first moves, best first."""
    draws: Draws | None
    """The positions of undecided play; None in games in layers, and where none of them was drawn."""
    traps: Sequence[LikelyError]
    longest: Sequence[LongestWin]
    symmetry: SymmetryFound

    @property
    def exact(self) -> bool:
        """Whether all positions were asked about."""
        return self.sample == self.counts.going_on

    @property
    def figures(self) -> dict[str, Figure | None]:
        """The figures of positions: of branching, of good moves, of players who err."""
        return self.tally.figures(self.counts.going_on)

    @property
    def by_row(self) -> list[RowFigures]:
        """The same by ply, or by remoteness."""
        found = []
        for row in self.counts.rows:
            at = -1 if row.at is None else row.at
            if asked := self.tally.positions(at):
                found.append(RowFigures(row.at, asked, self.tally.figures(row.going_on, at)))
        return found

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it; docs/report.md says what each key means."""
        by = self.counts.by
        return {
            "file": str(self.db.path),
            "game": self.db.game_name,
            "parameters": self.db.parameters,
            "players": list(self.db.game.players),
            "endless": self.db.endless,
            "folded": self.db.folded,
            "start": self.db.start,
            "value": self.start.value,
            "outcome": self.start.outcome,
            "remoteness": self.start.remoteness,
            "seed": self.seed,
            "sample": self.sample,
            "exact": self.exact,
            "moves": self.moves,
            **self.counts.as_dict(),
            "by": by,
            "rows": [row.as_dict(by) for row in self.counts.rows],
            "figures": as_dicts(self.figures),
            "figures_by": [
                {by: each.at, "asked": each.asked, **as_dicts(each.figures)} for each in self.by_row
            ],
            "random_play": self.random.as_dict(),
            "perfect_play": self.perfect.as_dict(),
            "first_moves": [each.as_dict() for each in self.openings],
            "draws": None if self.draws is None else self.draws.as_dict(),
            "traps": [
                {
                    "position": each.position,
                    by: None if each.at < 0 else each.at,
                    "error": round(each.error, 6),
                    "keeps": list(each.keeps),
                }
                for each in self.traps
            ],
            "longest_wins": [each._asdict() for each in self.longest],
            "symmetry": self.symmetry.as_dict(),
        }


class Reports(NamedTuple):
    """The reports on one game, or on two, A and B."""

    reports: Sequence[Report]
    difference: Difference | None
    """What `diff` finds; None for one game, and where no position is in both files."""

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it: of two games with `a`, `b` and `difference`."""
        if len(self.reports) == 1:
            return self.reports[0].as_dict()
        a, b = self.reports
        found = self.difference
        changes = None if found is None else difference_as_dict(a.db, b.db, found)
        return {"a": a.as_dict(), "b": b.as_dict(), "difference": changes}
