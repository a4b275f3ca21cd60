"""Reports on one or two solved games, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from solver.analysis.difference import Difference
from solver.analysis.difference_report import as_dict as difference_as_dict
from solver.analysis.report.contents import Words, listed, quoted
from solver.analysis.report.counted import SIDES, Counted, at_name, positions_of
from solver.analysis.report.draws import Draws
from solver.analysis.report.ends import Ends
from solver.analysis.report.figures import DECIMALS, Figure, about, amount, as_dicts, percent
from solver.analysis.report.measures import RowFigures, Tally
from solver.analysis.report.symmetry import SymmetryFigures
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.wording import counted_positions, labels_as_dict, plies, result_of, standing_of
from solver.game import AnyGame
from solver.rules.asking import representative
from solver.rules.notation import read_position


class Opening(NamedTuple):
    """A first move, with those symmetric to it, and the ends of random play after them."""

    moves: Sequence[Move]
    """The moves, in the order of the game's actions; all have the same labels."""
    random: Ends

    def as_dict(self) -> dict[str, Any]:
        """The moves for JSON."""
        move, figures = self.moves[0], self.random.figures()
        wanted = {name: figures[name] for name in ("first", "draw", "second", "utility", "plies")}
        return {
            "moves": [move.move for move in self.moves],
            **labels_as_dict(move),
            "best": move.best,
            "random": as_dicts(wanted),
        }

    def row(self) -> list[Words]:
        """The moves as a row of a table."""
        move, figures = self.moves[0], self.random.figures()
        names = listed([move.move for move in self.moves])
        verdict = result_of(move) + (", best" if move.best else "")
        random = [percent(figures[way]) for way in SIDES.values()]
        return [names, verdict, *random, amount(figures["plies"])]


def first_moves(db: Database) -> Sequence[Sequence[Move]]:
    """The moves from the start, best first; moves to symmetric positions are grouped."""
    by_class: dict[Any, list[Move]] = {}
    for move in db[db.start].moves:
        by_class.setdefault(representative(db.game, read_position(db.game, move.position)), []).append(move)
    order = {move.move: at for at, move in enumerate(db[db.start].moves_by_action)}
    return [sorted(moves, key=lambda move: order[move.move]) for moves in by_class.values()]


class LikelyError(NamedTuple):
    """A position in which a player who looks two plies ahead is likely to lose value."""

    position: str
    at: int | None
    """The ply, or the remoteness if positions have no unique ply; None for none."""
    error: float
    """The chance of the error."""
    keeps: tuple[str | int, ...]

    def as_dict(self, by: str) -> dict[str, Any]:
        """The position for JSON; `by` is `ply` or `remoteness`."""
        error = round(self.error, 6)
        return {"position": self.position, by: self.at, "error": error, "keeps": list(self.keeps)}

    def row(self, game: AnyGame) -> list[Words]:
        """The position as a row of a table."""
        return [quoted(self.position, game), at_name(self.at), f"{self.error:.0%}", listed(self.keeps)]


class LongestWin(NamedTuple):
    """A position from which the player to move takes longest to win."""

    position: str
    plies: int
    line: tuple[str | int, ...]

    def row(self, game: AnyGame) -> list[Words]:
        """The position as a row of a table."""
        return [quoted(self.position, game), str(self.plies), listed(self.line)]


