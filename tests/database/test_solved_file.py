"""Opening files of strangers: no content of a file has an effect other than on answers."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from solver import open_database, solve, verify_database
from solver.analysis.statistics import statistics
from solver.database.header import MAX_ROW_BYTES, connect
from solver.database.packed.writer import write_packed
from solver.database.schema import FORMAT, PACKED_FORMAT
from solver.errors import BrokenRules, BusyFile, DamagedFile
from tests.support.altered import alter
from tests.support.games.misbehaving import Fork
from tests.support.hostile_files.bombs import endless_pages
from tests.support.solved import solved_file, solving

LAYOUTS = ("readable", "packed")

RESTRICTED = {
    "SQL_LENGTH": 65_536,
    "VDBE_OP": 16_384,
    "VARIABLE_NUMBER": 1024,
    "LIKE_PATTERN_LENGTH": 64,
    "COLUMN": 32,
    "EXPR_DEPTH": 32,
    "FUNCTION_ARG": 9,
    "COMPOUND_SELECT": 2,
    **dict.fromkeys(("ATTACHED", "TRIGGER_DEPTH", "WORKER_THREADS"), 0),
}


@pytest.fixture(scope="module", params=LAYOUTS)
def sound(request: pytest.FixtureRequest) -> Path:
    return solved_file("mnk", {"rows": 2, "columns": 3, "k": 2}, layout=request.param)


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "copy.db"))


def test_connection_is_read_only_and_has_low_limits(sound: Path) -> None:
    with closing(connect(sound)) as connection:
        for name, most in RESTRICTED.items():
            assert connection.getlimit(getattr(sqlite3, f"SQLITE_LIMIT_{name}")) == most, name
        layout = connection.execute("pragma user_version").fetchone()[0]
        assert connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) == 2 * MAX_ROW_BYTES[layout]
        pragmas = {"trusted_schema": 0, "query_only": 1, "cell_size_check": 1}
        for pragma, value in pragmas.items():
            assert connection.execute(f"pragma {pragma}").fetchone() == (value,), pragma
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("delete from about")
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("attach ':memory:' as other")


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("create view evil as select 1", "view evil"),
        ("create trigger evil after insert on about begin select 1; end", "trigger evil"),
        ("create table evil (a, b as (a))", "table evil"),
        ("create virtual table evil using fts5(a)", "table evil"),
        ("create index evil on about (value)", "index evil"),
        ('create table "two\nlines" (a)', r"table 'two\\nlines'"),
        ("alter table about add column more text", "table about"),
        ("drop table about", "no table about"),
    ],
)
def test_altered_schema_object_is_refused_by_name(copy: Path, sql: str, named: str) -> None:
    alter(copy, sql)
    with pytest.raises(DamagedFile, match=f"{named}.*; solve the game again") as caught:
        open_database(copy)
    assert "\n" not in str(caught.value)


def rewritten(path: Path, reword: Callable[[str], str]) -> None:
    """Write the SQL of all tables and views in another way."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma writable_schema = on")
        rows = connection.execute("select name, sql from sqlite_schema where sql is not null").fetchall()
        for name, sql in rows:
            connection.execute("update sqlite_schema set sql = ? where name = ?", (reword(sql), name))


@pytest.mark.parametrize(
    "reword",
    [
        lambda sql: sql.replace("(", "( -- it's other words\n", 1).replace("--", "-- more:"),
        lambda sql: "\n".join(line.split("--")[0] for line in sql.splitlines()),
        lambda sql: sql.replace(" ", "  ").replace(",", " ,"),
        lambda sql: sql.replace("not null", "NOT NULL"),
    ],
)
def test_schema_comments_and_white_space_are_ignored(copy: Path, reword: Callable[[str], str]) -> None:
    rewritten(copy, reword)
    with open_database(copy) as db:
        assert db[db.start].value in (-1, 0, 1)


@pytest.mark.parametrize(
    ("old", "new"), [("'win'", "'WIN'"), ("not null", "null"), ("strict", ""), ("<>", "=")]
)
def test_altered_schema_word_is_refused(copy: Path, old: str, new: str) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        (form,) = connection.execute("pragma user_version").fetchone()
    if form == PACKED_FORMAT and old in ("'win'", "<>"):
        return
    rewritten(copy, lambda sql: sql.replace(old, new))
    with pytest.raises(DamagedFile, match="is not that of the schema"):
        open_database(copy)


@pytest.mark.parametrize("rows", [3000, 30_000])
def test_schema_with_too_many_rows_is_refused(copy: Path, rows: int) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("pragma writable_schema = on")
        connection.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) "
            "insert into sqlite_schema select 'table', 't' || i, 't' || i, 0, "
            "'create table t' || i || ' (a)' from n",
            (rows,),
        )
    with pytest.raises(DamagedFile):
        open_database(copy)


def test_schema_with_a_huge_statement_is_refused(copy: Path) -> None:
    rewritten(copy, lambda sql: sql.replace("(", f"( -- {'x' * 200_000}\n", 1))
    with pytest.raises(DamagedFile):
        open_database(copy)


@pytest.mark.parametrize("table", ["positions", "moves", "about", "blocks", "counts", "dictionary"])
def test_pages_with_endless_rows_are_refused(copy: Path, table: str) -> None:
    if not endless_pages(copy, table):
        return
    for ask in (statistics, list, lambda db: db[db.start], len, verify_database):
        try:
            with open_database(copy) as db:
                ask(db)
        except DamagedFile as error:
            assert str(copy) in str(error)  # noqa: PT017
    if table not in ("about", "blocks"):  # of which no more is read than there can be
        with pytest.raises(DamagedFile), open_database(copy) as db:  # noqa: PT012
            list(db)
            statistics(db)


def test_file_being_written_is_reported_as_busy(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.database.header.sqlite3.connect", partial(sqlite3.connect, timeout=0.01))
    with closing(sqlite3.connect(copy)) as writer:
        writer.execute("begin exclusive")
        with pytest.raises(BusyFile, match="cannot be read now") as caught:
            open_database(copy)
        assert "damaged" not in str(caught.value)
        writer.rollback()
    with open_database(copy) as db:
        assert db.start == "......"


@dataclass(frozen=True)
class Wordy(Fork):
    """Two moves to a position of as many letters as a file may hold, or a few more."""

    letters: int = 1

    def result(self, state: str, action: str) -> str:
        return "y" * self.letters


def test_texts_too_long_to_be_read_are_refused_by_writers(tmp_path: Path) -> None:
    most = MAX_ROW_BYTES[FORMAT]
    with solving(Wordy(most - 100)) as db:
        assert db["root"].value == 1
        assert len(db["y" * (most - 100)].position) == most - 100
        assert verify_database(db) == []
    with pytest.raises(BrokenRules, match="of more than 16 MiB"):
        solve(Wordy(most), tmp_path / "longer.db")
    assert not (tmp_path / "longer.db").exists()
    with pytest.raises(BrokenRules, match="more than 1 MiB"):
        write_packed(tmp_path / "packed.db", [], [], {"parameters": "x" * MAX_ROW_BYTES[PACKED_FORMAT]})
