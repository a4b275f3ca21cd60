"""The context of a solve in files: the rules, the work folder, and the share of the machine it may use."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from threading import Event
from typing import TypeVar

from solver.engines.array_rules.rules import Rules
from solver.engines.storage.records import JobRecord
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DiskFull
from solver.game import ENDLESS
from solver.rules.arrays import Keys
from solver.system.executors import OnProgress, counted, map_ordered
from solver.system.progress import Progress
from solver.system.resources import keep_freed

Item = TypeVar("Item")
Result = TypeVar("Result")

FREED_SHARE = 16
"""Freed memory is kept for the next arrays up to 1 / FREED_SHARE of what the solve may take."""

DISK_RESERVE = 50
"""The part of the disk that is left free is 1 / DISK_RESERVE."""


class Cancelled(Exception):
    """Raised in a worker when another worker has failed or the solve was cancelled."""


@dataclass(frozen=True)
class Job:
    """A solve, as processes on any machine join it."""

    folder: Path
    """The work folder, which all processes see."""
    record: JobRecord
    rules: str
    """The name by which a process loads the game."""
    first_ply: int | None
    """The ply of the starts by the rules; None if they define none."""
    memory: int
    """Bytes that a process may allocate."""
    threads: int
    """The number of threads of a process."""
    shards: int
    """The approximate number of shards of a large layer."""
    label_shards: int
    """The number of shards of its labels: fewer, as labelling a shard reads much of the next layer."""
    unfolds: bool = False
    """Whether one state of each class is solved, but all are written."""
    held: int = 0
    """Bytes of files that a process may hold in memory; 0 if other processes must see the files."""


@dataclass(frozen=True)
class SolveContext:
    """The rules of one game and the means to solve it."""

    rules: Rules
    job: Job
    progress: Progress
    cancelled: Event = field(default_factory=Event)

    @cached_property
    def work(self) -> WorkFolder:
        """The work folder."""
        return WorkFolder(self.job.folder)

    @property
    def fold(self) -> bool:
        """Whether symmetric states are solved as one."""
        return self.job.unfolds or self.job.record.degree > 0

    @property
    def endless_value(self) -> int:
        """The value of endless play, which decides who hurries to end a draw; see `solver.rules.labels`."""
        return ENDLESS[self.job.record.endless]

    @property
    def keys_per_sort(self) -> int:
        """The number of keys that one thread sorts at a time.

        Sorting takes about ten 8-byte copies of each key, hence `memory / (threads * 80)`, clamped to
        [2**16, 2**22].
        """
        return max(1 << 16, min(1 << 22, self.job.memory // (self.job.threads * 10 * 8)))

    def map_ordered(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield `work(item)` in order, computed by threads; `cancelled` is set while they end after an error.

        A single item is computed in the calling thread; at most `2 * threads` items are in flight.
        """
        firsts = [*islice(waiting := iter(items), 2)]
        if len(firsts) < 2:
            yield from map(work, firsts)
            return
        try:
            with ThreadPoolExecutor(self.job.threads) as pool:
                try:
                    yield from map_ordered(pool, work, chain(firsts, waiting), 2 * self.job.threads)
                except BaseException:
                    self.cancelled.set()
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
        finally:
            self.cancelled.clear()

    def counted(
        self, task: str, total: int | None, ply: int | None, done: int = 0, *, shares: int = 1
    ) -> OnProgress:
        """The function that reports progress of `task`; see `solver.system.executors.counted`."""
        return counted(self.progress, task, total, ply, done, shares)

    def hold(self, fits: bool = True) -> None:
        """Hold files that only their stage needs in memory, if they fit and this process does all tasks."""
        self.work.held.close()
        if fits and self.job.held:
            self.work.held.open(self.job.held)

    def keep_freed(self) -> None:
        """Keep freed memory for the next arrays, up to `FREED_SHARE` of the memory."""
        keep_freed(self.job.memory // FREED_SHARE)

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the solve was cancelled; long tasks call this regularly."""
        if self.cancelled.is_set():
            raise Cancelled

    def ply_is_known(self, keys: Keys, ply: int) -> bool:
        """Whether the rules confirm that every one of these states is at `ply`."""
        if self.job.first_ply is None:
            return False
        plies = self.rules.optional("ply", keys)
        return plies is not None and bool((plies == self.job.first_ply + ply).all())

    def need_disk(self, more: int) -> None:
        """Raise `DiskFull` if writing `more` bytes would use up the reserve of the disk."""
        disk = shutil.disk_usage(self.work.path)
        if disk.free - more < disk.total / DISK_RESERVE:
            raise DiskFull(
                f"the disk of {self.work.path} is nearly full ({disk.free / 1e6:,.0f} MB free): "
                "make room and give the same command again, it goes on from the last finished step"
            )
