import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils.db import Table

from solver import solve
from solver.games.mnk import TicTacToe
from tests.support.commandline import under_hash_seeds
from tests.support.rules_texts import HEAPS
from tests.support.textbook_rules import GAMES


def reading(path: Path) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True))


def test_sqlite_utils_inserts_the_rows_of_all_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Counter[str] = Counter()
    insert_all = Table.insert_all

    def counted(table: Table, records: Iterable[Sequence[object]]) -> Table:
        def passing() -> Iterator[Sequence[object]]:
            for record in records:
                yield record
                rows[table.name] += 1

        rows[table.name] -= 1  # the names of the columns
        return insert_all(table, passing())

    monkeypatch.setattr(Table, "insert_all", counted)
    solve(TicTacToe(), tmp_path / "game.db")
    with reading(tmp_path / "game.db") as connection:
        for table in ("positions", "moves", "about"):
            assert connection.execute(f"select count(*) from {table}").fetchone() == (rows[table],)
    assert (rows["positions"], rows["moves"]) == (5478, 16_167)


def test_tables_have_valid_foreign_keys_and_strict_types(tictactoe_db_path: Path, tmp_path: Path) -> None:
    with reading(tictactoe_db_path) as connection:
        assert connection.execute("pragma foreign_key_check").fetchall() == []
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        kinds = "select name, strict from pragma_table_list where type = 'table' and name not like 'sqlite%'"
        assert dict(connection.execute(kinds)) == {"positions": 1, "moves": 1, "about": 1}
    copy = tmp_path / "copy.db"
    copy.write_bytes(tictactoe_db_path.read_bytes())
    with closing(sqlite3.connect(copy)) as connection:
        for sql in (
            "update positions set remoteness = 'soon'",
            "update positions set outcome = 'won'",
            "update positions set position = 'same'",
            "update moves set move = 'a1'",
            "update moves set is_best = 2",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(sql)


HASHED = """
import sys
from hashlib import sha256
from pathlib import Path
from solver import load_game, solve
path = Path(sys.argv[1])
for file, kind in (("rules", "Heap"), ("games", "Shuffled"), ("games", "Lamp")):
    game = load_game(f"{path.with_name(file)}.py:{kind}", {"sizes": (4, 5, 6)} if kind == "Heap" else {})
    solve(game, path, engine="graph", force=True)
    print(sha256(path.read_bytes()).hexdigest())
path.unlink()
"""
"""Solves games whose states are texts, or boards and moves by the textbook: their hashes differ."""


def test_databases_are_identical_for_any_hash_seed(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(HEAPS)
    (tmp_path / "games.py").write_text(GAMES)
    (digests,) = under_hash_seeds(HASHED, tmp_path / "game.db")
    assert len(digests.split()) == 3
