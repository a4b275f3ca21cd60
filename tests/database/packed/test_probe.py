"""Lookups of many states equal single ones, however their blocks are decoded."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from solver import load_game, open_database
from solver.database.packed.block import Block, checksum
from solver.database.packed.keys.gap_codec import gap_bytes
from solver.database.packed.probe import stage_and_label
from solver.database.packed.reader import PackedDatabase
from solver.engines.conversion import convert
from solver.errors import BrokenRules, DamagedFile, SolverError, UnknownPosition
from solver.rules.arrays import Keys
from tests.database.packed.test_gap_codec import bytes_of_gaps
from tests.support.altered import altered
from tests.support.commandline import python
from tests.support.games.known import LARGE
from tests.support.games.packed import Coins, Ladder, Sums
from tests.support.pieces import small_blocks
from tests.support.solved import solving

GAMES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2, "wild": True}), {"fold": True}),
    (load_game("connect", {"rows": 3, "columns": 3, "k": 3}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {}),
    (Ladder(40, prize=200), {}),
    (Sums(), {}),
    (load_game("ponghauki"), {}),
    (Coins(), {"fold": True, "endless": "second"}),
]

WAYS = {"kept": (10**9, 10**9, 10**9), "numpy": (0, 10**9, 0), "numba": (0, 0, 1)}
"""Up to how many blocks are decoded one by one, from how many on it is done by compiled code, and how many
least keys are read for a lookup of one state."""


def written(folder: Path, game: Any, options: dict[str, Any]) -> Path:
    """The packed file of a game, in small blocks."""
    options = {"engine": "graph", "layout": "readable", **options}
    with solving(game, **options) as plain, pytest.MonkeyPatch.context() as patch:
        small_blocks(patch)
        convert(plain, folder / "dense.db", "packed")
    return folder / "dense.db"


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One of the ways to decode blocks, a few at once."""
    take(monkeypatch, request.param)
    return str(request.param)


def take(patch: pytest.MonkeyPatch, way: str) -> None:
    if way == "numba":
        pytest.importorskip("numba")
    few, compiled, keys = WAYS[way]
    small_blocks(patch)
    patch.setattr("solver.database.packed.block_reader.DECODED_AT_ONCE", 3)
    patch.setattr("solver.database.packed.block_reader.CACHED_AT_ONCE", few)
    patch.setattr("solver.database.packed.block_reader.COMPILE_AFTER", compiled)
    patch.setattr("solver.database.packed.block_reader.KEYS_A_REQUEST", keys)


def opened(path: Path) -> PackedDatabase:
    db = open_database(path)
    assert isinstance(db, PackedDatabase)
    return db


@pytest.fixture(
    scope="module",
    params=[*GAMES, *(pytest.param(item, marks=pytest.mark.slow) for item in LARGE)],
    ids=lambda item: f"{item[0]} {item[1]}",
)
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("many"), *request.param)


def all_states(db: PackedDatabase) -> Keys:
    return np.concatenate([states.keys for states in db.states()])


def reached(db: PackedDatabase, states: Keys) -> list[int]:
    """The states that moves lead to, which a folded file may have by other members of their classes."""
    rules = db.rules
    return [rules.result(state, action) for state in states.tolist() for action in rules.actions(state)]


def test_lookup_matches_single_probes(path: Path, way: str) -> None:
    with opened(path) as db:
        everything = all_states(db)
        rng = random.Random(4)
        asked = rng.choices(everything.tolist(), k=400) + rng.choices(reached(db, everything), k=100)
        asked += rng.choices(asked, k=100)
        actual = db.lookup(np.array(asked))
        alone = [db.probe(state) for state in asked]
        assert actual.value.tolist() == [item.value for item in alone]
        remoteness = [-1 if item.remoteness is None else item.remoteness for item in alone]
        assert actual.remoteness.tolist() == remoteness
        assert [actual.best_moves(at) for at in range(len(asked))] == [item.best_moves for item in alone]
        ends = db.rules.is_terminal(np.array(asked))
        assert np.any(ends)
        assert not np.all(ends)


