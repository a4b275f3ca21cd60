import csv
import io
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest

from solver import Database, load_game, open_database, solve
from solver.engines.arrays import rules_pool
from solver.engines.conversion import convert
from solver.errors import MissingExtra
from solver.packed import PackedGame
from solver.system.executors import OnProgress, WorkerPool, ignore
from tests.support.commandline import call, files_up_to, refusal, refused
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.packed import Coins, Ladder, Sums
from tests.support.solved import solved_file

export = partial(call, "export")


class Steps(ExplicitGame):
    """Moves are numbered from -1."""

    def action_name(self, action: int) -> int:
        return action - 1


GAMES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2, "wild": True}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {}),
    (load_game("nim"), {}),
    (load_game("kayles", {"n": 5}), {}),
    (Sums(), {}),
    (Ladder(9), {}),
    (Coins(), {"endless": "first"}),
    (ExplicitGame(((1, 2), (0,), ()), (0, 1, 1), (0, 0, -3)), {}),
    (Steps(((0, 0), (0, 2), ()), (0, 1, 1), (0, 0, -3), (1,)), {}),
]
"""States that are integers and others; moves by number and by name; with and without a single ply."""


LARGE = [(load_game("tictactoe"), {}), (load_game("tictactoe", {"wild": True}), {"fold": True})]

LABELS = ("position", "ply", "to_move", "value", "outcome", "remoteness", "is_terminal", "best_move")


@pytest.fixture(
    scope="module",
    params=[*GAMES, *(pytest.param(item, marks=pytest.mark.slow) for item in LARGE)],
    ids=lambda item: f"{item[0]} {item[1]}",
)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A game in each layout that can hold it."""
    game, options = request.param
    folder = tmp_path_factory.mktemp("export")
    solve(game, folder / "plain.db", engine="graph", **options)
    with open_database(folder / "plain.db") as plain:
        if not isinstance(plain.game, PackedGame):
            return [plain.path]
        convert(plain, folder / "dense.db", "packed")
    return [folder / "plain.db", folder / "dense.db"]


def rows_of(db: Database) -> list[dict[str, Any]]:
    """What an export should say, from each position's entry."""
    rows = []
    for entry in db.entries():
        state = {"state": db.game.parse(entry.position)} if isinstance(db.game, PackedGame) else {}
        rows.append(state | {name: getattr(entry, name) for name in LABELS})
    return rows


def read_csv(text: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(text)))


def as_csv(row: dict[str, Any]) -> dict[str, str]:
    texts = {None: "", True: "1", False: "0"}
    return {name: texts.get(value, str(value)) for name, value in row.items()}


@pytest.mark.parametrize("batch", [7, 1 << 17])
def test_all_formats_match_the_entries(
    files: list[Path], batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.database.columns.BATCH_ROWS", batch)
    for file in files:
        with open_database(file) as db:
            rows, players = rows_of(db), db.game.players
        options = ["--positions", "--best-moves"]
        assert read_csv(export(file, "-o", "-", *options).stdout) == [as_csv(row) for row in rows]
        for name in ("t.csv", "t.parquet", "t.npz"):
            result = export(file, "-o", tmp_path / name, *options, "--force")
            size = (tmp_path / name).stat().st_size
            assert result.stdout == f"{tmp_path / name}: {len(rows):,} positions in {size:,} bytes\n"
        assert read_csv((tmp_path / "t.csv").read_text()) == [as_csv(row) for row in rows]
        assert pq.read_table(tmp_path / "t.parquet").to_pylist() == rows
        arrays = dict(np.load(tmp_path / "t.npz"))
        assert list(arrays) == list(rows[0])
        for name, column in arrays.items():
            none = "" if column.dtype.kind == "U" else -1
            codes = {"to_move": players.index, "outcome": {"win": 1, "draw": 0, "loss": -1}.__getitem__}
            code = codes.get(name, lambda value, none=none: none if value is None else value)
            assert column.tolist() == [code(row[name]) for row in rows]
        assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "t.parquet", "t.npz"}


WANTED: dict[str, Callable[[dict[str, str]], bool]] = {
    "--ply 2": lambda row: row["ply"] == "2",
    "--ply 1-3": lambda row: "1" <= row["ply"] <= "3",
    "--ply 77": lambda row: False,
    "--outcome loss": lambda row: row["outcome"] == "loss",
    "--outcome win --ply 0-4": lambda row: row["outcome"] == "win" and row["ply"] <= "4",
    "--outcome draw": lambda row: row["outcome"] == "draw",
}
"""Options, and which rows they leave."""


def test_ply_and_outcome_options_filter_rows(files: list[Path], tmp_path: Path) -> None:
    everything = {file: export(file, "-o", "-").stdout for file in files}
    for file, wanted in product(files, WANTED):
        rows, options = read_csv(everything[file]), wanted.split()
        result = export(file, "-o", "-", *options)
        if "--ply" in options and not rows[0]["ply"]:
            assert "no single ply" in refused(2, result)
            continue
        assert read_csv(result.stdout) == [row for row in rows if WANTED[wanted](row)]
        assert result.stdout.splitlines()[0] == everything[file].splitlines()[0]
        for name in ("t.parquet", "t.npz"):
            assert export(file, "-o", tmp_path / name, *options, "--force").exit_code == 0
        count = len(read_csv(result.stdout))
        assert pq.read_table(tmp_path / "t.parquet").num_rows == count
        assert {len(column) for column in np.load(tmp_path / "t.npz").values()} == {count}


