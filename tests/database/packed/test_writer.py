import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from solver.database.header import crc32_of
from solver.database.packed.block import Block, encode_blocks
from solver.database.packed.counts import CountRow
from solver.database.packed.writer import digest, write_packed
from solver.errors import UnwritableFile

BLOCKS = [
    *encode_blocks(0, False, np.array([7]), np.array([0], np.int8)),
    *encode_blocks(1, False, np.array([8, 300]), np.array([0, -126], np.int8)),
    *encode_blocks(1, True, np.array([9]), None),
]
COUNTS = [CountRow(0, 0, 0, 0, None, 1), CountRow(1, 0, 1, 0, None, 1), CountRow(1, 1, 1, 0, 0, 1)]
ABOUT = {"game": "none", "states": 4}


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_packed(tmp_path / name, BLOCKS, COUNTS, ABOUT)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_the_file_has_the_rows_that_were_given_and_sqlite_finds_it_sound(tmp_path: Path) -> None:
    write_packed(tmp_path / "f", BLOCKS, COUNTS, ABOUT)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        blocks = connection.execute("select * from blocks order by id").fetchall()
        assert blocks == [(number, *block) for number, block in enumerate(BLOCKS, 1)]
        assert connection.execute("select * from counts").fetchall() == COUNTS
        about = dict(connection.execute("select key, value from about"))
        assert digest(connection) == about["sha256"]
        found = connection.execute("select name from sqlite_master where type = 'index'").fetchall()
        assert ("blocks_by_key",) in found
    assert about["game"] == "none"
    assert about["states"] == "4"


def test_the_digest_is_what_its_definition_says(tmp_path: Path) -> None:
    write_packed(tmp_path / "f", BLOCKS, COUNTS, ABOUT)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        about = dict(connection.execute("select key, value from about"))
    stored = about.pop("sha256")
    sha = hashlib.sha256()
    for number, block in enumerate(BLOCKS, 1):
        labels = b"None" if block.labels is None else block.labels
        row = [number, *block[:5], len(block.keys), len(labels)]
        sha.update(json.dumps(row).replace(" ", "").encode() + b"\n" + block.keys + labels)
    for line in [*map(list, COUNTS), *map(list, sorted(about.items()))]:
        sha.update(json.dumps(line).replace(", ", ",").encode() + b"\n")
    assert sha.hexdigest() == stored
    assert about.pop("crc32") == str(crc32_of(sorted(about.items())))
    assert about["counts_crc32"] == str(crc32_of(COUNTS))


def test_counts_and_about_may_be_made_on_the_way(tmp_path: Path) -> None:
    about: dict[str, object] = {}
    seen: list[Block] = []

    def blocks() -> Iterator[Block]:
        for block in BLOCKS:
            seen.append(block)
            yield block
        about.update(ABOUT)

    write_packed(tmp_path / "late", blocks(), (count for count in COUNTS if seen), about)
    write_packed(tmp_path / "early", BLOCKS, COUNTS, ABOUT)
    assert (tmp_path / "late").read_bytes() == (tmp_path / "early").read_bytes()


@pytest.mark.parametrize("order", [[1, 0], [0, 2, 1], [0, 0]])
def test_blocks_out_of_order_are_refused(order: list[int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not come after"):
        write_packed(tmp_path / "f", [BLOCKS[at] for at in order], COUNTS, ABOUT)


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="is there room on the disk"):
        write_packed(tmp_path / "no" / "f", BLOCKS, COUNTS, ABOUT)


def test_a_failing_source_of_blocks_fails_the_writer_and_leaves_no_digest(tmp_path: Path) -> None:
    def blocks() -> Iterator[Block]:
        yield BLOCKS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_packed(tmp_path / "f", blocks(), COUNTS, ABOUT)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        try:
            found = connection.execute("select * from about where key = 'sha256'").fetchall()
        except sqlite3.DatabaseError:
            found = []
    assert not found
