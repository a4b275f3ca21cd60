"""Writes the SQLite file of the readable layout: positions, moves, and the table `about` with its checksums.

The same rows make the same bytes. As in the packed layout nothing is synced and there is no journal: an
unfinished file is thrown away by `solver.system.files.atomic_target`, or refused because it has no digest.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlite_utils import Database as SqliteUtils

from solver.database.header import APPLICATION_ID, MAX_ROW_BYTES, digest
from solver.database.metadata import checksum_of
from solver.database.schema import FORMAT, readable_sql
from solver.errors import UnwritableFile
from solver.system.progress import Progress, no_progress


def write_readable(
    path: Path,
    positions: Iterable[dict[str, Any]],
    moves: Iterable[dict[str, Any]],
    about: Mapping[str, str],
    *,
    move_type: str,
    progress: Progress = no_progress,
) -> None:
    """Write a new file at `path`: rows of `positions` in order of their ids, and of `moves` in theirs.

    `move_type` is `integer` or `text`. Checksum and digest are added to the rows of `about`, which
    `solver.database.metadata.Metadata` makes. Raises `UnwritableFile`, sqlite3.DataError where a row is too
    long, and sqlite3.IntegrityError where two positions have the same text.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES[FORMAT])
            connection.executescript(
                "pragma journal_mode = off; pragma synchronous = off; "
                f"pragma application_id = {APPLICATION_ID}; pragma user_version = {FORMAT};"
                + readable_sql(move_type)
            )
            tables = SqliteUtils(connection, execute_plugins=False)
            tables.table("positions").insert_all(positions)
            tables.table("moves").insert_all(moves)
            checked = {**about, "crc32": checksum_of(about)}
            tables.table("about").insert_all({"key": key, "value": value} for key, value in checked.items())
            sha256 = digest(connection, progress=progress)
            tables.table("about").insert({"key": "sha256", "value": sha256})
    except sqlite3.OperationalError as error:
        raise UnwritableFile(f"cannot write {path} ({error}): is there room on the disk?") from error
