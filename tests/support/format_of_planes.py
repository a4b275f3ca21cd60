"""Packed files in the format before keys had a dictionary: an independent version of schema and code."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import zstandard

from solver import open_database
from solver.database.header import APPLICATION_ID
from solver.database.metadata import checksum_of
from solver.database.packed.block import checksum
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import digest
from solver.rules.arrays import Keys

SCHEMA = """
create table blocks (
    id integer primary key, ply integer not null, is_terminal integer not null, first integer not null,
    states integer not null, crc32 integer not null, keys blob not null, labels blob
) strict;
create unique index blocks_by_key on blocks (ply, is_terminal, first);
create table counts (
    ply integer not null, is_terminal integer not null, to_move integer not null, value integer not null,
    remoteness integer, states integer not null
) strict;
create table about (key text primary key, value text not null) strict;
"""


def planes_of(keys: Keys) -> bytes:
    """The planes of the gaps between ascending keys, in four lines of Python."""
    planes, gaps = b"", np.diff(keys, prepend=keys[0]).tolist()
    while gaps:
        planes += bytes(gap % 128 + 128 * (gap > 127) for gap in gaps)
        gaps = [gap // 128 for gap in gaps if gap > 127]
    return planes


def write_format_of_planes(path: Path, target: Path) -> Path:
    """Write the content of a packed file in the format 65537. Returns the target."""
    compress = zstandard.ZstdCompressor(5).compress
    with open_database(path) as db, closing(sqlite3.connect(target)) as file, file:
        assert isinstance(db, PackedDatabase)
        file.executescript(
            f"pragma page_size = 65536; pragma application_id = {APPLICATION_ID}; "
            f"pragma user_version = 65537; {SCHEMA}"
        )
        for number, *rest in db.tuples("select * from blocks order by id"):
            stage, over, first, states, _, keys, labels = rest
            frame = compress(planes_of(db.key_decoder.keys([keys], [states], [first])))
            head = stage, over, first, states
            row = (number, *head, checksum(*head, frame, labels), frame, labels)
            file.execute("insert into blocks values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        counts = db.tuples("select * from counts order by rowid")
        file.executemany("insert into counts values (?, ?, ?, ?, ?, ?)", counts)
        about = {key: text for key, text in db.about.items() if key not in ("sha256", "dictionary_crc32")}
        about["format"] = "perfectplay 65537"
        about["crc32"] = checksum_of(about)
        file.executemany("insert into about values (?, ?)", sorted(about.items()))
        file.execute("insert into about values ('sha256', ?)", (digest(file),))
    return target
