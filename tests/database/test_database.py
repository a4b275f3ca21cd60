import hashlib
import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver import Database, Entry, errors, open_database, solve
from solver.games.mnk import MNK
from tests.support.altered import alter, altered
from tests.support.commandline import run
from tests.support.solved import solved_file


@pytest.fixture(scope="module")
def small() -> bytes:
    return solved_file("mnk", {"rows": 2, "columns": 2, "k": 2}).read_bytes()


@pytest.fixture
def path(tmp_path: Path, small: bytes) -> Path:
    """A file of one's own."""
    (tmp_path / "file.db").write_bytes(small)
    return tmp_path / "file.db"


def contents(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def test_moves_are_ranked_soonest_win_then_draw_then_latest_loss(tictactoe: Database) -> None:
    for entry in list(tictactoe.entries())[::50]:
        worth = {"win": (1000, -1), "draw": (0, -1), "loss": (-1000, 1)}
        worths = [(*worth[move.outcome], move.remoteness or 0) for move in entry.moves]
        keys = [base + sign * plies for base, sign, plies in worths]
        assert keys == sorted(keys, reverse=True)
        order = [entry.moves_by_action.index(move) for move in entry.moves]
        assert sorted(order) == list(range(len(entry.moves_by_action)))
        ranks = [(-key, not move.best, at) for key, move, at in zip(keys, entry.moves, order, strict=True)]
        assert ranks == sorted(ranks)


def test_database_is_a_mapping(tictactoe: Database) -> None:
    assert len(tictactoe) == 5478
    positions = list(tictactoe)
    assert positions[:3] == [".........", "x........", ".x......."]
    assert len(set(positions)) == 5478
    assert "xo..x...." in tictactoe
    assert "xo./.x./..." in tictactoe
    assert "xxx......" not in tictactoe
    assert "nonsense" not in tictactoe
    assert 5 not in tictactoe  # type: ignore[comparison-overlap]
    assert tictactoe.get("xxx...... o") is tictactoe.get("nonsense") is None
    assert tictactoe.get("xo..x....", 0) == tictactoe["xo..x...."]
    key, entry = next(iter(tictactoe.items()))
    assert isinstance(entry, Entry)
    assert tictactoe[key] == entry == next(tictactoe.entries())
    with pytest.raises(KeyError):
        tictactoe["xxx...... o"]
    with pytest.raises(errors.UnknownPosition, match="cannot reach it"):
        tictactoe["xxx...... o"]
    with pytest.raises(errors.UnreadablePosition):
        tictactoe["nonsense"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.db", r"does not exist.*perfectplay solve"),
        ("game", r"game does not exist: did you mean .*game\.db\?$"),
        ("Game.db", r"Game.db does not exist: did you mean .*game\.db\?$"),
        ("", "is a folder"),
    ],
)
def test_missing_file_error_suggests_a_remedy(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "game.db").touch()
    with pytest.raises(errors.MissingFile, match=words):
        open_database(tmp_path / name)
    assert contents(tmp_path) == {"game.db": b""}


