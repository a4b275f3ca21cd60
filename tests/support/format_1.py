"""Readable files as they were before they had views."""

import sqlite3
from contextlib import closing
from pathlib import Path

from solver.database.header import digest
from solver.database.metadata import checksum_of
from solver.database.schema import FORMAT_WITHOUT_VIEWS


def make_format_1(path: Path) -> Path:
    """Make a readable file one of format 1. Returns its path."""
    with closing(sqlite3.connect(path)) as file, file:
        for (view,) in file.execute("select name from sqlite_schema where type = 'view'").fetchall():
            file.execute(f"drop view {view}")
        file.execute(f"pragma user_version = {FORMAT_WITHOUT_VIEWS}")
        file.execute(f"update about set value = 'perfectplay {FORMAT_WITHOUT_VIEWS}' where key = 'format'")
        about = dict(file.execute("select key, value from about"))
        file.execute("update about set value = ? where key = 'crc32'", (checksum_of(about),))
        file.execute("update about set value = ? where key = 'sha256'", (digest(file),))
    return path
