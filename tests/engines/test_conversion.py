import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver import load_game, open_database, solve, verify_database
from solver.engines.conversion import convert
from solver.errors import TooLarge
from tests.support.commandline import call, refused, silent
from tests.support.exchanged_files import exchanged_file
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.packed import ExchangedTable
from tests.support.solved import solved_file, solving

CHILDREN = (2, 3, -1, -1, 6, 7, -1, -1)
ONE_MOVE = ExchangedTable(2, 1, CHILDREN, (0, 0, 1, 1, 1, 1, 0, 0), (1,) * 4 + (-1,) * 4, (0, 4), tells=False)
"""The first player moves from 0 to the end 2, or from 1 to 3, the same mirrored; from 4 to 6 and from
5 to 7 they have changed places. Play begins in 0 or in 4."""


@pytest.mark.parametrize(
    ("starts", "start", "positions"),
    [
        ((0, 4), None, "0246"),
        ((0, 4, 4, 5), None, "0246"),
        ((0, 4), "0", "0246"),  # the same file: each state that play by the rules reaches is in it
        ((0, 4), "4", "46"),  # not the start that a file of the rules' own starts names
        ((0, 4), "5", "46"),
        ((0,), None, "02"),
        ((0,), "4", "46"),
        ((0,), "1", "02"),
    ],
)
def test_convert_keeps_the_starts_of_a_file_folded_by_exchange(
    starts: tuple[int, ...], start: str | None, positions: str, tmp_path: Path
) -> None:
    path = exchanged_file(replace(ONE_MOVE, starts=starts), tmp_path, start=start)
    with open_database(path) as db:
        convert(db, tmp_path / "readable.db", "readable")
    with open_database(tmp_path / "readable.db") as db:
        assert verify_database(db) == []
        assert "".join(sorted(db)) == positions
        assert db.start == (start or str(starts[0]))


@pytest.mark.parametrize(
    ("starts", "mirrored", "exchanged"),
    [((1, 0, 2), ["1", "2"], ["1", "2"]), ((4, 0, 3), ["4", "0", "3"], ["4", "3"])],
)
def test_folded_file_has_one_start_per_class(
    starts: tuple[int, ...], mirrored: list[str], exchanged: list[str], tmp_path: Path
) -> None:
    game = replace(ONE_MOVE, starts=starts)
    with open_database(exchanged_file(game, tmp_path)) as db:
        assert (db.beginnings(), db.starts) == (exchanged, len(exchanged))
    for layout in ("readable", "packed"):
        with solving(game, layout=layout, fold=True) as db:
            assert (db.beginnings(), db.starts) == (mirrored, len(mirrored))


convert_by_command = partial(call, "convert")

dense = partial(solved_file, "tictactoe", layout="packed")


def test_convert_round_trips_between_the_layouts(tictactoe_db_path: Path, tmp_path: Path) -> None:
    there = silent(convert_by_command(tictactoe_db_path, "-o", tmp_path / "dense.db"))
    assert f"{tmp_path / 'dense.db'}: packed, 5,478 positions in " in there.stdout
    back = convert_by_command(tmp_path / "dense.db", "-o", tmp_path / "plain.db", "--layout", "readable")
    assert f"{tmp_path / 'plain.db'}: readable, 5,478 positions in " in back.stdout
    assert (tmp_path / "plain.db").read_bytes() == tictactoe_db_path.read_bytes()


def test_convert_overwrites_existing_file_only_with_force(tictactoe_db_path: Path, tmp_path: Path) -> None:
    target = tmp_path / "there.db"
    target.write_text("precious")
    refused = convert_by_command(tictactoe_db_path, "-o", target)
    assert (refused.exit_code, target.read_text()) == (2, "precious")
    assert "--force" in refused.stderr
    assert convert_by_command(tictactoe_db_path, "-o", target, "--force").exit_code == 0
    with open_database(target) as db:
        assert len(db) == 5478


def test_convert_can_replace_its_input_file(tictactoe_db_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    shutil.copy(tictactoe_db_path, path)
    for _ in range(2):
        assert convert_by_command(path, "-o", path, "--force").exit_code == 0
    assert path.read_bytes() == tictactoe_db_path.read_bytes()


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (load_game("nim"), "states of nim are no integers"),
        (ExplicitGame(((1,), ()), (0, 1), (0, 1)), "are no integers"),
    ],
    ids=str,
)
def test_convert_refuses_to_pack_non_integer_states(game: Any, reason: str, tmp_path: Path) -> None:
    solve(game, tmp_path / "game.db")
    assert reason in refused(2, convert_by_command(tmp_path / "game.db", "-o", tmp_path / "dense.db"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.db"]


def test_convert_refuses_the_layout_of_its_input(tictactoe_db_path: Path, tmp_path: Path) -> None:
    for file, layout in ((tictactoe_db_path, "readable"), (dense(), "packed")):
        said = refused(2, convert_by_command(file, "-o", tmp_path / "again.db", "--layout", layout))
        assert f"has the {layout} layout already" in said
    assert not (tmp_path / "again.db").exists()


def test_convert_refuses_games_beyond_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = dense()
    monkeypatch.setattr("solver.system.resources.available", lambda: 5478 * 200 - 1)
    monkeypatch.setattr("solver.engines.arrays.solve.Discovery", None)
    done = convert_by_command(file, "-o", tmp_path / "plain.db")
    assert "has 5,478 states" in refused(TooLarge.exit_status, done)
    assert not (tmp_path / "plain.db").exists()


def test_convert_refuses_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "dense.db"
    with open_database(dense()) as db:
        keys = bytes(db.tuples("select keys from blocks where id = 10")[0][0])
    whole = bytearray(dense().read_bytes())
    whole[whole.index(keys) + len(keys) // 2] ^= 4
    path.write_bytes(whole)
    assert "checksum" in refused(4, convert_by_command(path, "-o", tmp_path / "plain.db"))
    assert [item.name for item in tmp_path.iterdir()] == ["dense.db"]
