"""Whatever `about` or the schema says of a file is proved by `verify`, which finds every lie."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver import load_game, open_database, solve, verify_database
from solver.database.schema import readable_sql
from solver.errors import UnusableFile
from tests.support.hostile_files.databases import seal

LIES = {
    "format": "perfectplay 3",
    "game": "tictactoe",
    "rules": "0" * 64,
    "parameters": '{"rows": 2, "columns": 3, "k": 2, "misere": true, "wild": false}',
    "start": "....../",
    "starts": "2",
    "endless": "never",
    "folded": "perhaps",
    "values": "[-1, 2]",
    "states": "130",
    "terminal": "1",
    "moves": "2",
    "label_bytes": "2",
    "label_span": "256",
    "more": "than is known",
}
"""Something else for each key of `about`, but for seals and `program`, which nothing can prove."""

SEALS = {"crc32", "counts_crc32", "sha256"}

UNPROVED = {"program"}


@pytest.fixture(scope="module", params=["readable", "packed"])
def sound(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("claims") / "sound.db"
    game = load_game("mnk", {"rows": 2, "columns": 3, "k": 2})
    solve(game, path, engine="graph", layout=request.param)
    return path


def problems(path: Path) -> list[str]:
    try:
        with open_database(path, errors="replace") as db:
            return verify_database(db)
    except UnusableFile as error:
        return [str(error)]


def changed(sound: Path, path: Path, *statements: str, sealed: bool = True) -> Path:
    shutil.copy(sound, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma ignore_check_constraints = on")
        for sql in statements:
            connection.execute(sql)
        if sealed:
            seal(connection)
    return path


def test_each_key_has_a_lie(sound: Path) -> None:
    with open_database(sound) as db:
        assert db.about.keys() - SEALS - UNPROVED <= LIES.keys()


@pytest.mark.parametrize("key", LIES)
def test_a_lie_about_the_file_is_found(sound: Path, tmp_path: Path, key: str) -> None:
    with open_database(sound) as db:
        if key not in (*db.about, "more"):
            return
    lie = f"insert or replace into about values ('{key}', '{LIES[key]}')"
    found = problems(changed(sound, tmp_path / "l.db", lie))
    assert found
    assert key == "parameters" or any(key in problem or "rules" in problem for problem in found)


@pytest.mark.parametrize("key", sorted(SEALS))
def test_a_wrong_seal_is_found(sound: Path, tmp_path: Path, key: str) -> None:
    lie = f"update about set value = value || '0' where key = '{key}'"
    with open_database(sound) as db:
        assert bool(problems(changed(sound, tmp_path / "l.db", lie, sealed=False))) == (key in db.about)


def test_who_wrote_a_file_is_not_proved(sound: Path, tmp_path: Path) -> None:
    lie = "update about set value = 'perfectplay 0' where key = 'program'"
    assert problems(changed(sound, tmp_path / "l.db", lie)) == []


ROWS = {
    "numbered breadth first": [
        "update positions set id = id + 1000 where id in (4, 5)",
        "update positions set id = 1009 - id where id in (1004, 1005)",
        "update moves set position_id = 9 - position_id where position_id in (4, 5)",
        "update moves set child_id = 9 - child_id where child_id in (4, 5)",
    ],
    "plies since a start": ["update positions set ply = ply + 1"],
    "null where ways of different length": ["update positions set ply = null"],
    "minimax value": ["update positions set value = 0 where id = 7"],
    "its outcome is": ["update positions set outcome = 'draw' where id = 7"],
    "plies to the end": ["update positions set remoteness = remoteness + 2 where id = 7"],
    "the first of the best": [
        "update positions set best_move = "
        "(select max(move) from moves where position_id = 1 and is_best) where id = 1"
    ],
    "null where the game is over": ["update positions set best_move = 1 where is_terminal"],
    "order of the game's actions": [
        "update moves set rowid = -rowid where rowid in (1, 2)",
        "update moves set rowid = 3 + rowid where rowid in (-1, -2)",
    ],
    "remoteness is counted from": ["update moves set remoteness = remoteness - 1 where position_id = 1"],
    "what the player who makes the move gets": ["update moves set outcome = 'draw' where position_id = 1"],
}
"""What the readable schema says, and how it is made untrue."""


@pytest.mark.parametrize("claim", ROWS)
def test_a_lie_about_what_the_schema_says_is_found(sound: Path, tmp_path: Path, claim: str) -> None:
    assert claim in re.sub(r"\s+(--\s)?\s*", " ", readable_sql("integer")).lower().replace("-- ", "")
    with open_database(sound) as db:
        if "label_span" in db.about:
            return
    assert problems(changed(sound, tmp_path / "l.db", *ROWS[claim]))
