"""The dictionary of a packed file: its contents, equal for all engines, and damage."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import zstandard
from hypothesis import given, strategies as st

from solver import load_game, open_database, solve, verify_database
from solver.database.packed.keys.dictionary import BLOCKS_PER_SAMPLE, MAX_SAMPLES, dictionary_of
from solver.database.packed.reader import PackedDatabase
from solver.engines.conversion import convert
from solver.engines.storage import blocks
from solver.engines.storage.blocks import write_blocks
from solver.errors import DamagedFile
from tests.engines.loops.test_solve import solved
from tests.support.altered import altered
from tests.support.killed import Killed
from tests.support.pieces import small_blocks, small_pieces
from tests.support.solved import solving

CONNECT: tuple[str, dict[str, Any]] = ("connect", {"rows": 3, "columns": 3, "k": 3})
MORRIS: tuple[str, dict[str, Any]] = ("morris", {"variant": "tsoro-yematatu"})


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(monkeypatch)


@given(
    st.dictionaries(st.tuples(st.integers(0, 9), st.integers(0, 1)), st.integers(0, 300), max_size=12),
    st.integers(1, 9),
)
def test_dictionary_consists_of_evenly_spaced_blocks(sizes: dict[tuple[int, int], int], block: int) -> None:
    series = {place: np.arange(0, 3 * states, 3) + nth for nth, (place, states) in enumerate(sizes.items())}
    lengths = [min(block, left) for place in sorted(sizes) for left in range(sizes[place], 0, -block)]
    blocks = [bytes([0, *[3] * (length - 1)]) for length in lengths]
    count = min(MAX_SAMPLES, len(blocks) // BLOCKS_PER_SAMPLE)
    expected = [blocks[int((nth + 0.5) * len(blocks) / count)] for nth in range(count)]
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch, block)
        actual = dictionary_of(sizes, lambda stage, over, begin, end: series[stage, over][begin:end])
    assert actual == b"".join(expected)


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize(
    ("game", "engines"), [(CONNECT, ("layers", "arrays", "graph")), (MORRIS, ("arrays", "graph"))]
)
def test_engines_write_equal_files(tmp_path: Path, game: Any, engines: tuple[str, ...], fold: bool) -> None:
    files = [tmp_path / f"{engine}.db" for engine in engines]
    for path, engine in zip(files, engines, strict=True):
        solve(load_game(*game), path, engine=engine, layout="packed", fold=fold)
    with solving(load_game(*game), layout="readable", fold=fold) as db:
        convert(db, tmp_path / "converted.db", "packed")
    assert len({path.read_bytes() for path in (*files, tmp_path / "converted.db")}) == 1
    if game == MORRIS:
        assert solved(load_game(*game), tmp_path, large=True, fold=fold) == files[0].read_bytes()
    with open_database(files[0]) as db:
        assert db.about["dictionary_crc32"] != "0"
        assert verify_database(db) == []


@pytest.mark.parametrize("threads", [1, 3])
def test_killed_solves_write_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    solve(load_game(*CONNECT), tmp_path / "whole.db", engine="layers")
    monkeypatch.setattr("solver.engines.storage.resumable.resources.cores", lambda: threads)
    small_pieces(monkeypatch)
    write, dictionaries = write_blocks, set[bytes]()

    def dying(*asked: Any) -> None:
        dictionaries.add((tmp_path / "killed.db.work" / "dictionary").read_bytes())
        write(*asked)
        calls.append(1)
        if len(calls) == 7:
            raise Killed

    for _ in range(50):
        calls = list[int]()
        monkeypatch.setattr(blocks, "write_blocks", dying)
        try:
            solve(load_game(*CONNECT), tmp_path / "killed.db", engine="layers")
        except Killed:
            continue
        break
    assert (tmp_path / "killed.db").read_bytes() == (tmp_path / "whole.db").read_bytes()
    assert len(dictionaries) == 1


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dictionary") / "sound.db"
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch)
        solve(load_game(*CONNECT), path, engine="arrays", layout="packed")
    return path


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("delete from dictionary", "the checksum of its dictionary"),
        ("insert into dictionary select id + 1, data from dictionary", "the checksum of its dictionary"),
        ("update dictionary set data = x'00'", "dictionary: no zstd frame"),
        ("update dictionary set data = substr(data, 1, length(data) - 1)", "dictionary: "),
        ("update dictionary set data = cast(data || x'00' as blob)", "dictionary: "),
        ("update about set value = '5' where key = 'dictionary_crc32'", "the checksum of its dictionary"),
        (f"update dictionary set data = x'{zstandard.compress(b'x' * 99).hex()}'", "the checksum of its dic"),
        (f"update dictionary set data = x'{zstandard.compress(bytes(10**7)).hex()}'", "dictionary: a frame"),
        (f"insert into dictionary select 2, x'{zstandard.compress(b'').hex()}'", "dictionary: a frame"),
        (
            "with recursive n(i) as (select 2 union all select i + 1 from n where i < 40) "
            f"insert into dictionary select i, x'{zstandard.compress(bytes(1 << 19)).hex()}' from n",
            "the checksum of its dictionary",
        ),
    ],
)
def test_altered_dictionary_is_refused(
    sound: Path, tmp_path: Path, sql: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.proof.packed.checker.connect", connect := Mock())
    path = altered(sound, tmp_path / "spoilt.db", sql, sealed=True)
    with open_database(path) as db:
        assert isinstance(db, PackedDatabase)
        with pytest.raises(DamagedFile, match=problem):
            db[db.start]
        with pytest.raises(DamagedFile, match=problem):
            list(db)
        try:
            problems = verify_database(db)
        except DamagedFile as error:
            problems = [str(error)]
    assert any(problem in item for item in problems)
    assert not connect.called  # as nobody would close what it has opened


def test_digest_covers_the_dictionary(sound: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(sound, tmp_path / "other.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        ((data,),) = connection.execute("select data from dictionary").fetchall()
        other = zstandard.ZstdCompressor(write_checksum=True).compress(zstandard.decompress(data))
        assert other != data
        connection.execute("update dictionary set data = ?", (other,))
    with open_database(path) as db:
        assert db.digest() != db.about["sha256"]
        assert any("SHA-256" in problem for problem in verify_database(db))
