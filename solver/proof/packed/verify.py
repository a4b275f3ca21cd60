"""Proves a packed file: its table of blocks, then all states, task by task, then its digest.

Tasks are done by this process, by worker processes, or by the workers of a cluster.
"""

import sqlite3
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.database import Database
from solver.database.header import connect
from solver.database.packed.block import BLOCK
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import digest
from solver.game import Game
from solver.proof import MAX_PROBLEMS
from solver.proof.packed.array_answers import ArrayAnswers
from solver.proof.packed.blocks import Damage, problems_of_table, series_of, table_of
from solver.proof.packed.checker import AllSeries, Checker
from solver.proof.packed.layers import walk as layers
from solver.proof.packed.loops import tasks as loops
from solver.proof.packed.loops.walk import LoopWalk
from solver.rules.failures import reporting_to, slowness
from solver.rules.loading import game_place
from solver.rules.named import as_named
from solver.rules.source import trust
from solver.system import resources
from solver.system.executors import InProcess, OnProgress, TaskExecutor, WorkerPool, cluster_at, counted
from solver.system.files import user_folder
from solver.system.ledger import Ledger
from solver.system.plugins import release
from solver.system.progress import Progress, no_progress, remark, waiting
from solver.system.resources import cores
from solver.system.words import GOES_ON, if_interrupted

PARALLEL_FROM = 1 << 25
"""The number of states times actions from which starting worker processes pays."""

WORKER = "solver.proof.packed.worker"
"""The module that worker processes run."""

BYTES_PER_PROCESS = 1 << 29
"""Bytes of memory that a process may need, besides the children that it collects."""

PROCESSES_OF_CLUSTER = 16
"""The number of workers of a cluster that a file is divided for."""


@dataclass(frozen=True)
class Workforce:
    """The processes that do the tasks of the proof of a file."""

    db: PackedDatabase
    processes: int
    """The number of processes that tasks are divided for; 1 for this process alone."""
    cluster: str | None

    @property
    def children_at_once(self) -> int:
        """The number of children that a process collects: as many as fit into half of its memory.

        The memory of the workers of a cluster is unknown: they collect the least number.
        """
        least, most = layers.CHILDREN_AT_ONCE, layers.MAX_CHILDREN_AT_ONCE
        if self.cluster is not None:
            return least
        return max(least, min(resources.available() // self.processes // 2 // layers.BYTES_PER_CHILD, most))

    def work_folder(self) -> AbstractContextManager[str | None]:
        """A temporary folder for the proof of a game with loops; None for other games."""
        if not self.db.has_loops:
            return nullcontext()
        beside = None if self.cluster is None else self.db.path.resolve().parent
        return TemporaryDirectory(prefix="perfectplay-", dir=beside, ignore_cleanup_errors=True)

    def ledger(self) -> Ledger | None:
        """The ledger of the proof of a large file in layers; None for others.

        It is in the user's own folder: a ledger beside the file might be the work of whoever made the file.
        The digest, which is checked last, shows whether the file is still the one whose plies were proved.
        """
        folder = user_folder()
        if self.processes == 1 or self.db.has_loops or folder is None:
            return None
        path = str(self.db.path.resolve())
        subject = {"file": path, "program": release()}
        subject |= {"sha256": self.db.about["sha256"], "rules": as_named(self.db.game)["play"]}
        with suppress(OSError):
            (folder / "proofs").mkdir(parents=True, exist_ok=True)
            return Ledger(folder / "proofs" / sha256(path.encode()).hexdigest()[:32], subject)
        return None

    def executor(self, checker: Checker, work: str | None) -> TaskExecutor:
        """The executor of the tasks; `work` is their folder."""
        if self.processes == 1 and self.cluster is None:
            return InProcess(checker.done)
        place, by_class = game_place(self.db.game), checker.rules.by_class
        file = self.db.path.resolve(), self.db.about["sha256"]
        opening = *file, place, work, by_class, trust.allowed()
        if self.cluster is not None:
            return cluster_at(self.cluster, WORKER, opening)
        return WorkerPool(WORKER, opening, self.processes)


def states_at_most(db: PackedDatabase) -> int:
    """The most states that the blocks of a file can hold; the counts are not proved yet."""
    ((last,),) = db.tuples("select max(id) from blocks")
    return BLOCK * (last or 0)


def is_large(db: PackedDatabase) -> bool:
    """Whether the proof of a file is worth several processes."""
    return states_at_most(db) * db.rules.action_count >= PARALLEL_FROM


def workforce_for(db: PackedDatabase, processes: int | None, cluster: str | None) -> Workforce:
    """The workforce for a file: as requested, or as many processes as pay and fit into memory."""
    if cluster is not None:
        return Workforce(db, PROCESSES_OF_CLUSTER, cluster)
    if processes is None:
        states = states_at_most(db)
        at_once = (loops if db.has_loops else layers).CHILDREN_AT_ONCE
        needed = BYTES_PER_PROCESS + layers.BYTES_PER_CHILD * min(states, at_once)
        room = min(cores(), resources.available() // needed)
        processes = max(1, room) if is_large(db) and sys.executable else 1
    return Workforce(db, processes, None)


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
        reporting_to(progress) as progress,
        closing(connect(db.path)) as connection,
        closing(_problems(connection, progress, workforce)) as problems,
    ):
        while len(problems_seen) < MAX_PROBLEMS and (problem := next(problems, None)):
            problems_seen[problem] = None
    return list(problems_seen)


def checker_of(
    db: PackedDatabase, series: AllSeries, on_progress: OnProgress, folder: str | None, *, by_class: bool
) -> layers.LayerChecker | loops.LoopChecker:
    """The checker that does the tasks of a proof of this file; raises `Damage`.

    `folder` is for the files of the proof of a game with loops, which may go `by_class`; otherwise None.
    """
    if folder is None:
        return layers.LayerChecker(db, series, on_progress)
    return loops.LoopChecker(db, series, on_progress, Path(folder), by_class=by_class)


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
        if_interrupted(lambda: GOES_ON if ledger else ""),
        workforce.work_folder() as work,
        closing(checker_of(db, series, verified, work, by_class=by_class)) as checker,
        closing(workforce.executor(checker, work)) as executor,
    ):
        if isinstance(checker, loops.LoopChecker):
            yield from LoopWalk(checker, executor).problems()
        else:
            shares = workforce.processes, workforce.children_at_once
            yield from layers.LayerWalk(checker, executor, *shares, ledger).problems(progress)
    if ledger:
        ledger.remove()
