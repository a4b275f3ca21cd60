"""`perfectplay report`: its output and its refusals."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.support.altered import altered
from tests.support.commandline import call, refused, silent, succeeded
from tests.support.solved import solved_file

report = partial(call, "report")


def test_dash_as_output_prints_the_default_report() -> None:
    assert report(solved_file("nim"), "-o", "-").stdout == silent(report(solved_file("nim"))).stdout


def test_file_suffix_selects_the_format(tictactoe_db_path: Path, tmp_path: Path) -> None:
    nim = solved_file("nim")
    for db, ending, begins in (
        (nim, "md", "# Nim"),
        (nim, "html", "<!doctype html>"),
        (tictactoe_db_path, "json", '{\n "file": '),
    ):
        path = tmp_path / f"report.{ending}"
        actual = report(db, "-o", path)
        assert (actual.exit_code, actual.stdout) == (0, "")
        assert actual.stderr.splitlines()[-1] == f"{path}: a report on {db.name}"
        assert path.read_text("utf-8").startswith(begins)


def test_two_games_are_compared_side_by_side(tictactoe_db_path: Path, tmp_path: Path) -> None:
    misere = solved_file("tictactoe", {"misere": True})
    actual = succeeded(report(tictactoe_db_path, misere))
    assert "| random play: x wins | 58.5% | 28.8% |\n" in actual.stdout
    assert "\n\nB. Fair: perfect play is a draw; random play is won by x in 28.8% of games" in actual.stdout
    names = "Tic-tac-toe (misere=false)", "Tic-tac-toe, misère (misere=true)"
    assert actual.stdout.startswith(f"# {' and '.join(names)}: a report\n\nA. Fair: ")
    assert f"|  | A: {names[0]} | B: {names[1]} |" in actual.stdout
    assert "The value differs in 4,082," in actual.stdout
    assert "| `x........` | o to move: draw | o to move: win in 8 plies |" in actual.stdout
    path = tmp_path / "pair.json"
    assert report(tictactoe_db_path, misere, "-o", path).exit_code == 0
    document = json.loads(path.read_text("utf-8"))
    assert (document["difference"]["common"], document["difference"]["value"]) == (5478, 4082)
    assert document["a"]["random_play"]["first"] == document["b"]["random_play"]["second"]


def test_games_without_a_common_position_are_compared(tmp_path: Path) -> None:
    nim, other = solved_file("nim"), solved_file("ponghauki")
    actual = succeeded(report(other, nim))
    assert "no position in common" in actual.stdout
    assert report(other, nim, "-o", tmp_path / "pair.json").exit_code == 0
    assert json.loads((tmp_path / "pair.json").read_text("utf-8"))["difference"] is None


@pytest.mark.parametrize(
    "sql",
    [
        "update moves set child_id = 99999 where rowid = 7",
        "delete from moves where position_id = 5",
        "update positions set to_move = 'z' where id = 3",
        "update positions set is_terminal = 1 where id = 1",
        "delete from positions where id = 5478",
    ],
)
def test_damaged_file_is_refused_in_one_line(tictactoe_db_path: Path, tmp_path: Path, sql: str) -> None:
    assert "is damaged" in refused(4, report(altered(tictactoe_db_path, tmp_path / "damaged.db", sql)))
