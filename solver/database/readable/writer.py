"""Writes the SQLite file of the readable layout with sqlite-utils: the schema, positions, moves and `about`.

The same rows make the same bytes. As in the packed layout nothing is synced and there is no journal: an
unfinished file is deleted by `solver.system.files.atomic_target`, or refused because it has no digest.
"""

import hashlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from solver.database.connections import unwritten
from solver.database.header import APPLICATION_ID, MAX_ROW_BYTES, lines_of
from solver.database.metadata import checksum_of
from solver.database.schema import FORMAT, readable_sql
from solver.system.plugins import without

with without("pandas"):  # takes half a second to import, and is not needed
    from sqlite_utils import Database as SqliteUtils
    from sqlite_utils.db import Table

ROWS_PER_STATEMENT = 100
"""Rows that one statement inserts, which is more than twice as fast as a statement per row."""

ROWS_PER_BATCH = 1 << 12
"""Rows of a batch, at about a kB each."""

CACHE_KIB = 8 << 10
"""KiB of pages that SQLite caches."""

NULL = math.nan
"""SQLite stores NaN as null, like None, for which Python's module first looks for a converter each time."""

Row: TypeAlias = Sequence[Any]
"""The values of a row, in the order of the columns."""


class Batch(NamedTuple):
    """Some rows of a table."""

    values: list[Any]
    """The values of the rows, one row after another: `NULL` for None."""
    lines: bytes
    """The rows as `line_of` writes them, for the digest."""


def batches(rows: Iterable[Row]) -> Iterator[Batch]:
    """Yield rows in batches."""
    rest = iter(rows)
    while batch := list(islice(rest, ROWS_PER_BATCH)):
        values = [NULL if value is None else value for row in batch for value in row]
        yield Batch(values, lines_of(batch))


def write_readable(
    path: Path,
    positions: Iterable[Batch],
    moves: Iterable[Batch],
    about: Mapping[str, str],
    *,
    move_type: str,
    bulk: bool = False,
) -> None:
    """Write a new file at `path`: `positions` and `moves`, each in the order of their ids.

    `move_type` is `integer` or `text`. Rows are inserted by `insert_all` of sqlite-utils or, if `bulk`, by
    statements of our own: otherwise a solve of a million states would take twice as long. Checksum and digest
    are added to the rows of `about`, which `solver.database.metadata.Metadata` makes. Constraints on columns
    are not checked: that would take as long as all the rest. Raises `UnwritableFile`, sqlite3.DataError if a
    row is too long, and sqlite3.IntegrityError if two positions have the same text.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES[FORMAT])
            tables, sha = SqliteUtils(connection, execute_plugins=False), hashlib.sha256()
            tables.executescript(
                "pragma journal_mode = off; pragma synchronous = off; "
                f"pragma locking_mode = exclusive; pragma cache_size = -{CACHE_KIB}; "
                "pragma ignore_check_constraints = on; "
                f"pragma application_id = {APPLICATION_ID}; pragma user_version = {FORMAT};"
                + readable_sql(move_type)
            )
            with tables.atomic():
                for name, parts in (("positions", positions), ("moves", moves)):
                    insert = _insert_in_bulk if bulk else _insert
                    insert(tables.table(name), _digested(parts, sha))
                checked = {**about, "crc32": checksum_of(about)}
                sha.update(lines_of(sorted(checked.items())))
                checked["sha256"] = sha.hexdigest()
                tables.table("about").insert_all(chain([("key", "value")], checked.items()))
    except sqlite3.OperationalError as error:
        raise unwritten(path, error) from error


def _digested(parts: Iterable[Batch], sha: "hashlib._Hash") -> Iterator[list[Any]]:
    for part in parts:
        sha.update(part.lines)
        yield part.values


def _insert(table: Table, parts: Iterable[list[Any]]) -> None:
    columns = [column.name for column in table.columns]
    rows = (zip(*[iter(values)] * len(columns), strict=True) for values in parts)
    table.insert_all(chain([columns], chain.from_iterable(rows)))


def _insert_in_bulk(table: Table, parts: Iterable[list[Any]]) -> None:
    """Insert the rows as `_insert` does, with the same bytes, in a fifth of the time."""
    width = len(table.columns)
    row = f"({', '.join('?' * width)})"
    statements = [
        f"insert into {table.name} values {', '.join([row] * rows)}" for rows in range(ROWS_PER_STATEMENT + 1)
    ]
    for values in parts:
        for at in range(0, len(values), width * ROWS_PER_STATEMENT):
            part = values[at : at + width * ROWS_PER_STATEMENT]
            table.db.execute(statements[len(part) // width], part)
