"""Files of earlier formats are read as those of today: format 1, without views, and planes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver.database.schema import FORMAT_WITHOUT_VIEWS
from tests.database.packed.test_format_of_planes import opened
from tests.support.altered import alter
from tests.support.commandline import call, refusal
from tests.support.hostile_files.databases import seal
from tests.support.solved import solved_file


def make_format_1(path: Path) -> None:
    """Make a readable file one of format 1."""
    with closing(sqlite3.connect(path)) as file, file:
        for (view,) in file.execute("select name from sqlite_schema where type = 'view'").fetchall():
            file.execute(f"drop view {view}")
        file.execute(f"pragma user_version = {FORMAT_WITHOUT_VIEWS}")
        file.execute(f"update about set value = 'perfectplay {FORMAT_WITHOUT_VIEWS}' where key = 'format'")
        seal(file)


@pytest.fixture(scope="module", params=["1", "planes"])
def folders(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders with game.db: one of today, one of an earlier format."""
    today, before = (tmp_path_factory.mktemp(name) / "game.db" for name in ("today", "before"))
    if request.param == "1":
        shutil.copy(solved_file("mnk", {"rows": 2, "columns": 3, "k": 2}), today)
        make_format_1(Path(shutil.copy(today, before)))
    else:
        shutil.copy(solved_file("tictactoe", layout="packed"), today)
        opened("tictactoe", before)
    return today.parent, before.parent


@pytest.mark.parametrize(
    "command",
    [
        *("query", "stats", "verify", "verify --adopt", "plan", "puzzles", "diff game.db"),
        *("export -o -", "convert -o other.db", "report -o report.html", "explore -o page.html"),
        *("site -o site --force", "certify -o proof"),
        *("grade random --sample 500", "match perfect random --games 2 --seed 1"),
    ],
)
def test_commands_give_the_same_output_for_earlier_formats(folders: tuple[Path, Path], command: str) -> None:
    outputs, written = [], []
    for folder in folders:
        name, *more = command.split()
        done = call(name, "game.db", *more, cwd=folder)
        outputs.append((done.exit_code, done.stdout, done.stderr))
        files = (path for path in folder.rglob("*") if path.is_file() and path.name != "game.db")
        written.append({file.relative_to(folder): file.read_bytes() for file in files})
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0, outputs
    assert written[0] == written[1]


def test_view_in_a_file_of_format_1_is_refused(tmp_path: Path) -> None:
    make_format_1(Path(shutil.copy(solved_file("nim"), path := tmp_path / "nim.db")))
    alter(path, "create view mistakes as select 1")
    assert "its view mistakes is not part of the schema" in refusal(4, "query", path)
