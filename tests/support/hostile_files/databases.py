"""Databases with one false value each: in the schema, in a row, or in the table `about`.

All checksums fit, so that none of the files is refused for its checksums.
"""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from solver.database.header import crc32_of, digest
from solver.database.packed.counts import COUNTS
from solver.database.packed.writer import digest as packed_digest
from solver.database.schema import PACKED_FORMAT

DEEP = "[" * 50_000 + "]" * 50_000

TEXTS = (
    *("", "x", "draw\nwin", "\x1b[31m", "\x00", "\udc80", "9" * 5000, "-1", "1e400", "NaN", "NULL"),
    *("x" * 1_000_000, DEEP),
)
NUMBERS = (-1, 0, 1, 2, 7, 4096, 4097, 2**31, 2**32 + 1, 2**62, 2**63 - 1, -(2**63))
ODD = (None, 1.5, float("inf"), b"", b"\xff\xfe", b"x" * 1_000_000)
VALUES: tuple[Any, ...] = (*TEXTS, *NUMBERS, *ODD)
"""Wrong values for a column."""

JSON = (
    *("", "{", "null", "5", "[]", "[1]", "[[]]", '["a", "b"]', "[NaN, 1]", "[1.5, 2]", "[true, false]"),
    *("[-1e999, 1]", "[5, -5]", "[0, 99999999999999999999999]", f"[0, {'9' * 5000}]", DEEP, '{"rows": NaN}'),
    *('{"rows": 2, "rows": 2}', '{"rows": []}', '{"rows": {}}', '{"rows": "\\ud800"}', '{"rows": -1}'),
    *('{"rows": 2.5}', '{"rows": true}', '{"rows": null}', '{"": 1}', '{"self": 1}', '[["rows", 2]]'),
    '{"rows": ' * 5000 + "1" + "}" * 5000,
)
"""Wrong texts in place of JSON."""

SCHEMAS = (
    "create view evil as select 1",
    "create view evil as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n",
    "create trigger evil after insert on about begin delete from about; end",
    *("create table evil (a, b)", "create table evil (a as (b + 1), b)"),
    *("create virtual table evil using fts5(a)", "create virtual table evil using rtree(a, b, c)"),
    *("create index evil on about (value)", "create unique index evil on about (key, value) where 1"),
    *("create table sqlite_like (a)", "drop table about", "alter table about add column more text"),
    *("alter table about rename to evil", "alter table about rename column value to other", "analyze"),
)
"""Changes to any schema."""

ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select {} from n"

REPLACED = (
    "create view {name} as " + ENDLESS,
    "create table {name} ({columns})",
    "create table {name} ({columns}) without rowid",
    "create table {name} (a primary key, {columns}) strict",
    "create virtual table {name} using fts5({columns})",
)
"""Objects in place of a table."""


class Case(NamedTuple):
    """A file that lies."""

    name: str
    """A short description."""
    spoil: Callable[[sqlite3.Connection], object]
    """The change to a sound file."""


