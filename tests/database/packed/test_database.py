import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Database, Entry, load_game, open_database, solve
from solver.analysis.statistics import longest_wins, statistics
from solver.database.columns import Selection
from solver.database.packed import counts
from solver.database.packed.reader import PackedDatabase
from solver.engines.conversion import convert
from solver.errors import DamagedFile, UnusableFile
from tests.support.altered import altered, flipped
from tests.support.commandline import python, said_of
from tests.support.games.known import LARGE, SMALL
from tests.support.games.packed import Climbers, Coins, Ladder, Sums
from tests.support.pieces import small_blocks
from tests.support.solved import solved_file, solving

GAMES: list[tuple[Any, dict[str, Any]]] = [
    *SMALL,
    (load_game("tictactoe"), {"start": "xo..x...."}),
    (load_game("mnk", {"rows": 2, "columns": 2, "k": 2}), {"fold": True}),
    (Sums(lie=-90), {"start": "82"}),
    (Sums(), {"start": "64"}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {"endless": "second", "fold": True}),
    (load_game("ponghauki"), {}),
    (Coins(), {"start": "24", "fold": True}),
    (Coins(), {"endless": "first"}),
    (Climbers(rungs=3), {}),
]
"""Games in layers, and games with loops: with tiers and without."""


@pytest.fixture(
    scope="module",
    params=[*GAMES, *(pytest.param(item, marks=pytest.mark.slow) for item in LARGE)],
    ids=lambda item: f"{item[0]} {item[1]}",
)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, PackedDatabase]]:
    """A game in both layouts, in many small blocks."""
    game, options = request.param
    folder = tmp_path_factory.mktemp("both")
    with solving(game, engine="graph", **options) as plain:
        with pytest.MonkeyPatch.context() as patch:
            small_blocks(patch)
            convert(plain, folder / "dense.db", "packed")
            dense = open_database(folder / "dense.db")
            assert isinstance(dense, PackedDatabase)
            assert dense.blocks
        with dense:
            yield plain, dense


@pytest.fixture(scope="module")
def known(both: tuple[Database, PackedDatabase]) -> dict[str, Entry]:
    """The entries of the readable file, by position."""
    plain, _ = both
    return dict(plain)


def test_entries_equal_readable_ones(both: tuple[Database, PackedDatabase], known: dict[str, Entry]) -> None:
    plain, dense = both
    assert len(dense) == len(plain)
    assert sorted(dense) == sorted(known)
    for position, entry in known.items():
        assert dense[position] == entry
    assert {entry.position: entry for entry in dense.entries()} == known


def test_probes_match_the_entries(both: tuple[Database, PackedDatabase], known: dict[str, Entry]) -> None:
    plain, _ = both
    for position, entry in islice(known.items(), 600):
        best = tuple(move.move for move in entry.moves if move.best)
        expected = entry.value, entry.remoteness, best
        for db in both:
            assert db.probe(position) == db.probe(plain.game.parse(position)) == expected


def test_lookups_equal_readable_ones(both: tuple[Database, PackedDatabase], known: dict[str, Entry]) -> None:
    positions = [*islice(known, 100)]
    plain, dense = (db.lookup(positions) for db in both)
    assert plain.moves == dense.moves
    for column in ("value", "remoteness", "best"):
        assert getattr(plain, column).tolist() == getattr(dense, column).tolist()
    for at, position in enumerate(positions):
        best = tuple(move.move for move in known[position].moves_by_action if move.best)
        assert plain.best_moves(at) == dense.best_moves(at) == best


def test_symmetric_entries_are_equal(both: tuple[Database, PackedDatabase], known: dict[str, Entry]) -> None:
    plain, dense = both
    others = {move.position for entry in known.values() for move in entry.moves} - set(known)
    assert bool(others) == plain.folded
    for position in sorted(others):
        assert dense[position] == plain[position]


def test_positions_ordered_by_stage(both: tuple[Database, PackedDatabase], known: dict[str, Entry]) -> None:
    plain, dense = both
    states = [(known[position].ply, plain.game.parse(position)) for position in dense]
    if None in {ply for ply, _ in states}:
        states = [(dense.rules.tier(state) or 0, state) for _, state in states]
    assert states == sorted(states)
    assert [entry.position for entry in dense.entries()] == list(dense)
    assert list(dense.non_terminal()) == [text for text in dense if not known[text].is_terminal]


