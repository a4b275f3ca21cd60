"""A solved game as an SQLite file: open it, look things up, in whichever of two layouts it is.

    readable    a row for each position and each move           solver/database/readable/reader.py
    packed      a row for some thousand states at once          solver/database/packed/reader.py

Both answer alike. What they have in common is here: the table `about`, and how a file is opened and closed.
"""

import re
import sqlite3
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from solver.database.connections import Connections
from solver.database.entry import Count, Entry, Probe
from solver.database.header import Connection, complaint, crc32_of, damaged, layout_of
from solver.database.schema import FORMAT, PACKED_FORMAT
from solver.errors import (
    DamagedFile,
    SolverError,
    UnfinishedFile,
    UnknownPosition,
    UnreadablePosition,
    UnusableFile,
    UsageError,
)
from solver.game import ENDLESS, AnyGame
from solver.rules.loading import load_game
from solver.rules.notation import INTEGERS, known_state, read_position
from solver.rules.source.fingerprint import same_rules
from solver.system.progress import Progress, no_progress
from solver.system.strict_json import json_of

if TYPE_CHECKING:
    from solver.database.batch import BatchResult
    from solver.rules.arrays import Keys

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

MOST_FACTS = 64
"""More rows than this `about` does not have."""

NUMBER = re.compile("0|[1-9][0-9]{0,17}")
"""How `about` writes a number, which is less than 10**18."""

LAYOUTS = {
    FORMAT: "solver.database.readable.reader:ReadableDatabase",
    PACKED_FORMAT: "solver.database.packed.reader:PackedDatabase",
}
"""The layouts by number, each loaded when there is a file of it: nobody waits for what is not used."""


