"""Databases in several threads; and only damage is reported as damage."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import psutil
import pytest

from solver import Database, load_game, open_database, solve, verify_database
from solver.analysis.statistics import statistics
from solver.errors import BusyFile, ClosedDatabase
from tests.support.commandline import python
from tests.support.solved import solved_file

THREADS = 8


@pytest.fixture(scope="module", params=["readable", "packed"])
def path(request: pytest.FixtureRequest) -> Path:
    return solved_file("mnk", {"rows": 3, "columns": 3, "k": 2}, layout=request.param)


@pytest.fixture(autouse=True)
def little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let go of what was read all the time."""
    monkeypatch.setattr("solver.database.packed.block_reader.CACHED_BLOCKS", 2)
    monkeypatch.setattr("solver.database.readable.reader.ENTRIES_HELD", 2)


def in_another_thread(do: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do).result()


def test_threads_get_the_answers_of_a_single_thread(path: Path) -> None:
    with open_database(path) as db:
        texts = list(db)
        expected = {text: db[text] for text in texts}
        counts = statistics(db)

    def work(number: int) -> int:
        for text in texts[number::4]:
            assert db[text] == expected[text]
            assert db.probe(text).value == expected[text].value
        actual = db.lookup(texts[: 100 + number])
        assert actual.value.tolist() == [expected[text].value for text in texts[: 100 + number]]
        assert list(db) == texts
        assert statistics(db) == counts
        return len(texts)

    with open_database(path) as db, ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [len(texts)] * THREADS


def test_database_can_be_used_and_closed_in_other_threads(path: Path) -> None:
    db = in_another_thread(lambda: open_database(path))
    assert db[db.start].ply == 0
    rows = iter(db)
    assert next(rows) == db.start
    assert in_another_thread(lambda: next(rows)) != db.start
    assert in_another_thread(lambda: verify_database(db)) == []
    in_another_thread(db.close)
    with pytest.raises(ClosedDatabase, match="has been closed: open it again"):
        db[db.start]


def test_closed_database_raises_closed_database(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.database.readable.reader.ENTRIES_HELD", 100)
    with open_database(path) as db:
        start = db.start
        assert db[start] == db[start]
    asks: list[Callable[[Database], object]] = [
        lambda db: db[start],
        lambda db: db.lookup([start]),
        list,
        lambda db: list(db.entries()),
        lambda db: db.digest(),
        lambda db: db.tuples("select 1"),
    ]
    for ask in asks:
        with pytest.raises(ClosedDatabase):
            ask(db)
    db.close()


def is_open(path: Path) -> bool:
    """Whether this process has the file open."""
    return str(path) in {open_file.path for open_file in psutil.Process().open_files()}


def test_close_closes_the_file_despite_unread_rows(path: Path) -> None:
    with open_database(path) as db:
        rows, texts, entries = db.stream("select 1 from about"), iter(db), db.entries()
        assert (next(rows)[0], next(texts), is_open(path)) == (1, db.start, True)
        assert next(entries) == db[db.start]
    assert not is_open(path)
    for rest in (rows, texts, entries):
        with pytest.raises(ClosedDatabase, match="has been closed: open it again"):
            list(rest)
    assert not is_open(path)


def test_garbage_collection_of_a_database_prints_no_warning(path: Path) -> None:
    """A reader that fails leaves a stream behind, in a cycle of an error with what it is about."""
    script = (
        "import gc, sys, warnings\n"
        "from solver import open_database\n"
        "warnings.simplefilter('always')\n"
        "gc.disable()\n"
        "try:\n"
        "    with open_database(sys.argv[1]) as db:\n"
        "        rows = db.stream('select 1 from sqlite_schema')\n"
        "        cycle = [next(rows), rows]\n"
        "        cycle.append(cycle)\n"
        "        raise ValueError\n"
        "except ValueError:\n"
        "    del cycle, rows, db\n"
        "gc.collect()\n"
    )
    assert python(script, path).stderr == ""


def test_abandoned_rows_return_their_connection(path: Path) -> None:
    with open_database(path) as db:
        for _ in range(5):
            assert next(db.stream("select 7 from sqlite_schema"))[0] == 7
        assert len(db._idle) == 1
        assert not db._paused


def test_later_thread_reuses_the_connection(path: Path) -> None:
    with open_database(path) as db:
        for _ in range(20):
            thread = Thread(target=lambda: db[db.start])
            thread.start()
            thread.join()
        assert len(db._idle) <= 2


def test_forked_child_opens_its_own_connections(path: Path) -> None:
    with open_database(path) as db:
        texts = list(db)
        expected = [db[text].value for text in texts]
        inherited = set(map(id, db._idle))
        child = os.fork()
        if child == 0:
            try:
                right = [db[text].value for text in texts] == expected
                own = not inherited & set(map(id, db._idle))
                db.close()
                os._exit(0 if right and own else 1)
            except BaseException:
                os._exit(2)
        assert [db[text].value for text in texts] == expected
        assert os.waitpid(child, 0)[1] == 0
        assert db.lookup(np.array([db.game.initial])).value.tolist() == expected[:1]


def test_new_connection_to_a_replaced_file_is_refused(path: Path, tmp_path: Path) -> None:
    served, other = tmp_path / "served.db", tmp_path / "other.db"
    shutil.copy(path, served)
    solve(load_game("mnk", {"rows": 3, "columns": 3, "k": 2, "misere": True}), other, engine="graph")
    with open_database(served) as db:
        rows = db.stream("select key from about")
        next(rows)  # holds the connection that the file was opened by
        other.replace(served)
        with pytest.raises(BusyFile, match="has been replaced by another file: open it again"):
            db[db.start]
        rows.close()  # type: ignore[attr-defined]
        assert db[db.start].value == 1  # by the first connection, from the first file