def test_conversion_restores_the_readable_file(both: tuple[Database, PackedDatabase], tmp_path: Path) -> None:
    plain, dense = both
    convert(dense, tmp_path / "again.db", "readable")
    assert (tmp_path / "again.db").read_bytes() == Path(plain.path).read_bytes()
    assert dense.digest() == dense.about["sha256"]


def test_counts_and_longest_wins_match_the_readable_file(both: tuple[Database, PackedDatabase]) -> None:
    plain, dense = both
    assert statistics(dense) == statistics(plain)
    assert sorted(dense.counts(), key=str) == sorted(plain.counts(), key=str)
    for most in (1, 5, 10**6):
        assert longest_wins(dense, most) == longest_wins(plain, most)
    for kind in plain.counts():
        if kind.remoteness is not None:
            chosen = Selection(outcome=kind.outcome, remoteness=kind.remoteness)
            actual = [
                {row for part in db.columns(("ply", "position"), chosen) for row in zip(*part, strict=True)}
                for db in both
            ]
            assert actual[0] == actual[1] != set()


@pytest.fixture
def packed() -> Path:
    return solved_file("tictactoe", layout="packed")


def test_sample_has_the_requested_size_in_both_layouts(packed: Path, tictactoe_db_path: Path) -> None:
    for path in (tictactoe_db_path, packed):
        _, said = said_of("grade FILE depth-limited(depth=1) --sample 40 --json", path)
        assert json.loads(said)["states"] == 40


def test_query_imports_no_compiler_and_readable_no_numpy(packed: Path, tictactoe_db_path: Path) -> None:
    code = (
        "import sys; from solver.cli import main\n"
        "try: main(['query', sys.argv[1], '--json'], standalone_mode=False)\n"
        "finally: print(sorted({'numpy', 'numba', 'pyarrow', 'zstandard', 'networkx', 'psutil', 'tqdm',"
        " 'sqlite_utils'} & set(sys.modules)))"
    )
    loaded = [python(code, file).stdout.splitlines()[-1] for file in (tictactoe_db_path, packed)]
    assert loaded == ["[]", "['numpy', 'psutil', 'zstandard']"]


def everything(path: Path) -> list[Any]:
    """What a file says of each position, one at a time and all at once, and of them all."""
    with open_database(path) as db:
        texts = sorted(db)
        actual = db.lookup(texts)
        columns = [column.tolist() for column in (actual.value, actual.remoteness, actual.best)]
        return [[db[text] for text in texts], columns, statistics(db), longest_wins(db)]


@pytest.fixture
def endgame() -> Path:
    return solved_file("tictactoe", start="x...o....", layout="packed")


@pytest.fixture
def coins(tmp_path: Path) -> Path:
    """A file with loops."""
    solve(Coins(), path := tmp_path / "coins.db", layout="packed")
    return path


@pytest.mark.parametrize(
    ("file", "flips", "least"),
    [("endgame", 60, 0.6), ("coins", 60, 0.5), pytest.param("packed", 150, 0.6, marks=pytest.mark.slow)],
)
def test_flipped_bit_is_refused_or_changes_no_answer(
    request: pytest.FixtureRequest, file: str, flips: int, least: float, tmp_path: Path
) -> None:
    sound = request.getfixturevalue(file)
    whole, path, rng = sound.read_bytes(), tmp_path / "flipped.db", random.Random(11)
    truth = everything(sound)
    used = [at for at, byte in enumerate(whole) if byte]
    actual = 0
    for at in rng.sample(used, flips):
        path.write_bytes(flipped(whole, at, rng))
        try:
            assert everything(path) == truth
        except UnusableFile as error:
            assert (error.exit_status, str(path) in str(error)) == (4, True)  # noqa: PT017
            actual += 1
    assert actual > least * flips