class Database(Mapping[str, Entry]):
    """A solved game, read-only: from each position's text to its `Entry`. `open_database` makes it.

    A folded one has one position of each class of symmetric ones, and answers for all of them.

    Texts are read as the game reads them, so `db["xo./.x./..."]` is `db["xo..x...."]`. A lookup raises
    `UnreadablePosition` (a ValueError) for a text that is no position and `UnknownPosition` (a KeyError)
    for a position that is not in the file. Any number of threads may ask at the same time, and processes that
    come of a fork.
    """

    about_keys: ClassVar[tuple[str, ...]] = ABOUT

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`, as `open_database` does."""
        self.path, self._errors = Path(path), errors
        self._connections = Connections(self.path, self._prepared)
        try:
            self.about = self._read_about()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; any thread may do it."""
        self._connections.close()

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

        Raises `ChangedRules` when they are not those that made the file, and `UntrustedRules` when they are
        code that this user has not run before; a rules file is not executed then.
        """
        try:
            name = same_rules(self.game_name, self.about["rules"], self.path)
            return load_game(name, self.parameters, trusted=False)
        except UnusableFile:
            raise
        except (UsageError, OSError) as error:
            beside = f" and none beside {self.path.name}" if ":" in self.game_name else ""
            raise UnusableFile(
                f"{self.path} cannot be used without the rules of its game: {error}{beside}"
            ) from error

    @cached_property
    def checked_game(self) -> AnyGame:
        """The rules, as `game`, once `about` is shown to be as it was written; else raises `DamagedFile`."""
        game = self.game
        self._check_about()
        return game

    @property
    def game_name(self) -> str:
        """The name of the game."""
        return self.about["game"]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the game, by name."""
        try:
            return dict[str, Any](json_of(self.about["parameters"], dict))
        except ValueError as error:
            raise self.damage(f"parameters: {error}") from error

    @property
    def start(self) -> str:
        """The position in which play begins, the first of them where there are several."""
        return self.about["start"]

    @property
    def starts(self) -> int:
        """In how many positions play may begin: so many are the first in the file."""
        return self.number("starts")

    @property
    def endless(self) -> str:
        """Who gets play that never ends: `draw`, `first` or `second`."""
        if (endless := self.about["endless"]) not in ENDLESS:
            raise self.damage(f"endless: {endless[:80]!r}")
        return endless

    @property
    def folded(self) -> bool:
        """Whether each position in the file stands for all that are symmetric to it."""
        if (folded := self.about["folded"]) not in ("true", "false"):
            raise self.damage(f"folded: {folded[:80]!r}")
        return folded == "true"

    @property
    def value_range(self) -> tuple[int, int]:
        """The least and the greatest minimax value, for the first player."""
        try:
            least, greatest = json_of(self.about["values"], list)
        except ValueError as error:
            raise self.damage(f"values: {error}") from error
        if not (type(least) is type(greatest) is int and least in INTEGERS and greatest in INTEGERS):
            raise self.damage("values: these are not two integers, or too large")
        return least, greatest

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

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        return self.entry_of(self.asked_state(position))

    @abstractmethod
    def entry_of(self, state: Any) -> Entry:
        """The entry of a state of the rules; raises `UnknownPosition`."""

    @abstractmethod
    def entries(self) -> Iterator[Entry]:
        """Every entry, in the order of the positions."""

    @abstractmethod
    def non_terminal(self) -> Iterator[str]:
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
        entry = self.entry_of(self.asked_state(position))
        return Probe(entry.value, entry.remoteness, tuple(move.move for move in entry.moves if move.best))

    @abstractmethod
    def lookup(self, positions: "Sequence[str] | Keys", *, best: bool = True) -> "BatchResult":
        """What is known of many positions at once, with the best moves unless `best` is false.

        Where the rules are a `PackedGame`, they may be given as an array of states. It is faster than one
        position after the other, and raises as a lookup of one does.
        """

    @abstractmethod
    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` is that of when they were written."""

    def asked_state(self, position: object) -> Any:
        """The state that is meant by a text, or by an integer where states are integers.

        Raises `UnreadablePosition`, and `UnknownPosition` for an integer that is no state.
        """
        try:
            if isinstance(position, str):
                return read_position(self.checked_game, position)
            return self._numbered_state(position)
        except UnknownPosition as error:
            raise UnknownPosition(f"no position in {self.path}: {error}") from None
        except UnreadablePosition as error:
            if position == self.start:
                raise self.damage(f"start: {error}") from error
            raise

    def _numbered_state(self, number: object) -> Any:
        """The state that is an integer; raises as `known_state` does."""
        return known_state(self.checked_game, number)

    def state_of(self, text: str) -> Any:
        """The state that a position in the file stands for."""
        try:
            return read_position(self.checked_game, text)
        except UnusableFile:
            raise
        except SolverError as error:
            raise self.damage(error) from error

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows that an SQL query gives; raises `DamagedFile` where the file cannot be read."""
        return list(self.stream(sql, *values))

    def tuples(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that an SQL query gives, as plain tuples, which are made faster; raises as `rows` does."""
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()

    def stream(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        """The rows that an SQL query gives, one at a time; raises as `rows` does."""
        with self._reading() as connection:
            cursor = connection.execute(sql, values)
            cursor.row_factory = sqlite3.Row
            try:
                yield from cursor
            finally:
                cursor.close()

    def number(self, key: str) -> int:
        """A number that the file says of itself."""
        if not NUMBER.fullmatch(self.about[key]):
            raise self.damage(f"{key}: {self.about[key][:80]!r} is no number")
        return int(self.about[key])

    def damage(self, problem: object) -> DamagedFile:
        """The error that says what is wrong with the file."""
        return damaged(self.path, problem)

    def unknown(self, position: str) -> UnknownPosition | DamagedFile:
        """The error for a position that is not in the file: without its start it is damaged."""
        if position == self.start:
            return self.damage(f"its start {position!r} is not in it")
        begins = repr(self.start) if self.starts == 1 else f"any of its {self.starts:,} starts"
        return UnknownPosition(
            f"the position {position!r} is not in {self.path}: play from {begins} cannot reach it"
        )

    def _prepared(self, connection: Connection) -> None:
        """Make a connection ready for queries."""
        connection.text_factory = lambda text: text.decode(errors=self._errors)

    def _read_about(self) -> dict[str, str]:
        about: dict[str, str] = dict(self.tuples(f"select key, value from about limit {MOST_FACTS}"))
        if not all(isinstance(word, str) for row in about.items() for word in row):
            raise self.damage("about does not hold texts")
        if "sha256" not in about:
            raise UnfinishedFile(
                f"{self.path} is unfinished: its build was interrupted; solve the game again"
            )
        if missing := [key for key in self.about_keys if key not in about]:
            raise self.damage(f"no {missing[0]!r} in about")
        return about

    def _check_about(self) -> None:
        """Raise `DamagedFile` unless `about` is as it was written, where it says by what that can be told."""
        told = sorted((key, text) for key, text in self.about.items() if key not in ("crc32", "sha256"))
        if self.about.get("crc32") not in (None, str(crc32_of(told))):
            raise self.damage("the checksum of about is another")

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection, whose complaints about the file become ours."""
        try:
            with self._connections.one() as connection:
                yield connection
        except sqlite3.Error as error:
            raise complaint(self.path, error) from error
        except UnicodeDecodeError as error:
            raise self.damage(error) from error


def open_database(path: str | Path, *, errors: str = "strict") -> Database:
    """The solved game in the file at `path`, for reading; `errors` is how damaged text is decoded.

    Raises `MissingFile`, `ForeignFile`, `DamagedFile` or `UnfinishedFile`.
    """
    layout: type[Database] = resolve_name(LAYOUTS[layout_of(Path(path))])
    return layout(path, errors=errors)