def made(sound: Path, case: Case, path: Path) -> bool:
    """Make the file of a case at `path` from a copy; return whether SQLite allows it."""
    path.unlink(missing_ok=True)  # a process may still have it open
    shutil.copy(sound, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = off", "synchronous = off", "ignore_check_constraints = on"):
            connection.execute(f"pragma {pragma}")
        connection.execute("pragma foreign_keys = off")
        try:
            connection.execute("begin")
            case.spoil(connection)
        except (sqlite3.Error, OverflowError, UnicodeEncodeError):
            return False
        with suppress(sqlite3.Error, TypeError, ValueError):
            seal(connection)
        connection.execute("commit")
    return True


def seal(connection: sqlite3.Connection) -> None:
    """Make all checksums fit again, except those of blocks."""
    packed = connection.execute("pragma user_version").fetchone()[0] == PACKED_FORMAT
    facts = "select key, value from about where key not in ('crc32', 'sha256') order by key"
    if packed:
        _tell(connection, "counts_crc32", str(crc32_of(connection.execute(COUNTS))))
    _tell(connection, "crc32", str(crc32_of(connection.execute(facts))))
    _tell(connection, "sha256", packed_digest(connection) if packed else digest(connection))


def set_about(path: Path, key: str, value: str | None) -> None:
    """Set or remove a row of the table `about` of a file, and make all checksums fit."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("delete from about where key = ?", (key,))
        if value is not None:
            connection.execute("insert into about values (?, ?)", (key, value))
        seal(connection)


def _tell(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("update about set value = ? where key = ?", (value, key))


def all_cases(sound: Path) -> Iterator[Case]:
    """All cases for a sound file."""
    with closing(sqlite3.connect(sound)) as connection:
        columns = {
            name: [row[1] for row in connection.execute(f"pragma table_info({name})")]
            for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")
        }
        keys = [row[0] for row in connection.execute("select key from about")]
    for sql in SCHEMAS:
        yield Case(sql[:40], _does(sql))
    for name, plain in columns.items():
        for form in REPLACED:
            sql = form.format(", ".join(plain[1:]), name=name, columns=", ".join(plain))
            yield Case(f"{name}: {sql[:30]}", _replaces(name, plain, sql))
        yield Case(f"no {name}", _does(f"delete from {name}"))
        yield Case(f"half of {name}", _does(f"delete from {name} where rowid % 2"))
        yield Case(f"{name} twice", _doubles(name, plain))
        for column in plain:
            for value in VALUES:
                said = _shown(value)
                for where in ("", "where rowid = 1", "where rowid % 3 = 2"):
                    yield Case(f"{name}.{column} = {said} {where}", _sets(name, column, value, where))
    for key in keys:
        yield Case(f"without {key}", _does(f"delete from about where key = '{key}'"))
        for text in (*TEXTS, *JSON, *map(str, NUMBERS), *map(str, range(20))):
            yield Case(f"{key} = {text[:20]!r}", _sets("about", "value", text, f"where key = '{key}'"))
    if "blocks" in columns:
        yield from _block_cases()


def _block_cases() -> Iterator[Case]:
    """Wrong blocks whose own checksums fit."""
    contents = (
        *(b"", b"\x00", b"\xff" * 10, b"\x00" + b"\xff" * 8 + b"\x7f" * 20),
        *(bytes(4096), bytes(36_864), bytes(10_000_000)),
        *(bytes([0, *[1] * more]) for more in range(12)),
        *(bytes([0, *[129] * more, *[1] * more]) for more in range(12)),
        *(bytes([127, *[128] * more]) for more in range(12)),
    )
    frames = (b"", b"\x28\xb5\x2f\xfd", *map(zstandard.compress, contents))
    for column in ("stage", "is_terminal", "first", "states", "keys", "labels"):
        for value in (*VALUES, *frames):
            said = _shown(value)
            for where in ("", "where id = 1", "where id = (select max(id) from blocks)", "where id = 3"):
                yield Case(f"blocks.{column} = {said} {where}, sealed", _block(column, value, where))


def _shown(value: Any) -> str:
    """The beginning of a value, as some are long."""
    return repr(value[:30] if isinstance(value, str | bytes) else value)[:30]


def _does(sql: str) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.execute(sql)


def _sets(table: str, column: str, value: Any, where: str) -> Callable[[sqlite3.Connection], object]:
    """Put a value of any type into a column, whatever the file's schema allows."""

    def spoil(connection: sqlite3.Connection) -> None:
        text = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        sql = f"update {table} set {column} = {'cast(? as text)' if isinstance(value, str) else '?'} {where}"
        with _loose(connection, table):
            connection.execute(sql, (text,))

    return spoil


@contextmanager
def _loose(connection: sqlite3.Connection, table: str) -> Iterator[None]:
    """Let a table accept any value meanwhile."""
    (sql,) = connection.execute("select sql from sqlite_schema where name = ?", (table,)).fetchone()
    types = " (integer|text|blob)(?! primary key)(?=[ ,])"
    _write(connection, table, re.sub(f"strict|not null|{types}", "", sql))
    yield
    _write(connection, table, sql)


def _write(connection: sqlite3.Connection, table: str, sql: str) -> None:
    version = connection.execute("pragma schema_version").fetchone()[0]
    connection.execute("pragma writable_schema = on")
    connection.execute("update sqlite_schema set sql = ? where name = ?", (sql, table))
    connection.execute(f"pragma schema_version = {version + 1}")
    connection.execute("pragma writable_schema = off")


def _replaces(name: str, columns: Sequence[str], sql: str) -> Callable[[sqlite3.Connection], object]:
    def spoil(connection: sqlite3.Connection) -> None:
        rows = connection.execute(f"select * from {name}").fetchall()
        connection.execute(f"drop table {name}")
        connection.execute(sql)
        with suppress(sqlite3.Error):
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"insert into {name} ({', '.join(columns)}) values ({marks})", rows)

    return spoil


def _doubles(name: str, columns: Sequence[str]) -> Callable[[sqlite3.Connection], object]:
    """Duplicate each row, with slightly different numbers."""

    def spoil(connection: sqlite3.Connection) -> None:
        for row in connection.execute(f"select * from {name}").fetchall():
            other = [value + 1000 if isinstance(value, int) else value for value in row]
            if name == "positions":
                other[1] = f"{other[1]} {row[0]}"
            with suppress(sqlite3.Error):
                connection.execute(f"insert into {name} values ({', '.join('?' * len(columns))})", other)

    return spoil


def _block(column: str, value: Any, where: str) -> Callable[[sqlite3.Connection], object]:
    def spoil(connection: sqlite3.Connection) -> None:
        from solver.database.packed.block import checksum

        _sets("blocks", column, value, where)(connection)
        sql = f"select id, stage, is_terminal, first, states, keys, labels from blocks {where}"
        for number, *block in connection.execute(sql).fetchall():
            with suppress(Exception):
                connection.execute("update blocks set crc32 = ? where id = ?", (checksum(*block), number))

    return spoil


def swollen(path: Path, size: int) -> None:
    """Put a text or bytes of this size into each of the first rows of a file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        packed = connection.execute("pragma user_version").fetchone()[0] == PACKED_FORMAT
        change = (
            "blocks set keys = zeroblob(?)" if packed else "positions set to_move = cast(zeroblob(?) as text)"
        )
        connection.execute(f"update {change} where id < 30", (size,))
