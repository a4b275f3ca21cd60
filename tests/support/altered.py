"""Database files altered by SQL, or in one bit."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from solver.database.packed.block import checksum
from tests.support.hostile_files.databases import seal


def alter(path: Path, *statements: str, sealed: bool = False) -> Path:
    """Alter a file without SQLite's checks; if `sealed`, make its checksums and its digest fit again."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("checksum", 6, checksum)
        connection.execute("pragma ignore_check_constraints = on")
        for sql in statements:
            connection.execute(sql)
        if sealed:
            seal(connection)
    return path


def flipped(content: bytes, place: int, random: Random) -> bytes:
    """The content with one bit of the byte at a place flipped."""
    changed = bytearray(content)
    changed[place] ^= 1 << random.randrange(8)
    return bytes(changed)


def altered(path: Path, copy: Path, *statements: str, sealed: bool = False) -> Path:
    """A copy of a file, altered as by `alter`."""
    shutil.copy(path, copy)
    return alter(copy, *statements, sealed=sealed)