def test_parallel_export_equals_serial_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), tmp_path / "dense.db", layout="packed")
    alone = export(tmp_path / "dense.db", "-o", "-", "--positions").stdout
    answers = list[list[str]]()

    class Noted(WorkerPool):
        def map(self, tasks: Iterable[Any], on_progress: OnProgress = ignore) -> Iterator[Any]:
            for answer in super().map(tasks, on_progress):
                answers.append(answer)
                yield answer

    monkeypatch.setattr(rules_pool, "WorkerPool", Noted)
    monkeypatch.setattr(rules_pool, "cores", lambda: 2)
    monkeypatch.setattr("solver.database.columns.BATCH_ROWS", 50)
    monkeypatch.setattr("solver.engines.arrays.asking.NARROW", 1)
    for limit in ("SECONDS_ALONE", "SECONDS_PER_CHUNK", "TIMES_SENDING"):
        monkeypatch.setattr(rules_pool, limit, 0)
    assert export(tmp_path / "dense.db", "-o", "-", "--positions").stdout == alone
    with open_database(tmp_path / "dense.db") as db:
        assert set(chain.from_iterable(answers)) < set(db)
    assert len(answers) > 5


def test_graphml_has_every_position_and_move_with_labels(files: list[Path], tmp_path: Path) -> None:
    for file in files:
        target = tmp_path / f"{file.stem}.graphml"
        done, graph = export(file, "-o", target), nx.read_graphml(target, force_multigraph=True)
        with open_database(file) as db:
            size = target.stat().st_size
            assert done.stdout == f"{target}: {len(db):,} positions in {size:,} bytes\n"
            assert sorted(graph) == sorted(entry.position for entry in db.entries())
            for entry in db.entries():
                node, edges = graph.nodes[entry.position], list(graph.out_edges(entry.position, data=True))
                assert {*node} <= {*LABELS, "margin"}
                for name in LABELS[1:]:
                    assert node.get(name) == getattr(entry, name)
                moves = sorted((move.move, move.outcome, move.best) for move in entry.moves)
                assert sorted((edge["move"], edge["outcome"], edge["best"]) for _, _, edge in edges) == moves
                assert all(graph.nodes[child]["value"] == edge["value"] for _, child, edge in edges)


def test_graphml_of_too_large_file_is_refused_in_one_line(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.database.table_files.MAX_NODES", 5477)
    said = refusal(2, "export", tictactoe_db_path, "-o", tmp_path / "t.graphml")
    assert "has 5,478 positions, and GraphML is limited to 5,477" in said
    assert list(tmp_path.iterdir()) == []


def test_missing_pyarrow_is_named(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = export(tictactoe_db_path, "-o", tmp_path / "t.parquet", "--json")
    error = json.loads(done.stderr)["error"]
    assert (done.exit_code, error["code"]) == (MissingExtra.exit_status, "missing-extra")
    assert "`pip install pyarrow`" in error["message"]
    assert not list(tmp_path.iterdir())


def test_damaged_file_leaves_no_partial_export(files: list[Path], tmp_path: Path) -> None:
    for file in files:
        path = tmp_path / "damaged.db"
        shutil.copy(file, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            if file.name == "dense.db":
                connection.execute("update blocks set crc32 = crc32 + 1 where id = 2")
            else:
                connection.execute("update positions set to_move = 'nobody' where id = 3")
        for end in ("csv", "parquet", "npz"):
            refused(4, export(path, "-o", tmp_path / f"t.{end}"))
        assert [item.name for item in tmp_path.iterdir()] == ["damaged.db"]


def test_one_position_is_reported_in_singular(tmp_path: Path) -> None:
    file, other, table = (tmp_path / name for name in ("over.db", "packed.db", "over.csv"))
    solved = call("solve", "tictactoe", "--start", "xxxoo....", "--fold", "-o", file)
    assert solved.stdout.startswith("states      1 class of symmetric states, 1 of them terminal\n")
    assert call("convert", file, "-o", other).stdout.startswith(f"{other}: packed, 1 position in ")
    assert export(file, "-o", table).stdout.startswith(f"{table}: 1 position in ")


class Ringing(ExplicitGame):
    """Moves have a carriage return and a bell in their names."""

    def action_name(self, action: int) -> str:
        return f"a\r\a{action}"


def test_control_characters_are_quoted_in_csv_and_refused_in_xml(tmp_path: Path) -> None:
    solve(Ringing(((1, 1), ()), (0, 0), (0, 1)), tmp_path / "r.db")
    rows = read_csv(export(tmp_path / "r.db", "-o", "-", "--best-moves").stdout)
    assert [row["best_move"] for row in rows] == ["a\r\a0", ""]
    said = refusal(2, "export", tmp_path / "r.db", "-o", tmp_path / "r.graphml")
    assert r"GraphML cannot have the character '\x07' of 'a\r\x070'" in said


@pytest.mark.parametrize("ending", ["csv", "npz", "graphml", "parquet"])
def test_full_disk_error_names_the_output_file(tmp_path: Path, ending: str) -> None:
    file, out = solved_file("hexapawn"), tmp_path / f"out.{ending}"
    with files_up_to(1000):
        words = refusal(4, "export", file, "-o", out)
    assert words.startswith(f"Error: cannot write {out}: ")
    assert words.endswith("File too large\n")
    assert not any(tmp_path.iterdir())
