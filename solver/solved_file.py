"""The file of a solved game as a file: is it one of ours, whole, of our format? Then a connection to it."""

import hashlib
import json
import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from solver.errors import DamagedFile, ForeignFile, MissingFile
from solver.progress import Progress, no_progress, told

APPLICATION_ID = 0x70706C79
"""Marks the file as ours, in SQLite's header: "pply"."""

WAL_MODE = 2
"""SQLite's mark, in its header, of a file that somebody turned to write-ahead logging."""

FORMAT = 1
"""The version of the readable layout, SQLite's user_version."""

PACKED_FORMAT = 0x10001
"""The version of the packed layout."""

LABELS = ("position", "to_move", "ply", "value", "outcome", "remoteness", "best_move", "is_terminal")
COLUMNS = ", ".join(f"{column} as {column}" for column in ("id", *LABELS))
"""The columns of `positions`, by name so that a file without one of them is found to be damaged.

Each is renamed to itself: SQLite finds a column in any case, but gives it back as the file spells it.
"""


def digest(connection: sqlite3.Connection, *, progress: Progress = no_progress) -> str:
    """The SHA-256, in hex, over all rows but its own, each as a JSON array in a line.

    First the positions by id, then the moves by rowid, then what else `about` says by key.
    """
    sha = hashlib.sha256()
    for rows in (
        f"select {COLUMNS} from positions order by id",
        "select position_id, move, child_id, outcome, remoteness, is_best from moves order by rowid",
        "select key, value from about where key != 'sha256' order by key",
    ):
        for row in told(progress, "checking the digest", connection.execute(rows), None):
            sha.update(json.dumps(tuple(row), separators=(",", ":"), default=repr).encode() + b"\n")
    return sha.hexdigest()


def layout_of(path: Path) -> int:
    """The number of the layout of a file that is shown to be a whole database of ours.

    Raises `MissingFile`, `ForeignFile` or `DamagedFile`.
    """
    return int.from_bytes(_header(path)[60:64])


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection to a whole database of ours; raises as `layout_of`."""
    header, real = _header(path), path.resolve()
    # To read a file in WAL mode makes files beside it; where there is no WAL to merge, it is whole without.
    whole = header[19] == WAL_MODE and not real.with_name(f"{real.name}-wal").exists()
    options = "mode=ro&immutable=1" if whole else "mode=ro"
    connection = sqlite3.connect(f"file:{quote(str(real))}?{options}", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def _header(path: Path) -> bytes:
    """The first 100 bytes of a whole database of ours."""
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
    if int.from_bytes(header[60:64]) not in (FORMAT, PACKED_FORMAT):
        raise ForeignFile(
            f"{path} has format {int.from_bytes(header[60:64])}, this perfectplay reads formats {FORMAT} "
            f"and {PACKED_FORMAT}"
        )
    return header


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
