from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.html import database_page
from solver import load_game, open_database, solve
from solver.cli import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["explore", *map(str, arguments)])


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "small.db"
    solve(load_game("mnk", {"rows": 2, "columns": 2, "k": 2}), path)
    return path


def test_a_database_becomes_one_file_in_place_of_an_older_one(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("older")
    result = run(small, "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{file}: every position of 2 in a row on 2 x 2, 0.1 MB\n"
    with open_database(small) as db:
        assert file.read_text("utf-8") == database_page.render(db)
    assert list(tmp_path.iterdir()) == [file]


def test_a_page_goes_through_a_pipe(small: Path) -> None:
    result = run(small, "-o", "-")
    assert result.stdout.startswith("<!doctype html>")
    assert result.stderr == ""


def test_a_database_too_large_for_one_file_is_refused_with_what_would_fit(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_page, "render", partial(database_page.render, most_bytes=100_000))
    file = tmp_path / "game.html"
    file.write_text("older")
    result = run(tictactoe_db_path, "-o", file)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "Tic-tac-toe has 5,478 positions; one HTML file" in line
    assert "has room for about 1," in line
    assert file.read_text() == "older"


@pytest.mark.parametrize(
    ("file", "output", "status", "says"),
    [
        ("small.db", "no/such/folder/game.html", 4, "no folder"),
        ("small.db", ".", 2, "folder"),
        ("nothing.db", "game.html", 4, "nothing.db"),
    ],
)
def test_what_cannot_be_read_or_written_is_refused(
    small: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    output: str,
    status: int,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(small.with_name(file), "-o", output)
    assert (result.exit_code, result.stdout) == (status, "")
    assert says in result.stderr
    assert list(tmp_path.iterdir()) == []