def test_pipe_is_not_suggested_in_place_of_itself(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    with pytest.raises(errors.MissingFile, match=r"pipe\.db is no regular file: build a database with"):
        open_database(tmp_path / "pipe.db")


def refuse(path: Path, kind: type[errors.UnusableFile], words: str) -> None:
    """Opening or reading everything must raise just this, and leave the folder as it was."""
    before = contents(path.parent)
    with pytest.raises(errors.UnusableFile) as caught, open_database(path) as db:
        list(db.entries())
    assert type(caught.value) is kind, caught.value
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.exit_status == 4
    assert contents(path.parent) == before


def test_foreign_files_are_refused_with_a_reason(tmp_path: Path, small: bytes) -> None:
    path = tmp_path / "file.db"
    path.write_bytes(b"")
    refuse(path, errors.ForeignFile, "is empty")
    path.write_text("position,value\n" * 100)
    refuse(path, errors.ForeignFile, "not even SQLite")
    path.write_bytes(random.Random(1).randbytes(5000))
    refuse(path, errors.ForeignFile, "not even SQLite")
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("create table positions (position text)")
    refuse(path, errors.ForeignFile, "not one of perfectplay")
    path.write_bytes(small[:60] + (3).to_bytes(4) + small[64:])
    refuse(path, errors.ForeignFile, "has format 3, this perfectplay reads the formats 1, 2, 65537, 65538")


@pytest.mark.parametrize("layout", ["readable", "packed"])
@pytest.mark.parametrize("which", ["true", "key = 'sha256'"])
def test_unfinished_build_is_reported_as_unfinished(tmp_path: Path, layout: str, which: str) -> None:
    sound = solved_file("mnk", {"rows": 2, "columns": 2, "k": 2}, layout=layout)
    path = altered(sound, tmp_path / "file.db", f"delete from about where {which}")
    refuse(path, errors.UnfinishedFile, "is unfinished")


FACTS = "game rules parameters start starts endless folded values states terminal moves"


@pytest.mark.parametrize("key", FACTS.split())
def test_database_without_a_required_key_is_refused(path: Path, key: str) -> None:
    alter(path, f"delete from about where key = '{key}'")
    refuse(path, errors.DamagedFile, key)


@pytest.mark.parametrize("parameters", ["", "{", "5", "[1]", '{"rows": null}', '{"rows": 2, "depth": 1}'])
def test_invalid_parameters_are_refused(path: Path, parameters: str) -> None:
    alter(path, f"update about set value = '{parameters}' where key = 'parameters'")
    with open_database(path) as db, pytest.raises(errors.UnusableFile) as caught:
        db[".... x"]
    assert caught.value.exit_status == 4


def test_file_of_an_uninstalled_game_is_refused(path: Path) -> None:
    alter(path, "update about set value = 'hnefatafl' where key = 'game'")
    with open_database(path) as db, pytest.raises(errors.UnusableFile, match="no game 'hnefatafl'"):
        db["...."]


def test_truncated_file_is_refused_at_any_length(tmp_path: Path, small: bytes) -> None:
    path = tmp_path / "file.db"
    lengths = {1, 15, 16, 17, 50, 99, 100, 101, 512, 4095, 4096, 4097, len(small) - 4096, len(small) - 1}
    lengths |= set(random.Random(2).sample(range(1, len(small)), 40))
    for length in sorted(lengths):
        path.write_bytes(small[:length])
        if length < 100:
            refuse(path, errors.ForeignFile, "not even SQLite")
        else:
            refuse(path, errors.DamagedFile, "truncated")


def test_missing_column_is_refused(tmp_path: Path, small: bytes) -> None:
    for table, column in (("positions", "best_move"), ("moves", "is_best"), ("about", "value")):
        path = tmp_path / f"{column}.db"
        path.write_bytes(small)
        alter(path, f"alter table {table} rename column {column} to other")
        refuse(path, errors.DamagedFile, "is damaged")


ODD = "".join(map(chr, (*range(1, 0x21), 0x22, 0x2F, 0x5C, 0x7F, 0x80, 0xE9, 0x2028, 0xFFFD, 0x1D11E)))


def test_digest_matches_its_definition_for_any_text(tmp_path: Path, small: bytes) -> None:
    path, sha = tmp_path / "odd.db", hashlib.sha256()
    path.write_bytes(small)
    with closing(sqlite3.connect(path)) as connection, connection:
        for text in ("", "plain", ODD, *ODD):
            row = (text, f"{text}{text}", None, -(2**63), "win", 2**63 - 1, 7, 1)
            connection.execute("insert into positions values (null, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        for table, order in (("positions", "id"), ("moves", "rowid"), ("about", "key")):
            for row in connection.execute(f"select * from {table} order by {order}"):
                if row[0] != "sha256":
                    sha.update(json.dumps(row, separators=(",", ":")).encode() + b"\n")
    with open_database(path) as db:
        assert db.digest() == sha.hexdigest() != db.about["sha256"]


def test_reading_leaves_the_folder_unchanged(tmp_path: Path, tictactoe_db_path: Path) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(tictactoe_db_path, path)
    before = contents(tmp_path)
    with open_database(path) as db:
        assert db["........."].value == 0
        db.digest()
    for command in ("query", "stats", "verify"):
        assert run(command, path).returncode == 0
    assert contents(tmp_path) == before


def test_reading_in_wal_mode_leaves_the_folder_unchanged(tmp_path: Path, path: Path) -> None:
    alter(path, "pragma journal_mode = wal")
    before = contents(tmp_path)
    with open_database(path) as db:
        assert len(list(db.entries())) == 29
    assert contents(tmp_path) == before


def test_changes_in_the_wal_are_read(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("update positions set value = 0 where position = '....'")
        connection.commit()
        with open_database(path) as db:
            assert db.tuples("select value from positions where position = '....'") == [(0,)]
            with pytest.raises(errors.DamagedFile, match=r"'\.\.\.\.'"):
                db["...."]


def test_file_may_have_any_name(tmp_path: Path) -> None:
    for name in ("a?mode=rwc.db", "50%41.db", "a#b.db", "a b.db", "ünï.db", "'\".db", os.fsdecode(b"\xff")):
        solve(MNK(rows=1, columns=2, k=2), tmp_path / name)
        with open_database(tmp_path / name) as db:
            assert len(db) == 5
