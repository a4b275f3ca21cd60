"""Goes through a packed file from its last ply to its first, with all processors."""

import os
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from typing import TypeAlias

import numpy as np

from solver.database import Database
from solver.errors import SolverError
from solver.notation import read_position
from solver.packed_layout.database import PackedDatabase
from solver.packed_layout.file import digest
from solver.packed_layout.labels import label_form
from solver.packed_proof.asking import SHOWN, Asked
from solver.packed_proof.below import Below
from solver.packed_proof.classes import problems_of_actions
from solver.packed_proof.facts import (
    problems_of_about,
    problems_of_counts,
    problems_of_labels,
    problems_of_starts,
)
from solver.packed_proof.reading import Reader
from solver.packed_proof.series import Damage, Series, problems_of_table, series_of, table_of
from solver.packed_proof.states import Checked, Kind, ascend, checked_ends, checked_parents
from solver.packed_proof.twice import ranges, repeated
from solver.progress import Progress, no_progress
from solver.solved_file import connect

MOST = 10
"""How many problems are enough."""

KEPT = 256 << 20
"""Bytes of decoded blocks that are kept."""

IN_HAND = 1 << 23
"""So many children are sorted at once by all threads together, at some 50 bytes each."""

STRETCH = 8
"""So many blocks are checked at once where their children come out in order."""

Job: TypeAlias = Callable[[], Checked]


def verify_packed(db: Database, *, progress: Progress = no_progress, threads: int | None = None) -> list[str]:
    """What is wrong with a packed file, at most ten things, each with its position; nothing if it is proved.

    Without `threads` there are as many as processors. Raises what loading the rules of the file raises.
    """
    if not isinstance(db, PackedDatabase):
        raise TypeError(f"{db.path} is not packed")
    found: dict[str, None] = {}
    with (
        closing(connect(db.path, threads=True)) as connection,
        closing(_problems(db, connection, progress, threads or os.cpu_count() or 1)) as problems,
    ):
        while len(found) < MOST and (problem := next(problems, None)):
            found[problem] = None
    return list(found)


def _problems(
    db: PackedDatabase, connection: sqlite3.Connection, progress: Progress, threads: int
) -> Generator[str, None, None]:
    try:
        for row in connection.execute("pragma integrity_check"):
            if row[0] != "ok":
                yield f"SQLite finds the file inconsistent: {row[0]}"
        table = table_of(connection)
        if problems := list(islice(problems_of_table(table), MOST)):
            yield from problems
        else:
            with closing(_Walk(db, connection, series_of(table), threads)) as walk:
                yield from walk.problems(progress)
        if digest(connection) != db.about["sha256"]:  # not that of `db`, who maps the file into memory
            yield "the SHA-256 over all rows is not the one that was stored when they were written"
    except (Damage, sqlite3.DatabaseError) as error:
        yield f"it cannot be read on: {error}"


class _Walk:
    """What was found on the way up to now, and what it is found with."""

    def __init__(
        self,
        db: PackedDatabase,
        connection: sqlite3.Connection,
        series: Mapping[tuple[int, int], Series],
        threads: int,
    ) -> None:
        """Begin; raises `Damage` where the start or the values of the file make no sense."""
        rules = db.rules
        try:
            start = read_position(rules, db.start)
            self._form = label_form(max(ply for ply, _ in series), max(map(abs, db.value_range)))
            self._asked = Asked(rules, start, db.folded)
        except SolverError as error:
            raise Damage(error) from error
        if wrong := list(problems_of_labels(db, self._form)):
            raise Damage(wrong[0])
        self._db, self._series, self._threads = db, series, threads
        self._reader = Reader(connection, self._form, self._asked.utilities, KEPT)
        self._pool = ThreadPoolExecutor(threads)
        self._kinds, self._moves, self._placed = Counter[Kind](), 0, True

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(cancel_futures=True)

    def problems(self, progress: Progress) -> Iterator[str]:
        """Everything that is wrong; of what follows from each other, the cause comes first."""
        states = sum(series.states for series in self._series.values())
        if self._asked.folded:
            yield from next(self._each([lambda: Checked(tuple(problems_of_actions(self._asked)))])).problems
        for ply in sorted({ply for ply, _ in self._series}, reverse=True):
            for checked in self._checked(ply):
                yield from checked.problems
                progress("verify", self._kinds.total(), states)
        yield from next(self._each([self._check_starts])).problems
        if not self._placed:
            yield from self._repeated()
        yield from problems_of_counts(self._db, self._form, self._kinds)
        yield from problems_of_about(self._db, self._form, self._kinds, self._moves)

    def _checked(self, ply: int) -> Iterator[Checked]:
        """What comes of the states of a ply, and of those of the next to which none of them leads."""
        below = Below(self._reader, self._at(ply + 1))
        for series in self._at(ply):
            for checked in self._each(self._jobs(series, below)):
                self._kinds.update(checked.kinds)
                self._moves += checked.moves
                self._placed &= checked.placed
                yield checked
        lost = islice(below.unreached(), SHOWN)
        yield Checked(tuple(f"{self._asked.named(key, ply + 1)}: no move leads there" for key in lost))

    def _jobs(self, series: Series, below: Below) -> Iterator[Job]:
        stretch = self._stretch(series)
        for begin in range(0, series.blocks, stretch):
            blocks = range(begin, min(begin + stretch, series.blocks))
            yield partial(self._check, series, blocks, below)

    def _check(self, series: Series, blocks: range, below: Below) -> Checked:
        run = self._reader.run(series, blocks)
        if series.is_terminal:
            return checked_ends(self._asked, run, series.ply)
        return checked_parents(self._asked, self._form, run, series.ply, below)

    def _check_starts(self) -> Checked:
        keys = [self._reader.run(series, range(series.blocks)).keys for series in self._at(0)]
        first = np.sort(np.concatenate(keys))
        return Checked(tuple(problems_of_starts(self._db, self._asked, first)))

    def _stretch(self, series: Series) -> int:
        """How many blocks are best checked at once, as the one in the middle shows.

        Where children are all over the next ply, the more are sorted at once, the less often it is read.
        """
        if series.is_terminal:
            return STRETCH
        try:
            middle = self._reader.block(series, series.blocks // 2)
            plays = self._asked.plays(middle.keys)
            children = [found for play in plays for _, found in play.parts()]
        except (Exception, SystemExit):
            return STRETCH  # it will fail again, where that is said
        if all(map(ascend, children)):
            return STRETCH
        in_hand = IN_HAND // self._threads // max(1, sum(map(len, children)))
        return max(STRETCH, min(in_hand, -(-series.blocks // self._threads)))

    def _repeated(self) -> Iterator[str]:
        """Where a state is at two plies."""
        series = list(self._series.values())
        for found in self._each(
            partial(repeated, self._asked, self._reader, series, *bounds) for bounds in ranges(series)
        ):
            yield from found.problems

    def _each(self, jobs: Iterable[Job]) -> Iterator[Checked]:
        """What comes of each job, in their order, done by all threads at once."""
        begun: deque[Future[Checked]] = deque()
        for job in jobs:
            begun.append(self._pool.submit(_guarded, job))
            if len(begun) > 2 * self._threads:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()

    def _at(self, ply: int) -> list[Series]:
        return [self._series[kind] for kind in ((ply, 0), (ply, 1)) if kind in self._series]


def _guarded(job: Job) -> Checked:
    """What comes of a job; where it fails, that is a problem."""
    try:
        return job()
    except Damage as error:
        return Checked((str(error),))
    except (Exception, SystemExit) as error:
        return Checked((f"the rules fail: {type(error).__name__}: {error}",))
