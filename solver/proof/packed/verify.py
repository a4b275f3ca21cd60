"""Proves a packed file: reads its table of blocks, and hands the proof to one process per processor."""

import sqlite3
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import NamedTuple

from solver.database import Database
from solver.database.header import connect
from solver.database.packed.block import BLOCK
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import digest
from solver.game import Game
from solver.proof import MAX_PROBLEMS
from solver.proof.packed.blocks import Damage, problems_of_table, series_of, table_of
from solver.proof.packed.checker import AllSeries, Checker
from solver.proof.packed.layers import tasks as layers
from solver.proof.packed.layers.tasks import LayerChecker
from solver.proof.packed.layers.walk import LayerWalk
from solver.proof.packed.loops import tasks as loops
from solver.proof.packed.loops.tasks import LoopChecker
from solver.proof.packed.loops.walk import LoopWalk
from solver.rules.loading import game_place
from solver.rules.named import as_named
from solver.rules.source import trust
from solver.system import resources
from solver.system.cluster import cluster_at
from solver.system.executors import TaskExecutor, Tell
from solver.system.files import user_folder
from solver.system.ledger import Ledger
from solver.system.progress import Progress, no_progress, waiting
from solver.system.resources import cores
from solver.system.worker_pool import InProcess, WorkerPool

PARALLEL_FROM = 1 << 25
"""Moves to be tried, legal or not, from which on it pays to start worker processes."""

WORKER = "solver.proof.packed.worker"
"""The module that worker processes run."""

BYTES_PER_PROCESS = 1 << 29
"""Bytes of memory that a process may need, besides those for the children that it collects."""

PROCESSES_OF_CLUSTER = 16
"""Workers of a cluster for whom a file is divided into enough tasks."""


class _Where(NamedTuple):
    """Where the tasks of a proof are done."""

    processes: int
    """Processes among which they are divided; 1 for this process."""
    cluster: str | None


def verify_packed(
    file: Database,
    *,
    progress: Progress = no_progress,
    processes: int | None = None,
    cluster: str | None = None,
) -> list[str]:
    """Return what is wrong with a packed file: at most ten problems, each with its position; none if proved.

    By default a large file gets as many `processes` as processors and memory allow, and a small one is
    checked in this process. With a `cluster`, its workers check it, who all see the file by its path: the
    address of a dask scheduler, or `local:N`. Raises what loading the rules of the file raises, `TooLarge` if
    a worker process dies, and what `cluster_at` raises.
    """
    if (db := file.packed) is None:
        raise TypeError(f"{file.path} is not packed")
    if processes is None:
        states = _estimated_states(db)
        large = states * db.rules.action_count >= PARALLEL_FROM
        at_once = (loops if db.has_loops else layers).CHILDREN_AT_ONCE
        processes = _process_limit(min(states, at_once)) if large and sys.executable else 1
    where = _Where(processes, None) if cluster is None else _Where(PROCESSES_OF_CLUSTER, cluster)
    found: dict[str, None] = {}
    with (
        closing(connect(db.path)) as connection,
        closing(_problems(db, connection, progress, where)) as problems,
    ):
        while len(found) < MAX_PROBLEMS and (problem := next(problems, None)):
            found[problem] = None
    return list(found)


def checker_of(
    db: PackedDatabase, series: AllSeries, tell: Tell, folder: str | None, *, by_class: bool
) -> LayerChecker | LoopChecker:
    """Return what does the tasks of a proof of this file; raises `Damage`.

    `folder` is for the files that the proof of a game with loops takes, which may go `by_class`.
    """
    if folder is None:
        return LayerChecker(db, series, tell)
    return LoopChecker(db, series, tell, Path(folder), by_class=by_class)


def _work_folder(db: PackedDatabase, where: _Where) -> AbstractContextManager[str | None]:
    """Create a folder for the time of a proof if the file is of a game with loops."""
    if not db.has_loops:
        return nullcontext()
    beside = None if where.cluster is None else db.path.resolve().parent
    return TemporaryDirectory(prefix="perfectplay-", dir=beside, ignore_cleanup_errors=True)


def _problems(
    db: PackedDatabase, connection: sqlite3.Connection, progress: Progress, where: _Where
) -> Generator[str, None, None]:
    states = db.number("states")  # not `len(db)`, which trusts the table of counts
    try:
        with waiting(progress, "checking the file"):
            integrity = connection.execute("pragma integrity_check").fetchall()
        for row in integrity:
            if row[0] != "ok":
                yield f"SQLite finds the file inconsistent: {row[0]}"
        table = table_of(connection)
        if problems := list(islice(problems_of_table(table), MAX_PROBLEMS)):
            yield from problems
        else:
            series = series_of(table)
            if not (_has_classes(db) and _is_proved_by_class(db, series, progress, where)):
                yield from _walked(db, series, progress, where, by_class=False)
        found = digest(connection, progress=progress, total=states)  # not by `db`, which maps the file
        if found != db.about["sha256"]:
            yield "the SHA-256 over all rows is not the one that was stored when they were written"
    except (Damage, sqlite3.DatabaseError) as error:
        yield f"it cannot be read on: {error}"


