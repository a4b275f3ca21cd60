"""Writes into a database that it follows from the rules as they are now, after that was proved."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from solver.database.header import digest as readable_digest, layout_of
from solver.database.metadata import checksum_of
from solver.database.schema import PACKED_FORMAT
from solver.errors import UnwritableFile
from solver.system.progress import Progress, no_progress

WRITE = "insert into about values (?, ?) on conflict (key) do update set value = excluded.value"


def adopt(path: Path, named: Mapping[str, str], *, progress: Progress = no_progress) -> None:
    """Make the name and the fingerprints of rules, as `as_named` gives them, those in the file.

    It is one transaction: a file of which the write is interrupted is the one before for its next reader.
    Raises `UnwritableFile`.
    """
    from solver.database.packed.writer import digest as packed_digest  # with NumPy

    digest = packed_digest if layout_of(path) == PACKED_FORMAT else readable_digest
    try:
        with closing(sqlite3.connect(path.resolve())) as connection, connection:
            connection.executemany(WRITE, named.items())
            about: dict[str, str] = dict(connection.execute("select key, value from about"))
            if "crc32" in about:
                connection.execute(WRITE, ("crc32", checksum_of(about)))
            connection.execute(WRITE, ("sha256", digest(connection, progress=progress)))
    except sqlite3.Error as error:
        raise UnwritableFile(f"cannot write {path}: {error}") from error
