"""The SQLite file of a solved game: open it, look things up. `solver.builder` makes it.

positions --< moves >-- positions        one row a state, one row a move: see schema.sql
about                                    which game, how solved, counts, SHA-256
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from solver.errors import (
    DamagedFile,
    ForeignFile,
    MissingFile,
    UnfinishedFile,
    UnknownPosition,
    UnreadablePosition,
    UnusableFile,
    UsageError,
)
from solver.notation import read_position, write_position
from solver.plugins import AnyGame, load_game

APPLICATION_ID = 0x70706C79
"""Marks the file as ours, in SQLite's header: "pply"."""

WAL_MODE = 2
"""SQLite's mark, in its header, of a file that somebody turned to write-ahead logging."""

FORMAT = 1
"""The version of the layout, SQLite's user_version."""

COLUMNS = "id, position, to_move, ply, value, outcome, remoteness, best_move, is_terminal"
"""The columns of `positions`, by name so that a file without one of them is found to be damaged."""

ABOUT = ("game", "parameters", "start", "states", "terminal", "moves", "sha256")
"""What `about` must say, so that a file can be used."""


@dataclass(frozen=True)
class Move:
    """One action in a position and what the player who makes it gets by it."""

    move: str | int
    """The action, by name."""
    position: str
    """The position after it."""
    outcome: str
    """`win`, `draw` or `loss` for the player who makes the move."""
    remoteness: int | None
    """Plies to the end, counted from the position before the move; None for a draw."""
    best: bool
    """Whether the move is one of the best."""


@dataclass(frozen=True)
class Entry:
    """One position of a solved game and its labels."""

    position: str
    """The state as text."""
    to_move: str
    """The name of the player to move."""
    ply: int | None
    """Plies since the start; None where ways of different length lead here."""
    value: int
    """The minimax value, for the first player."""
    outcome: str
    """`win`, `draw` or `loss` for the player to move."""
    remoteness: int | None
    """Plies to the end under best play; None for a draw that goes on."""
    best_move: str | int | None
    """The first of the best moves; None where the game is over."""
    is_terminal: bool
    """Whether the game is over."""
    moves: tuple[Move, ...]
    """Every move, in the order of the game's actions."""

    @property
    def ranked_moves(self) -> list[Move]:
        """The moves, best first: soonest win, draw, latest loss; equals in action order."""
        return sorted(self.moves, key=_rank)


class Database(Mapping[str, Entry]):
    """A solved game, read-only: from each position's text to its `Entry`.

    Texts are read as the game reads them, so `db["xo./.x./..."]` is `db["xo..x...."]`. A lookup raises
    `UnreadablePosition` (a ValueError) for a text that is no position and `UnknownPosition` (a KeyError)
    for a position that is not in the file.
    """

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`, as `open_database` does."""
        self.path = Path(path)
        self._connection = _connect(self.path)
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
        """The rules, with the parameters that were solved."""
        try:
            return load_game(self.game_name, self.parameters)
        except UsageError as error:
            raise UnusableFile(
                f"{self.path} cannot be used without the rules of its game: {error}"
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
        """The position from which everything in the file was reached."""
        return str(self.about["start"])

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        text = write_position(self.game, read_position(self.game, position))
        row = self._row(f"select {COLUMNS} from positions where position = ?", text)
        if row is None:
            raise UnknownPosition(
                f"the position {text!r} is not in {self.path}: play from {self.start!r} cannot reach it"
            )
        if row["position"] != text:
            raise DamagedFile(f"{self.path} is damaged (row {row['id']}); solve the game again")
        return self._entry(row)

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
        """The positions, breadth first from the start."""
        for row in self.stream("select position from positions order by id"):
            yield row["position"]

    def entries(self) -> Iterator[Entry]:
        """Every entry, breadth first from the start."""
        for row in self.stream(f"select {COLUMNS} from positions order by id"):
            yield self._entry(row)

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
            "select move, child.position, moves.outcome, moves.remoteness, is_best as best "
            "from moves left join positions as child on child.id = child_id "
            "where position_id = ? order by moves.rowid",
            row["id"],
        )
        for labels in (row, *moves):
            if labels["outcome"] not in ("win", "draw", "loss") or not isinstance(labels["position"], str):
                raise DamagedFile(f"{self.path} is damaged (row {row['id']}); solve the game again")
        fields = dict(row)
        del fields["id"]
        fields["is_terminal"] = bool(row["is_terminal"])
        return Entry(
            **fields, moves=tuple(Move(**{**dict(move), "best": bool(move["best"])}) for move in moves)
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into ours."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise DamagedFile(f"{self.path} is damaged ({error}); solve the game again") from error


def open_database(path: str | Path, *, errors: str = "strict") -> Database:
    """The solved game in the file at `path`, for reading; `errors` is how damaged text is decoded.

    Raises `MissingFile`, `ForeignFile`, `DamagedFile` or `UnfinishedFile`.
    """
    return Database(path, errors=errors)


def digest(connection: sqlite3.Connection) -> str:
    """The SHA-256, in hex, over all rows but its own, each as a JSON array in a line.

    First the positions by id, then the moves by rowid, then what else `about` says by key.
    """
    sha = hashlib.sha256()
    for rows in (
        f"select {COLUMNS} from positions order by id",
        "select position_id, move, child_id, outcome, remoteness, is_best from moves order by rowid",
        "select key, value from about where key != 'sha256' order by key",
    ):
        for row in connection.execute(rows):
            sha.update(json.dumps(tuple(row), separators=(",", ":"), default=repr).encode() + b"\n")
    return sha.hexdigest()


def _connect(path: Path) -> sqlite3.Connection:
    """A read-only connection to a file that is shown to be a complete database of ours."""
    if not path.is_file():
        kind = "is a folder" if path.is_dir() else "does not exist"
        raise MissingFile(f"{path} {kind}: build a database with `perfectplay solve GAME -o {path}`")
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        raise ForeignFile(
            f"{path} is empty: build a database with `perfectplay solve GAME -o {path} --force`"
        )
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise ForeignFile(f"{path} is not a database of perfectplay (not even SQLite)")
    page_size = int.from_bytes(header[16:18]) if header[16:18] != b"\0\1" else 65536
    expected = page_size * int.from_bytes(header[28:32])
    if path.stat().st_size < expected:
        raise DamagedFile(
            f"{path} is truncated: it has {path.stat().st_size:,} of {expected:,} bytes; solve the game again"
        )
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise ForeignFile(f"{path} is an SQLite database, but not one of perfectplay")
    if int.from_bytes(header[60:64]) != FORMAT:
        raise ForeignFile(
            f"{path} has format {int.from_bytes(header[60:64])}, this perfectplay reads format {FORMAT}"
        )
    real = path.resolve()
    # To read a file in WAL mode makes files beside it; where there is no WAL to merge, it is whole without.
    whole = header[19] == WAL_MODE and not real.with_name(f"{real.name}-wal").exists()
    options = "mode=ro&immutable=1" if whole else "mode=ro"
    connection = sqlite3.connect(f"file:{quote(str(real))}?{options}", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def _rank(move: Move) -> tuple[int, int]:
    remoteness = move.remoteness or 0
    group = {"win": 0, "draw": 1, "loss": 2}[move.outcome]
    return group, -remoteness if move.outcome == "loss" else remoteness
