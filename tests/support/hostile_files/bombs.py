"""Databases of a few pages with practically endless rows: each page points many times to the next one."""

import sqlite3
from contextlib import closing
from pathlib import Path

LEVELS = 8

CHILDREN = 200


def endless_pages(path: Path, table: str) -> bool:
    """Repeat the rows of a table `CHILDREN ** LEVELS` times; return whether the file has the table."""
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute("select rootpage from sqlite_schema where name = ?", (table,)).fetchone()
        size = connection.execute("pragma page_size").fetchone()[0]
    if row is None:
        return False
    data, root = bytearray(path.read_bytes()), row[0]
    pages = len(data) // size
    leaf = bytes(data[(root - 1) * size : root * size])
    for level in range(LEVELS):
        data[len(data) :] = leaf if level == 0 else _interior(size, pages + level)
    data[(root - 1) * size : root * size] = _interior(size, pages + LEVELS)
    data[28:32] = (pages + LEVELS).to_bytes(4)
    path.write_bytes(data)
    return True


def _interior(size: int, child: int) -> bytes:
    """An interior page of a table, all of whose pointers are to the same child."""
    cells = [child.to_bytes(4) + bytes([1 + number % 100]) for number in range(CHILDREN)]
    begin = size - sum(map(len, cells))
    places = [(begin + 5 * number).to_bytes(2) for number in range(CHILDREN)]
    head = b"\5\0\0" + CHILDREN.to_bytes(2) + (begin % 65_536).to_bytes(2) + b"\0" + child.to_bytes(4)
    page = head + b"".join(places)
    return page + bytes(begin - len(page)) + b"".join(cells)