@dataclass(frozen=True)
class Report:
    """The figures of one solved game."""

    db: Database
    title: str
    start: Entry
    counts: Counted
    moves: int
    """The number of moves in all positions."""
    seed: int
    tally: Tally
    random: Ends
    """The ends of random play from the start."""
    perfect: Ends
    """The ends of play from the start by best moves."""
    openings: Sequence[Opening]
    draws: Draws | None
    """Whether best play ends from positions without a remoteness; None without loops or such positions."""
    traps: Sequence[LikelyError]
    longest: Sequence[LongestWin]
    symmetry: SymmetryFigures

    @property
    def sample(self) -> int:
        """The number of positions sampled from all non-terminal ones, or of all these."""
        return self.tally.positions()

    @property
    def exact(self) -> bool:
        """Whether all positions were evaluated."""
        return self.sample == self.counts.total.going_on

    @property
    def layered(self) -> bool:
        """Whether every position has a unique ply, so that play cannot return to a position."""
        return self.counts.by == "ply"

    @property
    def asked(self) -> str:
        """The sentence, in lower case, on which positions were evaluated."""
        going_on = f"{counted_positions(self.db, self.counts.total.going_on)} in which the game is not over"
        if self.exact:
            one = self.counts.total.going_on == 1
            return f"the {going_on} was evaluated." if one else f"all {going_on} were evaluated."
        more = ", with more from plies that have few" if self.layered else ""
        return f"a random sample of {self.sample:,} of the {going_on} was evaluated{more}."

    @property
    def answer(self) -> str:
        """One sentence on the fairness, the length and the traps of the game."""
        start, random, (first, second) = self.start, self.random.figures(), self.db.game.players
        if start.is_terminal:
            at = "" if self.db.starts == 1 else f"At the first of {self.db.starts_in_words} "
            return f"{at}{standing_of(start).replace('the', 'the' if at else 'The', 1)}."
        fair = "Fair: perfect play is a draw"
        if start.winner is not None:
            order = "who moves first" if start.winner == start.to_move else "who moves second"
            by = "" if start.margin is None else f" by {start.margin}"
            fair = f"Not fair: {start.winner}, {order}, wins{by} in perfect play"
        from_start = "" if self.db.starts == 1 else f" from the first of {self.db.starts_in_words}"
        shares = [about(share, is_share=True) for share in (random["first"], random["second"])]
        lengths = [ends.in_short(layered=self.layered) for ends in (self.perfect, self.random)]
        return (
            f"{fair}{from_start}; "
            f"random play is won by {first} in {shares[0]} of games and by {second} in {shares[1]}; "
            f"perfect play {lengths[0]}, random play {lengths[1]}; {self._traps()}."
        )

    def _traps(self) -> str:
        figure, who = self.figures["two_plies"], "a player who looks two plies ahead"
        rows = [(errs, row.at) for row in self.by_row if (errs := row.figures["two_plies"])]
        worst, at = max(rows, key=lambda row: round((row[0].interval or row[0])[0], DECIMALS))
        if figure is None or not worst.value:
            return f"{who} {'never loses value' if self.exact else 'loses no value in the sample'}"
        where = f"at ply {at}" if self.layered else f"{plies(at)} before the end" if at is not None else ""
        return (
            f"{who} loses value in {about(figure, is_share=True)} of {positions_of(self.db)}, "
            f"most often {where or 'where play need not end'} (in {about(worst, is_share=True)})"
        )

    @cached_property
    def figures(self) -> dict[str, Figure | None]:
        """The figures of all positions, by the names of `MEASURES`."""
        return self.tally.figures(self.counts.total.going_on)

    @cached_property
    def by_row(self) -> list[RowFigures]:
        """The figures by ply or by remoteness."""
        return self.tally.by_row(self.counts)

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON; docs/report.md explains the keys."""
        by = self.counts.by
        return {
            "file": str(self.db.path),
            "game": self.db.game_name,
            "parameters": self.db.parameters,
            "players": list(self.db.game.players),
            "answer": self.answer,
            "endless": self.db.endless,
            "folded": self.db.folded,
            "start": self.db.start,
            **labels_as_dict(self.start),
            "seed": self.seed,
            "sample": self.sample,
            "exact": self.exact,
            "moves": self.moves,
            **self.counts.as_dict(),
            "by": by,
            "rows": [row.as_dict(by) for row in self.counts.rows],
            "figures": as_dicts(self.figures),
            "figures_by": [row.as_dict(by) for row in self.by_row],
            "random_play": self.random.as_dict(),
            "perfect_play": self.perfect.as_dict(),
            "first_moves": [part.as_dict() for part in self.openings],
            "draws": None if self.draws is None else self.draws.as_dict(),
            "traps": [part.as_dict(by) for part in self.traps],
            "longest_wins": [part._asdict() for part in self.longest],
            "symmetry": self.symmetry.as_dict(),
        }


class Reports(NamedTuple):
    """The report on one game, or the reports on two games, A and B."""

    reports: Sequence[Report]
    difference: Difference | None
    """The difference of A and B; None for one game, or if they have no position in common."""

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON; for two games, an object with `a`, `b` and `difference`."""
        if len(self.reports) == 1:
            return self.reports[0].as_dict()
        a, b = self.reports
        difference = self.difference
        changes = None if difference is None else difference_as_dict(a.db, b.db, difference)
        return {"a": a.as_dict(), "b": b.as_dict(), "difference": changes}
