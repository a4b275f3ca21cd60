"""SQL: metadata for Datasette, and a hint where a file has no rows."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solver import solve
from solver.games.mnk import TicTacToe
from tests.support.commandline import call

if TYPE_CHECKING:
    from datasette.app import Datasette


@pytest.fixture(scope="module")
def served(tictactoe_db_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Datasette"]:
    """Datasette with tic-tac-toe and a folded file of it, and their metadata."""
    files, databases = [tictactoe_db_path, tmp_path_factory.mktemp("served") / "folded.db"], dict[str, Any]()
    solve(TicTacToe(), files[1], fold=True)
    for path in files:
        done = call("export", path, "-o", "-", "--as", "datasette")
        databases |= json.loads(done.stdout)["databases"]
    connect, opened = sqlite3.connect, list[sqlite3.Connection]()

    def noted(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options | {"check_same_thread": False}))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sqlite3.connect", noted)  # Datasette leaves its connections to be collected
        from datasette.app import Datasette  # which takes a second and a half

        in_this_thread = {"num_sql_threads": 0}
        yield Datasette([*map(str, files)], metadata={"databases": databases}, settings=in_this_thread)
    for connection in opened:
        connection.close()


def got(served: "Datasette", path: str) -> Any:
    """What Datasette answers, asked in another thread: the browser of other tests has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(asyncio.run, served.client.get(path)).result()
    assert answer.status_code == 200, answer.text
    return answer.text if ".json" not in path else answer.json()


def test_datasette_answers_queries_and_shows_metadata(served: "Datasette", tictactoe_db_path: Path) -> None:
    for name in (tictactoe_db_path.stem, "folded"):
        page = got(served, f"/{name}")
        assert "tictactoe misere=false wild=false" in page
        assert ("stands for all that are symmetric" in page) == (name == "folded")
        said = served.metadata("queries", database=name)
        assert set(said) == set(re.findall(rf'href="/{name}/(\w+)" title', page))
        for query in said:
            rows = got(served, f"/{name}/{query}.json?position=xo..x....&_shape=array")
            assert rows or name == "folded", query
    (best,) = got(served, f"/{tictactoe_db_path.stem}/best_move.json?position=xo..x....&_shape=array")
    assert best == {"to_move": "o", "outcome": "loss", "remoteness": 4, "best_move": 8}
    moves = got(served, f"/{tictactoe_db_path.stem}/moves_of.json?position=xo..x....&_shape=array")
    assert [move["move"] for move in moves] == [8, 2, 3, 5, 6, 7]


def test_datasette_describes_tables_and_names_positions(served: "Datasette", tictactoe_db_path: Path) -> None:
    name = tictactoe_db_path.stem
    for table in ("positions", "moves", "about", "mistakes", "only_moves", "principal_variation"):
        said = served.metadata(database=name, table=table)
        assert len(said["description"]) > 50, table
        columns = got(served, f"/{name}/{table}.json?_size=1")["columns"]
        assert set(said["columns"]) <= set(columns), table
    (move,) = got(served, f"/{name}/moves.json?_size=1&_labels=on&_shape=array")
    assert move["child_id"] == {"value": 2, "label": "x........"}


@pytest.mark.parametrize(
    "game", ["tictactoe", "hexapawn rows=3 columns=4", "quixo rows=3 columns=3 k=3 --fold"]
)
def test_solve_estimates_readable_size_of_packed_file(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--fold" in game:  # solved as a large game, so that a position stands for the exchanged one, too
        monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    packed, readable = tmp_path / "packed.db", tmp_path / "readable.db"
    done = call("solve", *game.split(), "--layout", "packed", "-o", packed)
    words = r"^layout      packed; for SQL: --layout readable, about ([\d.]+) (kB|MB)$"
    ((number, unit),) = re.findall(words, done.stdout, re.M)
    done = call("solve", *game.split(), "--layout", "readable", "-o", readable)
    assert "layout" not in done.stdout
    size = readable.stat().st_size / {"kB": 1e3, "MB": 1e6}[unit]
    assert float(number) == pytest.approx(size, rel=0.15)
