"""Goes through a packed file from its last ply to its first, with one process per processor."""

import sqlite3
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from threading import Lock

from solver.database import Database
from solver.database.header import connect
from solver.database.packed.block import BLOCK
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import digest
from solver.proof import MAX_PROBLEMS
from solver.proof.packed.blocks import Damage, Series, problems_of_table, series_of, table_of
from solver.proof.packed.child_lookup import ReachedBits
from solver.proof.packed.disjoint import ranges
from solver.proof.packed.findings import Findings, StateKind
from solver.proof.packed.metadata import problems_of_about, problems_of_counts
from solver.proof.packed.rules import EXAMPLES
from solver.proof.packed.tasks import AllSeries, Checker, Task
from solver.rules.source import trust
from solver.system import resources
from solver.system.progress import Progress, no_progress, waiting
from solver.system.resources import cores
from solver.system.worker_pool import InProcess, WorkerPool

PARALLEL_FROM = 1 << 22
"""States from which on it pays to start worker processes."""

WORKER = "solver.proof.packed.worker"
"""The module that worker processes run."""

TASKS_PER_PROCESS = 8
"""Tasks per process and series, so that all processes end at about the same time."""

BYTES_PER_PROCESS = 3 << 28
"""Bytes of memory that a process may need."""

MAX_BLOCKS_PER_TASK = 1 << 10
"""The most blocks of a task, so that progress is seen."""


def verify_packed(
    db: Database, *, progress: Progress = no_progress, processes: int | None = None
) -> list[str]:
    """Return what is wrong with a packed file: at most ten problems, each with its position; none if proved.

    By default a large file gets as many `processes` as processors and memory allow, and a small one is
    checked in this process. Raises what loading the rules of the file raises, and `TooLarge` if a worker
    process dies.
    """
    if not isinstance(db, PackedDatabase):
        raise TypeError(f"{db.path} is not packed")
    if processes is None:
        processes = _process_limit() if _estimated_states(db) >= PARALLEL_FROM and sys.executable else 1
    found: dict[str, None] = {}
    with (
        closing(connect(db.path)) as connection,
        closing(_problems(db, connection, progress, processes)) as problems,
    ):
        while len(found) < MAX_PROBLEMS and (problem := next(problems, None)):
            found[problem] = None
    return list(found)


def _problems(
    db: PackedDatabase, connection: sqlite3.Connection, progress: Progress, processes: int
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
            with (
                closing(Checker(db, series, verified := _Verified(progress, states))) as checker,
                closing(
                    WorkerPool(WORKER, (db.path.resolve(), series, trust.allowed()), processes, verified)
                    if processes > 1
                    else InProcess(checker.done)
                ) as pool,
            ):
                yield from _Walk(db, series, checker, pool, processes).problems(progress)
        found = digest(connection, progress=progress, total=states)  # not by `db`, which maps the file
        if found != db.about["sha256"]:
            yield "the SHA-256 over all rows is not the one that was stored when they were written"
    except (Damage, sqlite3.DatabaseError) as error:
        yield f"it cannot be read on: {error}"


class _Verified:
    """The number of states checked so far, counted by any thread."""

    def __init__(self, progress: Progress, states: int) -> None:
        self._progress, self._states, self._done, self._lock = progress, states, 0, Lock()

    def __call__(self, more: int) -> None:
        with self._lock:
            self._done += more
            self._progress("verify", self._done, self._states)


class _Walk:
    """A proof under way: its findings so far, and the processes that do its tasks."""

    def __init__(
        self,
        db: PackedDatabase,
        series: AllSeries,
        checker: Checker,
        pool: WorkerPool | InProcess,
        processes: int,
    ) -> None:
        self._db, self._series, self._checker, self._pool = db, series, checker, pool
        self._processes = processes
        self._kinds, self._moves, self._ply_proved = Counter[StateKind](), 0, True

    def problems(self, progress: Progress) -> Iterator[str]:
        """Yield all problems, a cause before its consequences."""
        states = sum(series.states for series in self._series.values())
        if self._db.folded:
            yield from self._checker.done(Checker.actions).problems
        for ply in sorted({ply for ply, _ in self._series}, reverse=True):
            for findings in self._checked(ply):
                yield from findings.problems
        yield from self._checker.done(Checker.starts).problems
        if not self._ply_proved:
            tasks = list(self._range_tasks())
            for nth, findings in enumerate(self._pool.each(tasks), start=1):
                yield from findings.problems
                progress("looking for repeats", nth * states // len(tasks), states)
        form = self._checker.form
        yield from problems_of_counts(self._db, form, self._kinds)
        yield from problems_of_about(self._db, form, self._kinds, self._moves)

    def _checked(self, ply: int) -> Iterator[Findings]:
        """Yield the findings on the states of a ply, and the states of the next ply that no move reaches."""
        reached_bits = ReachedBits(self._checker.series_at(ply + 1))
        for series in self._checker.series_at(ply):
            for findings in self._pool.each(self._tasks_of(series)):
                self._kinds.update(findings.kinds)
                self._moves += findings.moves
                self._ply_proved &= findings.ply_proved
                reached_bits.add(findings.reached)
                yield findings
        rules = self._checker.rules
        unreached = islice(reached_bits.unreached(self._checker.reader), EXAMPLES)
        yield Findings(tuple(f"{rules.named(key, ply + 1)}: no move leads there" for key in unreached))

    def _tasks_of(self, series: Series) -> Iterator[Task]:
        """Yield tasks of about equal size for the blocks of a series."""
        share = min(MAX_BLOCKS_PER_TASK, -(-series.blocks // (TASKS_PER_PROCESS * self._processes)))
        size = max(share, self._checker.min_task_blocks(series, -(-series.blocks // self._processes)))
        for begin in range(0, series.blocks, size):
            end = min(begin + size, series.blocks)
            yield partial(
                Checker.states, ply=series.ply, is_terminal=series.is_terminal, begin=begin, end=end
            )

    def _range_tasks(self) -> Iterator[Task]:
        """Yield the tasks that look for states stored twice."""
        for begin, end in ranges(list(self._series.values())):
            yield partial(Checker.repeated, begin=begin, end=end)


def _estimated_states(db: PackedDatabase) -> int:
    """Return about how many states there are, from the id of the last block; counts are unproved yet."""
    ((last,),) = db.tuples("select max(id) from blocks")
    return BLOCK * (last or 0)


def _process_limit() -> int:
    """Return how many processes there are processors and memory for."""
    return max(1, min(cores(), resources.available() // BYTES_PER_PROCESS))
