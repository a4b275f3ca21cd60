"""Connects to the file of a solved game, after checking that it is one, complete and of a known format.

The file may be a stranger's and malicious. So the connection is read-only, SQLite's limits are set to what
our queries need, the schema is compared with ours, and a query is interrupted that takes more steps than an
honest file of that size can need: pages that all point to one page could otherwise give rows without end.
"""

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from urllib.parse import quote

from solver.database.entry import PositionRow
from solver.database.schema import FORMAT, FORMAT_WITHOUT_VIEWS, PACKED_FORMATS, foreign_object
from solver.errors import BusyFile, DamagedFile, ForeignFile, SolverError, UnusableFile
from solver.system.progress import Progress, no_progress, reported
from solver.system.words import no_file

APPLICATION_ID = 0x70706C79
"""The application id in SQLite's header, "pply"."""

WAL_MODE = 2
"""The read version in SQLite's header of a file in write-ahead logging mode."""

MAX_ROW_BYTES = {FORMAT_WITHOUT_VIEWS: 1 << 24, FORMAT: 1 << 24} | dict.fromkeys(PACKED_FORMATS, 1 << 20)
"""The most bytes of a row, by layout; writers refuse longer ones."""

ROWS_PER_READ = 16
"""Rows that are read at a time, each of up to `MAX_ROW_BYTES`."""

SQLITE_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 16,
    sqlite3.SQLITE_LIMIT_COLUMN: 32,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 32,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,  # a view of the schema has so many
    sqlite3.SQLITE_LIMIT_VDBE_OP: 1 << 14,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: len(PositionRow._fields),  # the digest passes all columns
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 64,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 1 << 10,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""Further limits of a connection, by SQLite's number of the limit."""

NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a journal that names another file."""

STEPS_PER_ROUND = 10_000
"""Steps of SQLite's virtual machine between calls of the progress handler."""

STEPS_PER_BYTE = 8
"""Steps that a query may take per byte of the file, about ten times what our queries take."""

NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""Errors of SQLite that do not concern the content of the file."""

DIGESTED = {
    ", ".join(PositionRow._fields): "positions order by id",
    "position_id, move, child_id, outcome, remoteness, is_best": "moves order by rowid",
    "key, value": "about where key != 'sha256' order by key",
}
"""The columns that the digest of a readable file covers, with their table and the order of its rows."""

TO_JSON = json.JSONEncoder(separators=(",", ":"), default=repr).encode
"""Writes values as JSON without spaces; a value that JSON lacks becomes the text of its `repr`."""


def digest(connection: sqlite3.Connection, *, progress: Progress = no_progress) -> str:
    """The SHA-256, in hex, over all rows of a readable file but its own, each a JSON array in a line.

    It covers the positions by id, the moves by rowid, and `about` by key.
    """
    sha = hashlib.sha256()
    for columns, rows in DIGESTED.items():
        cursor = connection.execute(f"select cast(json_array({columns}) as blob) from {rows}")
        parts = iter(partial(cursor.fetchmany, ROWS_PER_READ), [])
        for part in reported(progress, "checking the digest", parts, None, len):
            lines = b"\n".join(chain.from_iterable(part)) + b"\n"
            if not lines.isascii() or b"\\" in lines or b"\x7f" in lines:  # SQLite writes them differently
                lines = lines_of([json.loads(line.decode(errors="replace")) for (line,) in part])
            sha.update(lines)
    return sha.hexdigest()


def layout_of(path: Path) -> int:
    """The layout of a complete database; raises `MissingFile`, `ForeignFile` or `DamagedFile`."""
    return int.from_bytes(_header(path)[60:64])


def is_database(path: Path) -> bool:
    """Whether a file is a complete database."""
    try:
        layout_of(path)
    except SolverError:
        return False
    return True


class Connection(sqlite3.Connection):
    """A connection that interrupts a query after `rounds` times `STEPS_PER_ROUND` steps."""

    rounds = 2

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a query, with the full number of steps."""
        self.set_progress_handler(partial(next, chain(repeat(0, self.rounds), repeat(1))), STEPS_PER_ROUND)
        return super().execute(sql, parameters)


def connect(path: Path) -> Connection:
    """A read-only connection to a complete database; any thread may use it, one at a time.

    Raises as `layout_of` does, `DamagedFile` if the schema is not ours, and `BusyFile`.
    """
    header, real = _header(path), path.resolve()
    # Reading a file in WAL mode creates files beside it; without a WAL to merge the file alone is complete.
    wal = real.with_name(f"{real.name}-wal")
    is_alone = header[19] == WAL_MODE and not wal.exists()
    options = "mode=ro&immutable=1" if is_alone else "mode=ro"
    try:
        connection = sqlite3.connect(
            f"file:{quote(os.fsencode(real))}?{options}",
            uri=True,
            factory=Connection,
            check_same_thread=False,
        )
        try:
            _restrict(connection, path, int.from_bytes(header[60:64]))
            size = real.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise complaint(path, error) from error
    connection.rounds += STEPS_PER_BYTE * size // STEPS_PER_ROUND + 20
    return connection


