"""A solved game as an SQLite file: open it, look things up, in whichever of two layouts it is.

    readable    a row for each position and each move           solver/readable_database.py
    packed      a row for some thousand states at once          solver/packed_layout/database.py

Both answer alike. What they have in common is here: the table `about`, and how a file is opened and closed.
"""

import json
import sqlite3
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from solver.entry import Count, Entry, Probe
from solver.errors import (
    DamagedFile,
    SolverError,
    UnfinishedFile,
    UnknownPosition,
    UnreadablePosition,
    UnusableFile,
    UsageError,
)
from solver.fingerprint import same_rules
from solver.game import ENDLESS
from solver.notation import write_position
from solver.plugins import AnyGame, load_game
from solver.progress import Progress, no_progress
from solver.solved_file import FORMAT, PACKED_FORMAT, connect, layout_of

if TYPE_CHECKING:
    from solver.answers import Answers
    from solver.arrays import Keys

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

LAYOUTS = {
    FORMAT: "solver.readable_database:ReadableDatabase",
    PACKED_FORMAT: "solver.packed_layout.database:PackedDatabase",
}
"""The layouts by number, each loaded when there is a file of it: nobody waits for what is not used."""


class Database(Mapping[str, Entry]):
    """A solved game, read-only: from each position's text to its `Entry`. `open_database` makes it.

    A folded one has one position of each class of symmetric ones, and answers for all of them.

    Texts are read as the game reads them, so `db["xo./.x./..."]` is `db["xo..x...."]`. A lookup raises
    `UnreadablePosition` (a ValueError) for a text that is no position and `UnknownPosition` (a KeyError)
    for a position that is not in the file.
    """

    about_keys: ClassVar[tuple[str, ...]] = ABOUT

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
            raise self.damage(f"parameters: {error}") from error

    @property
    def start(self) -> str:
        """The position in which play begins, the first of them where there are several."""
        return str(self.about["start"])

    @property
    def starts(self) -> int:
        """In how many positions play may begin: so many are the first in the file."""
        return self.number("starts")

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
            raise self.damage(f"folded: {folded!r}")
        return folded == "true"

    @property
    def value_range(self) -> tuple[int, int]:
        """The least and the greatest minimax value, for the first player."""
        try:
            least, greatest = json.loads(self.about["values"])
            return int(least), int(greatest)
        except (TypeError, ValueError) as error:
            raise self.damage(f"values: {error}") from error

    @property
    def scored(self) -> bool:
        """Whether it matters by how much a game is won: whether some utility is other than -1, 0 and 1."""
        least, greatest = self.value_range
        return least < -1 or greatest > 1

    def __contains__(self, position: object) -> bool:
        """Whether this is the text of a position in the file; what cannot be read is none."""
        try:
            return isinstance(position, str) and bool(self[position])
        except (UnknownPosition, UnreadablePosition):
            return False

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows: that of the start."""
        try:
            return self[self.start]._repr_svg_()
        except SolverError:
            return None

    @abstractmethod
    def entries(self) -> Iterator[Entry]:
        """Every entry, in the order of the positions."""

    @abstractmethod
    def undecided(self) -> Iterator[str]:
        """The positions in which the game is not over, in order."""

    @abstractmethod
    def having(self, outcome: str, remoteness: int) -> Iterator[tuple[int | None, str]]:
        """The ply and the text of each position with this outcome and remoteness, in order of plies."""

    @abstractmethod
    def counts(self) -> list[Count]:
        """How many positions there are of each kind."""

    @property
    @abstractmethod
    def moves(self) -> int:
        """The number of moves in all positions."""

    def probe(self, position: str | int) -> Probe:
        """The labels and the best moves of a position, or of a state that is an integer; raises as a lookup.

        It is faster than the whole entry where the layout is packed.
        """
        text = position if isinstance(position, str) else write_position(self.game, position)
        entry = self[text]
        return Probe(entry.value, entry.remoteness, tuple(move.move for move in entry.moves if move.best))

    @abstractmethod
    def lookup(self, positions: "Sequence[str] | Keys", *, best: bool = True) -> "Answers":
        """What is known of many positions at once, with the best moves unless `best` is false.

        Where the rules are a `PackedGame`, they may be given as an array of states. It is faster than one
        position after the other, and raises as a lookup of one does.
        """

    @abstractmethod
    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` is that of when they were written."""

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows that an SQL query gives; raises `DamagedFile` where the file cannot be read."""
        with self._reading():
            return self._connection.execute(sql, values).fetchall()

    def stream(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        """The rows that an SQL query gives, one at a time; raises as `rows` does."""
        with self._reading():
            for row in self._connection.execute(sql, values):  # noqa: UP028 (it would close the cursor too late)
                yield row

    def number(self, key: str) -> int:
        """A number that the file says of itself."""
        try:
            return int(self.about[key])
        except ValueError as error:
            raise self.damage(f"{key}: {error}") from error

    def damage(self, problem: object) -> DamagedFile:
        """The error that says what is wrong with the file."""
        return DamagedFile(f"{self.path} is damaged ({problem}); solve the game again")

    def unknown(self, position: str) -> UnknownPosition:
        """The error for a position that is not in the file."""
        begins = repr(self.start) if self.starts == 1 else f"any of its {self.starts:,} starts"
        return UnknownPosition(
            f"the position {position!r} is not in {self.path}: play from {begins} cannot reach it"
        )

    def _read_about(self) -> dict[str, str]:
        about = {row["key"]: row["value"] for row in self.rows("select key, value from about")}
        if "sha256" not in about:
            raise UnfinishedFile(
                f"{self.path} is unfinished: its build was interrupted; solve the game again"
            )
        if not all(isinstance(text, str) for row in about.items() for text in row):
            raise self.damage("what is no text in about")
        if missing := [key for key in self.about_keys if key not in about]:
            raise self.damage(f"no {missing[0]!r} in about")
        return about

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into ours."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self.damage(error) from error


def open_database(path: str | Path, *, errors: str = "strict") -> Database:
    """The solved game in the file at `path`, for reading; `errors` is how damaged text is decoded.

    Raises `MissingFile`, `ForeignFile`, `DamagedFile` or `UnfinishedFile`.
    """
    layout: type[Database] = resolve_name(LAYOUTS[layout_of(Path(path))])
    return layout(path, errors=errors)
