import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import zstandard

from solver.database.header import crc32_of
from solver.database.packed.block import Block, encode_blocks
from solver.database.packed.counts import CountRow
from solver.database.packed.keys.dictionary import checksum_of, rows_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.writer import digest, move_packed, write_packed
from solver.errors import DamagedWork, UnwritableFile
from tests.support.commandline import python

BLOCKS = [
    *encode_blocks(0, False, np.array([7]), np.array([0], np.int8), KeyEncoder()),
    *encode_blocks(1, False, np.array([8, 300]), np.array([0, -126], np.int8), KeyEncoder()),
    *encode_blocks(1, True, np.array([9]), None, KeyEncoder()),
]
COUNTS = [CountRow(0, 0, 0, 0, None, 1), CountRow(1, 0, 1, 0, None, 1), CountRow(1, 1, 1, 0, 0, 1)]
ABOUT = {"game": "none", "states": 4}
DICTIONARY, STATES = bytes(range(100)) * 9000, 300 * 4096


def test_written_file_has_the_given_rows_and_is_sound(tmp_path: Path) -> None:
    write_packed(tmp_path / "f", BLOCKS, COUNTS, ABOUT)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        blocks = connection.execute("select * from blocks order by id").fetchall()
        assert blocks == [(number, *block) for number, block in enumerate(BLOCKS, 1)]
        assert connection.execute("select * from counts").fetchall() == COUNTS
        about = dict(connection.execute("select key, value from about"))
        assert digest(connection) == about["sha256"]
        actual = connection.execute("select name from sqlite_master where type = 'index'").fetchall()
        assert ("blocks_by_key",) in actual
    assert about["game"] == "none"
    assert about["states"] == "4"


@pytest.mark.parametrize("dictionary", [b"", bytes(range(256)) * 5000])
def test_digest_matches_its_definition(tmp_path: Path, dictionary: bytes) -> None:
    write_packed(tmp_path / "f", BLOCKS, COUNTS, ABOUT, dictionary)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        about = dict(connection.execute("select key, value from about"))
    stored = about.pop("sha256")
    sha = hashlib.sha256()
    for number, block in enumerate(BLOCKS, 1):
        labels = b"None" if block.labels is None else block.labels
        row = [number, *block[:5], len(block.keys), len(labels)]
        sha.update(json.dumps(row).replace(" ", "").encode() + b"\n" + block.keys + labels)
    rows = list(rows_of(dictionary))
    assert len(rows) == -(-len(dictionary) // 2**19)
    for nth, data in rows:
        sha.update(f"[{nth},{len(data)}]\n".encode() + data)
    assert b"".join(zstandard.decompress(data) for _, data in rows) == dictionary
    for line in [*map(list, COUNTS), *map(list, sorted(about.items()))]:
        sha.update(json.dumps(line).replace(", ", ",").encode() + b"\n")
    assert sha.hexdigest() == stored
    assert about.pop("crc32") == str(crc32_of(sorted(about.items())))
    assert about["counts_crc32"] == str(crc32_of(COUNTS))
    assert about["dictionary_crc32"] == checksum_of(dictionary) == str(zlib.crc32(dictionary))


@pytest.mark.parametrize(("states", "page"), [(5000, 4096), (10**6, 16384), (10**9, 65536)])
def test_page_size_grows_with_the_number_of_states(tmp_path: Path, states: int, page: int) -> None:
    write_packed(tmp_path / "f", BLOCKS, COUNTS, ABOUT, b"", states)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        assert connection.execute("pragma page_size").fetchall() == [(page,)]
        assert connection.execute("pragma page_count").fetchone()[0] < 10


def test_counts_and_about_may_be_computed_during_writing(tmp_path: Path) -> None:
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
    assert {path.name for path in tmp_path.iterdir()} == {"late", "early"}


@pytest.mark.parametrize("order", [[1, 0], [0, 2, 1], [0, 0]])
def test_blocks_out_of_order_are_refused(order: list[int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not come after"):
        write_packed(tmp_path / "f", [BLOCKS[at] for at in order], COUNTS, ABOUT)


def test_unwritable_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="is there room on the disk"):
        write_packed(tmp_path / "no" / "f", BLOCKS, COUNTS, ABOUT)


def test_failing_source_of_blocks_leaves_no_digest(tmp_path: Path) -> None:
    def blocks() -> Iterator[Block]:
        yield BLOCKS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_packed(tmp_path / "f", blocks(), COUNTS, ABOUT)
    with closing(sqlite3.connect(tmp_path / "f")) as connection:
        try:
            seen = connection.execute("select * from about where key = 'sha256'").fetchall()
        except sqlite3.DatabaseError:
            seen = []
    assert not seen


def many() -> list[Block]:
    """Blocks that fill many pages, as random labels cannot be compressed."""
    rng = np.random.default_rng(3)
    keys = np.arange(300 * 4096)
    return encode_blocks(0, False, keys, rng.integers(-100, 100, len(keys)).astype(np.int8), KeyEncoder())


@pytest.mark.parametrize("interrupted", [0, 50, 100, 250, 300])
def test_interrupted_write_resumes_to_the_same_bytes(tmp_path: Path, interrupted: int) -> None:
    blocks = many()
    write_packed(tmp_path / "whole", blocks, COUNTS, ABOUT, DICTIONARY, STATES)
    parts = [blocks[begin : begin + 100] for begin in range(0, 300, 100)]

    def until_interrupted() -> Iterator[Iterator[Block]]:
        for nth in range(3):
            yield some(parts[nth], interrupted - 100 * nth)
        raise KeyboardInterrupt

    def some(part: list[Block], most: int) -> Iterator[Block]:
        yield from part[: max(0, most)]
        if most < len(part):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_packed(tmp_path / "file", until_interrupted(), COUNTS, ABOUT, DICTIONARY, STATES)
    moved, done = interrupted // 100, list[int]()
    move_packed(tmp_path / "file", parts[max(0, moved - 1) :], COUNTS, ABOUT, DICTIONARY, STATES, done.append)
    assert done == [4096] * 300  # those that were moved before, too
    assert (tmp_path / "file").read_bytes() == (tmp_path / "whole").read_bytes()
    move_packed(tmp_path / "file", [], [], {}, b"", 0)
    assert (tmp_path / "file").read_bytes() == (tmp_path / "whole").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"file", "whole"}


KILLED = """
import os, sys
from pathlib import Path
from solver.database.packed import writer
from tests.database.packed.test_writer import ABOUT, COUNTS, STATES, many

def killed(blocks):
    yield from blocks
    os._exit(9)

writer.CACHE_KIB = 64  # so that pages are written before they are committed
parts = [many()[:100], killed(many()[100:250])]
writer.move_packed(Path(sys.argv[1]), parts, COUNTS, ABOUT, b"", STATES)
"""
"""A process that dies after its first part, with more blocks written."""


def test_committed_blocks_survive_a_killed_process(tmp_path: Path) -> None:
    write_packed(tmp_path / "whole", many(), COUNTS, ABOUT, b"", STATES)
    assert python(KILLED, tmp_path / "file", check=False).returncode == 9
    assert (tmp_path / "file").stat().st_size > 150 * 4096
    move_packed(tmp_path / "file", [many()[100:]], COUNTS, ABOUT, b"", STATES)
    assert (tmp_path / "file").read_bytes() == (tmp_path / "whole").read_bytes()


def test_foreign_file_is_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no database" * 1000)
    with pytest.raises(DamagedWork, match="remove the folder"):
        move_packed(tmp_path / "file", [BLOCKS], COUNTS, ABOUT, b"", 0)
