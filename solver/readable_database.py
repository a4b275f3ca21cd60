"""A solved game in the readable layout, which `solver.builder` makes.

positions --< moves >-- positions        one row a state, one row a move: see schema.sql
about                                    which game, how solved, counts, SHA-256
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from solver.database import Database
from solver.entry import Count, Entry, Move
from solver.folding import of_member, representative
from solver.notation import read_position, write_position
from solver.progress import Progress, no_progress
from solver.solved_file import COLUMNS, LABELS, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.answers import Answers
    from solver.arrays import Keys


class ReadableDatabase(Database):
    """A solved game, a row for each position; they come breadth first from the starts."""

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        state = read_position(self.game, position)
        text = write_position(self.game, state)
        stored = write_position(self.game, representative(self.game, state)) if self.folded else text
        row = self._row(f"select {COLUMNS} from positions where position = ?", stored)
        if row is None:
            raise self.unknown(text)
        if row["position"] != stored:
            raise self.damage(f"row {row['id']}")
        entry = self._entry(row)
        return of_member(self.game, entry, state) if self.folded else replace(entry, game=self.game)

    def __len__(self) -> int:
        """The number of positions."""
        return int(self.rows("select count(*) from positions")[0][0])

    def __iter__(self) -> Iterator[str]:
        """The positions, breadth first from the starts."""
        for row in self.stream("select position from positions order by id"):
            yield row["position"]

    def entries(self) -> Iterator[Entry]:
        """Every entry, breadth first from the starts."""
        for row in self.stream(f"select {COLUMNS} from positions order by id"):
            entry = self._entry(row)
            if self.folded:
                entry = of_member(self.game, entry, read_position(self.game, entry.position))
            yield entry

    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` is that of when they were written."""
        with self._reading():
            return digest(self._connection, progress=progress)

    def undecided(self) -> Iterator[str]:
        """The positions in which the game is not over, in order."""
        for row in self.stream("select position from positions where not is_terminal order by id"):
            yield row["position"]

    def having(self, outcome: str, remoteness: int) -> Iterator[tuple[int | None, str]]:
        """The ply and the text of each position with this outcome and remoteness, in order of plies."""
        for row in self.stream(
            "select ply, position from positions where outcome = ? and remoteness = ? order by ply, id",
            outcome,
            remoteness,
        ):
            yield row["ply"], row["position"]

    def counts(self) -> list[Count]:
        """How many positions there are of each kind."""
        kinds = "ply, is_terminal, outcome, value, remoteness"
        rows = self.rows(f"select {kinds}, count(*) from positions group by {kinds} order by {kinds}")
        return [Count(row[0], bool(row[1]), *row[2:]) for row in rows]

    @property
    def moves(self) -> int:
        """The number of moves in all positions."""
        return int(self.rows("select count(*) from moves")[0][0])

    def lookup(self, positions: "Sequence[str] | Keys", *, best: bool = True) -> "Answers":
        """What is known of many positions at once; see `Database.lookup`."""
        answers: Answers = resolve_name("solver.lookup:one_by_one")(self, positions, best=best)
        return answers

    def _row(self, sql: str, *values: object) -> sqlite3.Row | None:
        return next(iter(self.rows(sql, *values)), None)

    def _entry(self, row: sqlite3.Row) -> Entry:
        moves = self.rows(
            "select move as move, child.position as position, moves.outcome as outcome, "
            "moves.remoteness as remoteness, is_best as best, child.value as value "
            "from moves left join positions as child on child.id = child_id "
            "where position_id = ? order by moves.rowid",
            row["id"],
        )
        for labels in (row, *moves):
            if not _is_sound(labels):
                raise self.damage(f"row {row['id']}")
        # By name: a column whose name was damaged in its case is still found, but not called what we expect.
        fields = {column: row[column] for column in LABELS}
        return Entry(
            **{**fields, "is_terminal": bool(row["is_terminal"])},
            moves=tuple(
                Move(
                    move["move"],
                    move["position"],
                    move["outcome"],
                    move["remoteness"],
                    bool(move["best"]),
                    move["value"],
                )
                for move in moves
            ),
        )


def _is_sound(labels: sqlite3.Row) -> bool:
    """Whether the labels of a position or a move are of the kinds that they should be."""
    return (
        labels["outcome"] in ("win", "draw", "loss")
        and isinstance(labels["position"], str)
        and isinstance(labels["value"], int)
        and isinstance(labels["remoteness"], int | None)
    )