def _has_classes(db: PackedDatabase) -> bool:
    """Return whether the file may be proved class by class, see `solver.proof.packed.symmetry`."""
    if db.folded or not db.has_loops or type(db.rules).canonical is not Game.canonical:
        return False
    with suppress(Exception):  # of the rules, which the proof of each state tells
        return bool(db.rules.symmetries())
    return False


def _is_proved_by_class(db: PackedDatabase, series: AllSeries, progress: Progress, where: _Where) -> bool:
    """Return whether no problem is found class by class; if one is, the proof of each state names it.

    Not even then need the file be wrong: symmetries that are none say nothing of it.
    """
    with closing(_walked(db, series, progress, where, by_class=True)) as problems:
        return next(problems, None) is None


def _walked(
    db: PackedDatabase, series: AllSeries, progress: Progress, where: _Where, *, by_class: bool
) -> Generator[str, None, None]:
    """Yield the problems of all states."""
    verified, ledger = _Verified(progress, db.number("states")), _ledger(db, where)
    with (
        _work_folder(db, where) as work,
        closing(checker_of(db, series, verified, work, by_class=by_class)) as checker,
        closing(_executor(checker, where, work)) as executor,
    ):
        yield from _walk(checker, executor, where, ledger).problems(progress)
    if ledger:
        ledger.remove()


def _walk(
    checker: LayerChecker | LoopChecker, executor: TaskExecutor, where: _Where, ledger: Ledger | None
) -> LayerWalk | LoopWalk:
    """Return the proof that a checker is for."""
    return (
        LoopWalk(checker, executor)
        if isinstance(checker, LoopChecker)
        else LayerWalk(checker, executor, where.processes, _children_at_once(where), ledger)
    )


def _ledger(db: PackedDatabase, where: _Where) -> Ledger | None:
    """Return the ledger of the proof of a large file in layers; None for others.

    It lies in the user's own folder: beside the file it might come from whoever made the file. The digest,
    which is checked last, tells whether the file is still the one of which plies were proved.
    """
    folder = user_folder()
    if where.processes == 1 or db.has_loops or folder is None:
        return None
    path = str(db.path.resolve())
    subject = {"file": path, "program": version("perfectplay")}
    subject |= {"sha256": db.about["sha256"], "rules": as_named(db.game)["play"]}
    with suppress(OSError):
        (folder / "proofs").mkdir(parents=True, exist_ok=True)
        return Ledger(folder / "proofs" / sha256(path.encode()).hexdigest()[:32], subject)
    return None


def _executor(checker: Checker, where: _Where, work: str | None) -> TaskExecutor:
    """Return what does the tasks of a proof."""
    db, by_class = checker.db, checker.rules.by_class
    opening = db.path.resolve(), game_place(db.game), work, by_class, trust.allowed()
    if where.cluster is not None:
        return cluster_at(where.cluster, WORKER, opening)
    return InProcess(checker.done) if where.processes == 1 else WorkerPool(WORKER, opening, where.processes)


class _Verified:
    """The number of states checked so far, counted by any thread."""

    def __init__(self, progress: Progress, states: int) -> None:
        self._progress, self._states, self._done, self._lock = progress, states, 0, Lock()

    def __call__(self, more: int) -> None:
        with self._lock:
            self._done += more
            self._progress("verify", self._done, self._states)


def _estimated_states(db: PackedDatabase) -> int:
    """Return about how many states there are, from the id of the last block: counts are unproved yet."""
    ((last,),) = db.tuples("select max(id) from blocks")
    return BLOCK * (last or 0)


def _children_at_once(where: _Where) -> int:
    """Return how many children a process collects: those for which half of the memory has room.

    The memory of the workers of a cluster is not known.
    """
    least, most = layers.CHILDREN_AT_ONCE, layers.MAX_CHILDREN_AT_ONCE
    if where.cluster is not None:
        return least
    return max(least, min(resources.available() // where.processes // 2 // layers.BYTES_PER_CHILD, most))


def _process_limit(children: int) -> int:
    """Return how many processes there are processors and memory for, if each collects so many children."""
    needed = BYTES_PER_PROCESS + layers.BYTES_PER_CHILD * children
    return max(1, min(cores(), resources.available() // needed))
