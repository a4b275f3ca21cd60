"""Writes the SQLite file of the readable layout: positions, moves, and the table `about` with its checksums.

The same rows make the same bytes. As in the packed layout nothing is synced and there is no journal: an
unfinished file is thrown away by `solver.system.files.atomic_target`, or refused because it has no digest.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

from sqlite_utils import Database as SqliteUtils

from solver.database.header import APPLICATION_ID, MAX_ROW_BYTES, lines_of
from solver.database.metadata import checksum_of
from solver.database.schema import FORMAT, readable_sql
from solver.errors import UnwritableFile

ROWS_PER_STATEMENT = 100
"""Rows that one statement inserts, which is more than twice as fast as a statement for each."""

CACHE_KIB = 32 << 10
"""KiB of pages that SQLite caches."""

Row: TypeAlias = Sequence[Any]
"""The values of a row, in the order of the columns."""


def write_readable(
    path: Path, positions: Iterable[Row], moves: Iterable[Row], about: Mapping[str, str], *, move_type: str
) -> None:
    """Write a new file at `path`: rows of `positions` in order of their ids, and of `moves` in theirs.

    `move_type` is `integer` or `text`. Checksum and digest are added to the rows of `about`, which
    `solver.database.metadata.Metadata` makes. Raises `UnwritableFile`, sqlite3.DataError where a row is too
    long, and sqlite3.IntegrityError where two positions have the same text.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES[FORMAT])
            tables, sha = SqliteUtils(connection, execute_plugins=False), hashlib.sha256()
            tables.executescript(
                "pragma journal_mode = off; pragma synchronous = off; "
                f"pragma locking_mode = exclusive; pragma cache_size = -{CACHE_KIB}; "
                f"pragma application_id = {APPLICATION_ID}; pragma user_version = {FORMAT};"
                + readable_sql(move_type)
            )
            for table, rows in (("positions", positions), ("moves", moves)):
                for batch in _inserted(tables, table, iter(rows)):
                    sha.update(lines_of(batch))
            checked = {**about, "crc32": checksum_of(about)}
            sha.update(lines_of(sorted(checked.items())))
            checked["sha256"] = sha.hexdigest()
            tables.table("about").insert_all({"key": key, "value": value} for key, value in checked.items())
            connection.commit()
    except sqlite3.OperationalError as error:
        raise UnwritableFile(f"cannot write {path} ({error}): is there room on the disk?") from error


def _inserted(tables: SqliteUtils, table: str, rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Insert rows into a table; yield them batch by batch."""
    row = f"({', '.join('?' for _ in tables.table(table).columns)})"
    while batch := list(islice(rows, ROWS_PER_STATEMENT)):
        values = tuple(chain.from_iterable(batch))
        tables.conn.execute(f"insert into {table} values {', '.join(len(batch) * [row])}", values)
        yield batch