def test_lookup_distinguishes_stored_from_missing_states(path: Path, way: str) -> None:
    with opened(path) as db:
        rng = random.Random(6)
        known = rng.choices(all_states(db).tolist(), k=100)
        asked = [*known, *(state ^ 1 << rng.randrange(12) for state in known), 0, 2**40, 2**63 - 1]
        rng.shuffle(asked)
        present, values, remoteness = db.present(np.array(asked))
        alone = [stage_and_label(db, state) for state in asked]
        assert present.tolist() == [item is not None for item in alone]
        for state, is_there, value, plies in zip(asked, present, values, remoteness, strict=True):
            if is_there:
                probe = db.probe(state)
                assert (value, plies) == (probe.value, -1 if probe.remoteness is None else probe.remoteness)
        missing = [state for state, item in zip(asked, alone, strict=True) if item is None]
        for state in rng.sample(missing, min(len(missing), 5)):
            with pytest.raises(UnknownPosition):
                db.lookup(np.array([*known[:200], state]))


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Connect 3x3 in small blocks."""
    game = load_game("connect", {"rows": 3, "columns": 3, "k": 3})
    return written(tmp_path_factory.mktemp("connect"), game, {})


@pytest.fixture(scope="module")
def connect_states(connect: Path) -> Keys:
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch)
        with opened(connect) as db:
            return all_states(db)


Change = Callable[[Block, Keys, bytes], dict[str, Any]]
"""What is changed in a block, given its keys and the bytes of their gaps."""


def compressed(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=True).compress(data)


def keys_with(gap: Callable[[Keys], Any]) -> Change:
    """Another gap in the middle of a block, given its keys."""

    def change(_block: Block, keys: Keys, _data: bytes) -> dict[str, Any]:
        gaps = np.diff(keys, prepend=keys[0])
        gaps[len(gaps) // 2] = gap(keys)
        return {"keys": compressed(bytes_of_gaps(gaps.tolist()))}

    return change


CHANGES: dict[str, Change] = {
    "gaps cut short": lambda block, _, data: {"keys": compressed(data[:-1])},
    "fewer bytes than states": lambda block, _, data: {"keys": compressed(data[: block.states - 1])},
    "a byte too many": lambda block, _, data: {"keys": compressed(data + b"\1")},
    "a byte behind the frame": lambda block, *_: {"keys": block.keys + b"\0"},
    "a first gap": lambda block, _, data: {"keys": compressed(b"\1" + data[1:])},
    "a gap of ten bytes": lambda block, *_: {
        "keys": compressed(b"\0" + b"\1" * (block.states - 2) + b"\xff" * 9 + b"\1")
    },
    "a last gap without end": lambda block, _, data: {"keys": compressed(data[:-1] + b"\x80")},
    "a gap of 0": keys_with(lambda keys: 0),
    "keys past 2**63": keys_with(lambda keys: 2**63 - 1 - keys[0]),
    "keys past 2**63 at once": keys_with(lambda keys: 2**63 - 1),
    "keys of the next block": keys_with(lambda keys: 2**62),
    "too many states": lambda block, *_: {"states": block.states + 1},
    "too few states": lambda block, *_: {"states": block.states - 1},
    "no states": lambda block, *_: {"states": 0},
    "a negative first key": lambda block, *_: {"first": -1 - block.first},
    "another stage": lambda block, *_: {"stage": block.stage + 1},
    "ends": lambda block, *_: {"is_terminal": 1},
    "no labels": lambda block, *_: {"labels": None},
    "few labels": lambda block, *_: {"labels": compressed(b"\0" * (block.states - 1))},
    "many labels": lambda block, *_: {"labels": compressed(b"\0" * (block.states + 1))},
    "nothing": lambda block, *_: {"keys": b"", "labels": b""},
}


def spoil(path: Path, number: int, change: Change) -> None:
    """Change a block, and make its checksum fit again."""
    with opened(path) as db, closing(sqlite3.connect(path)) as connection, connection:
        sql = f"select {', '.join(Block._fields)} from blocks where id = ?"
        block = Block(*connection.execute(sql, (number,)).fetchone())
        keys = db.key_decoder.keys([block.keys], [block.states], [block.first])
        block = block._replace(**change(block, keys, gap_bytes(keys)))
        block = block._replace(crc32=checksum(*block[:4], *block[5:]))
        columns = "stage, is_terminal, first, states, crc32, keys, labels"
        sql = f"update blocks set ({columns}) = (?, ?, ?, ?, ?, ?, ?)"
        connection.execute(f"{sql} where id = ?", (*block, number))


def wide_block(path: Path) -> int:
    """The number of a full block that has blocks of its series before and behind it."""
    with closing(sqlite3.connect(path)) as connection:
        sql = "select stage, min(id), count(*) from blocks where not is_terminal group by stage"
        _, first, blocks = max(connection.execute(sql).fetchall(), key=lambda row: row[2])
    assert blocks > 6
    return int(first + blocks // 2)


@pytest.mark.parametrize("change", CHANGES)
def test_wrong_block_with_valid_checksum_is_refused(
    connect: Path, connect_states: Keys, way: str, tmp_path: Path, change: str
) -> None:
    path, number = Path(shutil.copy(connect, tmp_path / "spoilt.db")), wide_block(connect)
    spoil(path, number, CHANGES[change])
    named = {"keys of the next block": "keys of the next", "a negative first key": r"block|index"}
    unnamed = change in ("another stage", "ends")  # of which the index tells already that they are elsewhere
    problem = r"stage \d+ has \d+ blocks" if unnamed else named.get(change, rf"block {number}\b")
    with opened(path) as db:
        with pytest.raises(DamagedFile, match=problem):
            db.lookup(connect_states)
        with pytest.raises(DamagedFile, match=problem):
            db.lookup(connect_states, best=False)
        with pytest.raises(DamagedFile):
            list(db)


def test_missing_block_is_refused(connect: Path, connect_states: Keys, way: str, tmp_path: Path) -> None:
    gone = f"update blocks set id = 1000000 where id = {wide_block(connect)}"
    path = altered(connect, tmp_path / "spoilt.db", gone)
    with opened(path) as db, pytest.raises(DamagedFile, match="block"):
        db.lookup(connect_states)


@pytest.mark.parametrize("key", ["first desc", "first + (id = {number})"])
def test_index_with_wrong_first_keys_is_refused(
    connect: Path, connect_states: Keys, way: str, tmp_path: Path, key: str
) -> None:
    plain = "create unique index blocks_by_key on blocks (stage, is_terminal, first)"
    path = altered(
        connect,
        tmp_path / "spoilt.db",
        "drop index blocks_by_key",
        plain.replace("first", key.format(number=wide_block(connect))),
        "pragma writable_schema = on",
        f"update sqlite_master set sql = '{plain}' where name = 'blocks_by_key'",
    )
    with opened(path) as db, pytest.raises(DamagedFile, match="index of its blocks is wrong"):
        db.present(connect_states)


def test_numba_is_imported_only_for_many_blocks(connect: Path) -> None:
    pytest.importorskip("numba")
    code = (
        "import sys; from solver import open_database; from solver.database.packed import block_reader\n"
        "block_reader.BLOCK, block_reader.CACHED_AT_ONCE = 16, 0\n"
        "with open_database(sys.argv[1]) as db:\n"
        "    texts = list(db)\n"
        "    for block_reader.COMPILE_AFTER in (block_reader.COMPILE_AFTER, 10):\n"
        "        db.lookup(texts)\n"
        "        print('numba' in sys.modules)\n"
    )
    assert python(code, connect).stdout.split() == ["False", "True"]


def outcome(path: Path, states: Keys, way: str) -> object:
    """What a file answers, or the kind of error."""
    with pytest.MonkeyPatch.context() as patch:
        take(patch, way)
        try:
            with opened(path) as db:
                actual = db.lookup(states)
        except SolverError as error:
            return type(error)
    return actual.value.tolist(), actual.remoteness.tolist(), actual.best.tolist()


def test_decoders_agree_on_flipped_bits(connect: Path, connect_states: Keys, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    rng, path = random.Random(8), tmp_path / "flipped.db"
    states = np.array(rng.sample(connect_states.tolist(), 500))
    number, refused = wide_block(connect), 0

    def flipped(_block: Block, _keys: Keys, data: bytes) -> dict[str, Any]:
        changed = bytearray(data)
        for _nth in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return {"keys": compressed(bytes(changed))}

    truth = outcome(connect, states, "kept")
    for _ in range(25):
        shutil.copy(connect, path)
        spoil(path, number, flipped)
        outcomes = [outcome(path, states, way) for way in WAYS]
        assert outcomes[0] == outcomes[1] == outcomes[2]
        assert outcomes[0] in (truth, DamagedFile, UnknownPosition)
        refused += outcomes[0] is DamagedFile
    assert refused > 10


@pytest.mark.parametrize("rule", ["is_terminal", "utility", "legal", "result", "ply", "action_name"])
def test_failing_rules_get_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    small_blocks(monkeypatch)
    asked_for = "of the action 0" if rule == "action_name" else "for an array of states"
    words = f"fail in {rule} {asked_for}: ValueError: one, two"
    shape = {"rows": 3, "columns": 3, "k": 3}
    game = load_game("connect", shape)

    def failing(self: Any, *asked: Any) -> Any:
        if asked and not isinstance(asked[0], np.ndarray) and rule != "action_name":
            return getattr(type(game), rule)(self, *asked)
        raise ValueError("one,\ntwo")

    path = written(tmp_path, game, {"fold": True})
    with opened(path) as db:
        states = all_states(db)
    with opened(path) as db:
        db.__dict__["game"] = type("Failing", (type(game),), {rule: failing})(**shape)
        with pytest.raises(BrokenRules, match=rf"^the rules of Failing {words}$"):
            db.lookup(states)
