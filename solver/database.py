"""The SQLite file of a solved game: open it, look things up. `solver.builder` makes it.

positions --< moves >-- positions        one row a state, one row a move: see schema.sql
about                                    which game, how solved, counts, SHA-256
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from solver.entry import Entry, Move
from solver.errors import (
    DamagedFile,
    UnfinishedFile,
    UnknownPosition,
    UnreadablePosition,
    UnusableFile,
    UsageError,
)
from solver.fingerprint import same_rules
from solver.folding import of_member, representative
from solver.game import ENDLESS
from solver.notation import read_position, write_position
from solver.plugins import AnyGame, load_game
from solver.solved_file import COLUMNS, LABELS, connect, digest

ABOUT = (
    "game",
    "rules",
    "parameters",
    "start",
    "starts",
    "endless",
    "folded",
    "values",
    "states",
    "terminal",
    "moves",
    "sha256",
)
"""What `about` must say, so that a file can be used."""


class Database(Mapping[str, Entry]):
    """A solved game, read-only: from each position's text to its `Entry`.

    A folded one has one position of each class of symmetric ones, and answers for all of them.

    Texts are read as the game reads them, so `db["xo./.x./..."]` is `db["xo..x...."]`. A lookup raises
    `UnreadablePosition` (a ValueError) for a text that is no position and `UnknownPosition` (a KeyError)
    for a position that is not in the file.
    """

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`, as `open_database` does."""
        self.path = Path(path)
        self._connection = connect(self.path)
        self._connection.text_factory = lambda text: text.decode(errors=errors)
        try:
            self.about = self._read_about()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Return the database; leaving the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    @cached_property
    def game(self) -> AnyGame:
        """The rules, with the parameters that were solved.

        Raises `ChangedRules` when they are not those that made the file; a rules file is not executed then.
        """
        try:
            return load_game(same_rules(self.game_name, self.about["rules"], self.path), self.parameters)
        except UsageError as error:
            beside = f" and none beside {self.path.name}" if ":" in self.game_name else ""
            raise UnusableFile(
                f"{self.path} cannot be used without the rules of its game: {error}{beside}"
            ) from error

    @property
    def game_name(self) -> str:
        """The name of the game."""
        return str(self.about["game"])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the game, by name."""
        try:
            return dict(json.loads(self.about["parameters"]))
        except (TypeError, ValueError) as error:
            raise DamagedFile(
                f"{self.path} is damaged (parameters: {error}); solve the game again"
            ) from error

    @property
    def start(self) -> str:
        """The position in which play begins, the first of them where there are several."""
        return str(self.about["start"])

    @property
    def starts(self) -> int:
        """In how many positions play may begin: so many are the first in the file."""
        try:
            return int(self.about["starts"])
        except ValueError as error:
            raise DamagedFile(f"{self.path} is damaged (starts: {error}); solve the game again") from error

    @property
    def endless(self) -> str:
        """Who gets play that never ends: `draw`, `first` or `second`."""
        if (endless := self.about["endless"]) not in ENDLESS:
            raise DamagedFile(f"{self.path} is damaged (endless: {endless!r}); solve the game again")
        return endless

    @property
    def folded(self) -> bool:
        """Whether each position in the file stands for all that are symmetric to it."""
        if (folded := self.about["folded"]) not in ("true", "false"):
            raise DamagedFile(f"{self.path} is damaged (folded: {folded!r}); solve the game again")
        return folded == "true"

    @property
    def scored(self) -> bool:
        """Whether it matters by how much a game is won: whether some utility is other than -1, 0 and 1."""
        try:
            least, greatest = json.loads(self.about["values"])
            return bool(least < -1 or greatest > 1)
        except (TypeError, ValueError) as error:
            raise DamagedFile(f"{self.path} is damaged (values: {error}); solve the game again") from error

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        state = read_position(self.game, position)
        text = write_position(self.game, state)
        stored = write_position(self.game, representative(self.game, state)) if self.folded else text
        row = self._row(f"select {COLUMNS} from positions where position = ?", stored)
        if row is None:
            begins = repr(self.start) if self.starts == 1 else f"any of its {self.starts:,} starts"
            raise UnknownPosition(
                f"the position {text!r} is not in {self.path}: play from {begins} cannot reach it"
            )
        if row["position"] != stored:
            raise DamagedFile(f"{self.path} is damaged (row {row['id']}); solve the game again")
        return of_member(self.game, self._entry(row), state) if self.folded else self._entry(row)

    def __contains__(self, position: object) -> bool:
        """Whether this is the text of a position in the file; what cannot be read is none."""
        try:
            return isinstance(position, str) and bool(self[position])
        except (UnknownPosition, UnreadablePosition):
            return False

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

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows that an SQL query gives; raises `DamagedFile` where the file cannot be read."""
        with self._reading():
            return self._connection.execute(sql, values).fetchall()

    def stream(self, sql: str) -> Iterator[sqlite3.Row]:
        """The rows that an SQL query gives, one at a time; raises as `rows` does."""
        with self._reading():
            for row in self._connection.execute(sql):  # noqa: UP028 (it would close the cursor too late)
                yield row

    def digest(self) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` is that of when they were written."""
        with self._reading():
            return digest(self._connection)

    def _read_about(self) -> dict[str, str]:
        about = {row["key"]: row["value"] for row in self.rows("select key, value from about")}
        if "sha256" not in about:
            raise UnfinishedFile(
                f"{self.path} is unfinished: its build was interrupted; solve the game again"
            )
        if missing := [key for key in ABOUT if key not in about]:
            raise DamagedFile(f"{self.path} is damaged (no {missing[0]!r} in about); solve the game again")
        return about

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
                raise DamagedFile(f"{self.path} is damaged (row {row['id']}); solve the game again")
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

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into ours."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise DamagedFile(f"{self.path} is damaged ({error}); solve the game again") from error


def _is_sound(labels: sqlite3.Row) -> bool:
    """Whether the labels of a position or a move are of the kinds that they should be."""
    return (
        labels["outcome"] in ("win", "draw", "loss")
        and isinstance(labels["position"], str)
        and isinstance(labels["value"], int)
        and isinstance(labels["remoteness"], int | None)
    )


def open_database(path: str | Path, *, errors: str = "strict") -> Database:
    """The solved game in the file at `path`, for reading; `errors` is how damaged text is decoded.

    Raises `MissingFile`, `ForeignFile`, `DamagedFile` or `UnfinishedFile`.
    """
    return Database(path, errors=errors)
