"""Files of format 1, which have no views, are read as those of today are."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver import solve
from solver.cli import main
from solver.games.mnk import MNK
from tests.support.format_1 import make_format_1


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders with mnk.db: one of today, one of format 1."""
    today, before = tmp_path_factory.mktemp("today"), tmp_path_factory.mktemp("before")
    solve(MNK(2, 3, 2), today / "mnk.db")
    make_format_1(Path(shutil.copy(today / "mnk.db", before)))
    return today, before


@pytest.mark.parametrize(
    "command",
    [
        "query mnk.db",
        "stats mnk.db",
        "verify mnk.db",
        "verify mnk.db --adopt",
        "plan mnk.db",
        "export mnk.db -o -",
        "convert mnk.db -o packed.db --layout packed",
        "report mnk.db -o report.html",
        "puzzles mnk.db",
        "explore mnk.db -o page.html",
        "grade mnk.db random",
        "match mnk.db perfect random --games 2 --seed 1",
        "diff mnk.db mnk.db",
    ],
)
def test_each_command_says_and_writes_the_same(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    outputs, written = [], []
    for folder in folders:
        monkeypatch.chdir(folder)
        done = CliRunner().invoke(main, command.split(), catch_exceptions=False)
        outputs.append((done.exit_code, done.stdout, done.stderr))
        written.append({file.name: file.read_bytes() for file in folder.iterdir() if file.name != "mnk.db"})
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0, outputs
    assert written[0] == written[1]


def test_a_view_in_a_file_of_format_1_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    path = shutil.copy(folders[1] / "mnk.db", tmp_path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("create view mistakes as select 1")
    done = CliRunner().invoke(main, ["query", str(path)])
    assert done.exit_code == 4
    assert "its view mistakes is none of ours" in done.stderr
