"""Goes through a packed file from its last ply to its first, with all processors."""

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
from solver.proof.packed.blocks import Damage, Series, problems_of_table, series_of, table_of
from solver.proof.packed.child_lookup import ReachedBits
from solver.proof.packed.disjoint import ranges
from solver.proof.packed.findings import Findings, Kind
from solver.proof.packed.metadata import problems_of_about, problems_of_counts
from solver.proof.packed.processes import InProcess, WorkerPool
from solver.proof.packed.rules import SHOWN
from solver.proof.packed.tasks import AllSeries, Checker, Task
from solver.system import resources
from solver.system.progress import Progress, no_progress, waiting
from solver.system.resources import cores

MOST = 10
"""How many problems are enough."""

MANY = 1 << 22
"""From so many states on it pays to start other processes."""

SHARES = 8
"""Into so many parts for each process a series is divided, so that all end at about the same time."""

SPACE = 3 << 28
"""Bytes of memory that a process may come to hold."""

LONGEST = 1 << 10
"""So many blocks a part may have, so that progress is seen."""


def verify_packed(
    db: Database, *, progress: Progress = no_progress, processes: int | None = None
) -> list[str]:
    """What is wrong with a packed file, at most ten things, each with its position; nothing if it is proved.

    Without `processes` there are as many for a large file as processors and memory allow; for a small one
    there is this alone. Raises what loading the rules of the file raises, and `TooLarge` where another of the
    processes ends.
    """
    if not isinstance(db, PackedDatabase):
        raise TypeError(f"{db.path} is not packed")
    if processes is None:
        processes = _most() if _states(db) >= MANY and sys.executable else 1
    found: dict[str, None] = {}
    with (
        closing(connect(db.path)) as connection,
        closing(_problems(db, connection, progress, processes)) as problems,
    ):
        while len(found) < MOST and (problem := next(problems, None)):
            found[problem] = None
    return list(found)


def _problems(
    db: PackedDatabase, connection: sqlite3.Connection, progress: Progress, processes: int
) -> Generator[str, None, None]:
    states = db.number("states")  # not `len(db)`: what the counts tell is to be proved first
    try:
        with waiting(progress, "checking the file"):
            integrity = connection.execute("pragma integrity_check").fetchall()
        for row in integrity:
            if row[0] != "ok":
                yield f"SQLite finds the file inconsistent: {row[0]}"
        table = table_of(connection)
        if problems := list(islice(problems_of_table(table), MOST)):
            yield from problems
        else:
            series = series_of(table)
            with (
                closing(Checker(db, series, seen := _Seen(progress, states))) as parts,
                closing(
                    WorkerPool(db.path, series, processes, seen) if processes > 1 else InProcess(parts)
                ) as crew,
            ):
                yield from _Walk(db, series, parts, crew, processes).problems(progress)
        found = digest(connection, progress=progress, total=states)  # not by `db`, which maps the file
        if found != db.about["sha256"]:
            yield "the SHA-256 over all rows is not the one that was stored when they were written"
    except (Damage, sqlite3.DatabaseError) as error:
        yield f"it cannot be read on: {error}"


class _Seen:
    """How many states have been held against the rules, by any thread."""

    def __init__(self, progress: Progress, states: int) -> None:
        self._progress, self._states, self._done, self._lock = progress, states, 0, Lock()

    def __call__(self, more: int) -> None:
        with self._lock:
            self._done += more
            self._progress("verify", self._done, self._states)


class _Walk:
    """What was found on the way up to now, and what it is found with."""

    def __init__(
        self,
        db: PackedDatabase,
        series: AllSeries,
        parts: Checker,
        crew: WorkerPool | InProcess,
        processes: int,
    ) -> None:
        self._db, self._series, self._parts, self._crew = db, series, parts, crew
        self._processes = processes
        self._kinds, self._moves, self._placed = Counter[Kind](), 0, True

    def problems(self, progress: Progress) -> Iterator[str]:
        """Everything that is wrong; of what follows from each other, the cause comes first."""
        states = sum(series.states for series in self._series.values())
        if self._db.folded:
            yield from self._parts.done(Checker.actions).problems
        for ply in sorted({ply for ply, _ in self._series}, reverse=True):
            for checked in self._checked(ply):
                yield from checked.problems
        yield from self._parts.done(Checker.starts).problems
        if not self._placed:
            parts = list(self._ranges())
            for nth, checked in enumerate(self._crew.each(parts), start=1):
                yield from checked.problems
                progress("looking for repeats", nth * states // len(parts), states)
        form = self._parts.form
        yield from problems_of_counts(self._db, form, self._kinds)
        yield from problems_of_about(self._db, form, self._kinds, self._moves)

    def _checked(self, ply: int) -> Iterator[Findings]:
        """What comes of the states of a ply, and of those of the next to which none of them leads."""
        marks = ReachedBits(self._parts.at(ply + 1))
        for series in self._parts.at(ply):
            for checked in self._crew.each(self._parts_of(series)):
                self._kinds.update(checked.kinds)
                self._moves += checked.moves
                self._placed &= checked.placed
                marks.take(checked.reached)
                yield checked
        asked = self._parts.asked
        lost = islice(marks.unreached(self._parts.reader), SHOWN)
        yield Findings(tuple(f"{asked.named(key, ply + 1)}: no move leads there" for key in lost))

    def _parts_of(self, series: Series) -> Iterator[Task]:
        """The blocks of a series in parts that take about as long."""
        share = min(LONGEST, -(-series.blocks // (SHARES * self._processes)))
        size = max(share, self._parts.least(series, -(-series.blocks // self._processes)))
        for begin in range(0, series.blocks, size):
            end = min(begin + size, series.blocks)
            yield partial(
                Checker.states, ply=series.ply, is_terminal=series.is_terminal, begin=begin, end=end
            )

    def _ranges(self) -> Iterator[Task]:
        """The ranges in which states are sought that are at two plies."""
        for begin, end in ranges(list(self._series.values())):
            yield partial(Checker.repeated, begin=begin, end=end)


def _states(db: PackedDatabase) -> int:
    """About how many states there are, by the number of the last block, whatever counts say."""
    ((last,),) = db.tuples("select max(id) from blocks")
    return BLOCK * (last or 0)


def _most() -> int:
    """How many processes there is a processor and memory for."""
    return max(1, min(cores(), resources.available() // SPACE))