def _roll_back(path: Path) -> None:
    """Roll back what a killed `solver.proof.verify` has written, which a read-only connection cannot do.

    A journal over several databases names another file, which SQLite might delete: it is left alone.
    """
    journal = path.with_name(f"{path.name}-journal")
    if not (journal.is_file() and os.access(path, os.W_OK)):
        return
    with suppress(OSError, sqlite3.Error), journal.open("rb") as file:
        file.seek(-len(NAMES_ANOTHER), os.SEEK_END)
        if file.read() != NAMES_ANOTHER:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("select 1 from sqlite_schema")


def damaged(path: Path, problem: object) -> DamagedFile:
    """The error that reports a problem of a file."""
    return DamagedFile(f"{path} is damaged ({problem}); solve the game again")


def complaint(path: Path, error: sqlite3.Error) -> UnusableFile:
    """An error of SQLite as `DamagedFile`, or as `BusyFile` if it does not concern the content."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF in NOT_DAMAGE:
        return BusyFile(f"{path} cannot be read now ({error}): is another program writing it?")
    return damaged(path, "a query of it does not end" if code == sqlite3.SQLITE_INTERRUPT else error)


def crc32_of(rows: Iterable[Iterable[object]]) -> int:
    """The CRC-32 over rows, each as a JSON array in a line."""
    return zlib.crc32(b"".join(map(line_of, rows)))


def line_of(row: Iterable[object]) -> bytes:
    """A row as a JSON array in a line, the form that checksums cover."""
    return TO_JSON(tuple(row)).encode() + b"\n"


def lines_of(rows: Sequence[Sequence[object]]) -> bytes:
    """Rows as `line_of` writes each of them, in a fifth of the time."""
    text = TO_JSON(rows)[1:-1]
    if text.count("],[") != len(rows) - 1:  # a text has it, too
        return b"".join(map(line_of, rows))
    return text.replace("],[", "]\n[").encode() + b"\n"


def _restrict(connection: Connection, path: Path, layout: int) -> None:
    """Restrict a connection to what our queries need; raises `DamagedFile` if the schema is not ours."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * MAX_ROW_BYTES[layout])  # sorting adds to a row
    for limit, most in SQLITE_LIMITS.items():
        connection.setlimit(limit, most)
    # Not mapped into memory: if another program truncated the file, a read would raise SIGBUS.
    for pragma in ("mmap_size = 0", "trusted_schema = off", "query_only = on", "cell_size_check = on"):
        connection.execute(f"pragma {pragma}")
    if (problem := foreign_object(layout, connection)) is not None:
        raise damaged(path, problem)


def _header(path: Path) -> bytes:
    if not path.is_file():
        name = "FILE.db" if path.exists() or str(path) == "-" else path
        instead = f"build a database with `perfectplay solve GAME -o {name}`"
        names = path.name.lower(), f"{path.name}.db".lower()  # `solve race.py:Race` writes Race.db
        near = path.parent.glob("*.db") if path.parent.is_dir() else ()
        for meant in sorted(item for item in near if item.name.lower() in names and item.is_file()):
            instead = f"did you mean {meant}?"
        raise no_file(path, instead)
    _roll_back(path.resolve())
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        raise ForeignFile(
            f"{path} is empty: build a database with `perfectplay solve GAME -o {path} --force`"
        )
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        build = f"build one with `perfectplay solve {path if path.suffix == '.py' else 'GAME'} -o FILE.db`"
        raise ForeignFile(f"{path} is not a database of perfectplay (not even SQLite): {build}")
    page_size = int.from_bytes(header[16:18]) if header[16:18] != b"\0\1" else 65536
    expected = page_size * int.from_bytes(header[28:32])
    if path.stat().st_size < expected:
        raise DamagedFile(
            f"{path} is truncated: it has {path.stat().st_size:,} of {expected:,} bytes; solve the game again"
        )
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise ForeignFile(f"{path} is an SQLite database, but not one of perfectplay")
    if (layout := int.from_bytes(header[60:64])) not in MAX_ROW_BYTES:
        formats = ", ".join(map(str, MAX_ROW_BYTES))
        raise ForeignFile(f"{path} has format {layout}, this perfectplay reads the formats {formats}")
    return header
