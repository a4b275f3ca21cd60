"""Files of format 1, which have no views, are read as those of today are."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver import solve
from solver.database.schema import FORMAT_WITHOUT_VIEWS
from solver.games.mnk import MNK
from tests.support.altered import altered
from tests.support.commandline import call, refusal
from tests.support.hostile_files.databases import seal


def make_format_1(path: Path) -> None:
    """Make a readable file one of format 1."""
    with closing(sqlite3.connect(path)) as file, file:
        for (view,) in file.execute("select name from sqlite_schema where type = 'view'").fetchall():
            file.execute(f"drop view {view}")
        file.execute(f"pragma user_version = {FORMAT_WITHOUT_VIEWS}")
        file.execute(f"update about set value = 'perfectplay {FORMAT_WITHOUT_VIEWS}' where key = 'format'")
        seal(file)


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
        done = call(*command.split())
        outputs.append((done.exit_code, done.stdout, done.stderr))
        written.append({file.name: file.read_bytes() for file in folder.iterdir() if file.name != "mnk.db"})
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0, outputs
    assert written[0] == written[1]


def test_a_view_in_a_file_of_format_1_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    path = altered(folders[1] / "mnk.db", tmp_path / "mnk.db", "create view mistakes as select 1")
    assert "its view mistakes is not part of the schema" in refusal(4, "query", path)