def test_flipped_bits_in_blocks_fail_the_checksum(packed: Path, tmp_path: Path) -> None:
    whole, path, rng = packed.read_bytes(), tmp_path / "flipped.db", random.Random(12)
    with closing(sqlite3.connect(packed)) as connection:
        blocks = connection.execute("select first, keys, labels from blocks").fetchall()
    for state, *parts in blocks:
        for part in parts:
            if part is None or whole.count(part) != 1:  # short ones are like others
                continue
            at = whole.index(part) + rng.randrange(len(part))
            path.write_bytes(flipped(whole, at, rng))
            with open_database(path) as db:
                with pytest.raises(DamagedFile, match="checksum"):
                    db[db.game.position(state)]
                with pytest.raises(DamagedFile, match="checksum"):
                    db.lookup(np.array([state]))
                with pytest.raises(DamagedFile, match="checksum"):
                    list(db)


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("delete from blocks where id = 9", "is damaged"),
        ("delete from blocks where id = (select max(id) from blocks)", "is damaged"),
        ("update blocks set first = first + 2 where id = 9", "checksum"),
        ("update blocks set stage = stage + 1 where id = (select max(id) from blocks)", "is damaged"),
        ("update blocks set states = states - 1 where id = 9", "checksum"),
        ("update blocks set labels = null where id = 6", "checksum"),
        ("update blocks set crc32 = crc32 + 1 where id = 9", "checksum"),
        ("update counts set states = states + 9000 where stage = 5 and is_terminal", "is damaged"),
        ("update about set value = '2' where key = 'label_bytes'", "labels of 2 bytes"),
        ("update about set value = 'x' where key = 'label_span'", "is damaged"),
        ("update about set value = 'x' where key = 'moves'", "is damaged"),
        ("delete from about where key = 'label_span'", "no 'label_span'"),
        ("drop table counts", "is damaged"),
        ("update about set value = '[-1, 0]' where key = 'values'", "checksum of about"),
        ("update counts set value = 0 where stage = 9", "checksum of counts"),
    ],
)
def test_inconsistency_is_refused(sql: str, problem: str, packed: Path, tmp_path: Path) -> None:
    is_sealed = not sql.startswith("drop") and "checksum of" not in problem
    path = altered(packed, tmp_path / "spoilt.db", sql, sealed=is_sealed)
    with pytest.raises(DamagedFile, match=problem):
        everything(path)


def test_incomplete_block_index_is_refused(packed: Path, tmp_path: Path) -> None:
    plain = "create unique index blocks_by_key on blocks (stage, is_terminal, first)"
    path = altered(
        packed,
        tmp_path / "astray.db",
        "pragma writable_schema = on",
        "drop index blocks_by_key",
        f"{plain} where id != 5",
        f"update sqlite_master set sql = '{plain}' where name = 'blocks_by_key'",
    )
    with open_database(path) as db:
        with pytest.raises(DamagedFile, match="index of its blocks is wrong"):
            [db[text] for text in db]
        with pytest.raises(DamagedFile, match=r"stage \d has \d blocks"):
            db.lookup(list(db))


CUT_SHORT = """
import os, sys
from solver import open_database
from solver.errors import UnusableFile
with open_database(sys.argv[1]) as db:
    blocks = db.stream("select keys, labels from blocks")
    next(blocks)
    os.truncate(sys.argv[1], 4096)
    try:
        list(blocks)
    except UnusableFile as error:
        print(type(error).__name__)
"""


def test_truncating_an_open_file_raises_damaged_file(tmp_path: Path) -> None:
    solve(load_game("mnk", {"rows": 4, "columns": 3}), tmp_path / "cut.db", layout="packed")
    done = python(CUT_SHORT, tmp_path / "cut.db", check=False)
    assert (done.returncode, done.stdout) == (0, "DamagedFile\n"), done.stderr


def test_last_ply_of_the_counts_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = list[int]()

    class Stage(int):
        def __gt__(self, other: int) -> bool:
            compared.append(other)
            return int(self) > int(other)

    read = counts.count_rows
    monkeypatch.setattr(counts, "count_rows", lambda file: [(Stage(at), *row) for at, *row in read(file)])
    with solving(Ladder(50), layout="packed") as db:
        assert 50 < len(db.counts()) <= len(compared) < 5 * 51
