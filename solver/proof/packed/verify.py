"""Proves a packed file: its table of blocks, then all states, task by task, then its digest."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

from solver.database import Database
from solver.database.header import connect
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import digest
from solver.game import Game
from solver.proof import MAX_PROBLEMS
from solver.proof.packed.array_answers import ArrayAnswers
from solver.proof.packed.blocks import Damage, problems_of_table, series_of, table_of
from solver.proof.packed.checker import AllSeries
from solver.proof.packed.layers.tasks import LayerChecker
from solver.proof.packed.layers.walk import LayerWalk
from solver.proof.packed.loops.tasks import LoopChecker
from solver.proof.packed.loops.walk import LoopWalk
from solver.proof.packed.workforce import Workforce, is_large, workforce_for
from solver.rules.failures import slowness
from solver.system.executors import OnProgress, counted
from solver.system.progress import Progress, no_progress, remark, waiting


def verify_packed(
    file: Database,
    *,
    progress: Progress = no_progress,
    processes: int | None = None,
    cluster: str | None = None,
) -> list[str]:
    """The problems of a packed file, at most ten, each with its position; none if the file is proved.

    By default a large file gets as many `processes` as processors and memory allow, and a small one is
    checked in this process. A `cluster`, the address of a dask scheduler or `local:N`, checks it by workers,
    which must all see the file at its path. Raises what loading the rules of the file raises, `TooLarge` if a
    worker process dies, and what `cluster_at` raises.
    """
    if (db := file.packed) is None:
        raise TypeError(f"{file.path} is not packed")
    workforce, problems_seen = workforce_for(db, processes, cluster), dict[str, None]()
    if is_large(db) and (obstacle := ArrayAnswers(db.rules, (), 0).obstacle()):
        remark(slowness(db.rules, obstacle))
    with (
        closing(connect(db.path)) as connection,
        closing(_problems(connection, progress, workforce)) as problems,
    ):
        while len(problems_seen) < MAX_PROBLEMS and (problem := next(problems, None)):
            problems_seen[problem] = None
    return list(problems_seen)


def checker_of(
    db: PackedDatabase, series: AllSeries, on_progress: OnProgress, folder: str | None, *, by_class: bool
) -> LayerChecker | LoopChecker:
    """The checker that does the tasks of a proof of this file; raises `Damage`.

    `folder` is for the files of the proof of a game with loops, which may go `by_class`; otherwise None.
    """
    if folder is None:
        return LayerChecker(db, series, on_progress)
    return LoopChecker(db, series, on_progress, Path(folder), by_class=by_class)


def _problems(
    connection: sqlite3.Connection, progress: Progress, workforce: Workforce
) -> Generator[str, None, None]:
    try:
        with waiting(progress, "checking the file"):
            integrity = connection.execute("pragma integrity_check").fetchall()
        for row in integrity:
            if row[0] != "ok":
                yield f"SQLite finds the file inconsistent: {row[0]}"
        table = table_of(connection, workforce.db.stage_column)
        if problems := list(islice(problems_of_table(table), MAX_PROBLEMS)):
            yield from problems
        else:
            yield from _problems_of_states(series_of(table), progress, workforce)
        states = workforce.db.number("states")  # not `len(db)`, which relies on the table of counts
        stored = workforce.db.about["sha256"]
        if digest(connection, progress=progress, total=states) != stored:  # not by `db`, which maps the file
            yield "the SHA-256 over all rows is not the one that was stored when they were written"
    except (Damage, sqlite3.DatabaseError) as error:
        yield f"reading stopped: {error}"


def _problems_of_states(
    series: AllSeries, progress: Progress, workforce: Workforce
) -> Generator[str, None, None]:
    """Yield the problems of all states; a proof class by class will do if it finds none.

    If it finds one, every state is proved, as the file may still be right: then a symmetry of the rules is
    false.
    """
    if _has_classes(workforce.db):
        with closing(_walked(series, progress, workforce, by_class=True)) as problems:
            if next(problems, None) is None:
                return
    yield from _walked(series, progress, workforce, by_class=False)


def _has_classes(db: PackedDatabase) -> bool:
    """Whether the file may be proved class by class, see `solver.proof.packed.symmetry`."""
    if db.folded or not db.has_loops or type(db.rules).canonical is not Game.canonical:
        return False
    with suppress(Exception):  # of the rules: the proof of every state reports it
        return bool(db.rules.symmetries())
    return False


def _walked(
    series: AllSeries, progress: Progress, workforce: Workforce, *, by_class: bool
) -> Generator[str, None, None]:
    db, ledger = workforce.db, workforce.ledger()
    verified = counted(progress, "verify", db.number("states"))
    with (
        workforce.work_folder() as work,
        closing(checker_of(db, series, verified, work, by_class=by_class)) as checker,
        closing(workforce.executor(checker, work)) as executor,
    ):
        walk: LayerWalk | LoopWalk
        if isinstance(checker, LoopChecker):
            walk = LoopWalk(checker, executor)
        else:
            walk = LayerWalk(checker, executor, workforce.processes, workforce.children_at_once, ledger)
        yield from walk.problems(progress)
    if ledger:
        ledger.remove()
