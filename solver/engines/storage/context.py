"""The context of a solve in files: the rules, the work folder, and the share of the machine that it may use.

`SolveContext.map_ordered` is an ordered parallel map: results come in the order of the items, and at most
`2 * threads` items are in flight.
"""

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
"""Freed memory up to this part (one in so many) of what the solve may take is kept for the next arrays."""

DISK_RESERVE = 50
"""Part of the disk that is left free: one in this many."""


class Cancelled(Exception):
    """Raised in a worker when another worker has failed or the solve was cancelled."""


@dataclass(frozen=True)
class Job:
    """A solve, as a process on any machine joins it."""

    folder: Path
    """The work folder, which all of them see."""
    record: JobRecord
    rules: str
    """The name by which a process loads the game."""
    first_ply: int | None
    """The ply that the rules give the starts; None if they give none."""
    memory: int
    """Bytes that a process may allocate."""
    threads: int
    """Threads of a process."""
    shards: int
    """Shards of which a large layer has about so many."""
    label_shards: int
    """Shards of the labels of a large layer: fewer, as labelling each reads much of the next layer."""
    unfolds: bool = False
    """Whether one state of each class is solved, but the others are written, too."""
    held: int = 0
    """Bytes of files that a process holds in memory; 0 where others are to see them."""


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
        """The value of endless play, which decides who ends a draw quickly; see `solver.rules.labels`."""
        return ENDLESS[self.job.record.endless]

    @property
    def keys_per_sort(self) -> int:
        """Keys that one thread sorts at a time.

        Sorting takes about ten 8-byte copies of each, hence `memory / (threads * 80)`, clamped to 2**16 ...
        2**22.
        """
        return max(1 << 16, min(1 << 22, self.job.memory // (self.job.threads * 10 * 8)))

    def map_ordered(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield `work(item)` of all threads in order; `cancelled` is set while they end after an error.

        A single item needs no thread.
        """
        few = [*islice(waiting := iter(items), 2)]
        if len(few) < 2:
            yield from map(work, few)
            return
        try:
            with ThreadPoolExecutor(self.job.threads) as pool:
                try:
                    yield from map_ordered(pool, work, chain(few, waiting), 2 * self.job.threads)
                except BaseException:
                    self.cancelled.set()
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
        finally:
            self.cancelled.clear()

    def counted(
        self, task: str, total: int | None, ply: int | None, done: int = 0, *, shares: int = 1
    ) -> OnProgress:
        """What reports the progress of `task` in this solve; see `solver.system.executors.counted`."""
        return counted(self.progress, task, total, ply, done, shares)

    def hold(self, fits: bool = True) -> None:
        """Hold files that only their stage needs in memory, if they fit and this process does all tasks."""
        self.work.held.close()
        if fits and self.job.held:
            self.work.held.open(self.job.held)

    def keep_freed(self) -> None:
        """Keep freed memory for the next arrays of tasks, as long as it is not much of what there is."""
        keep_freed(self.job.memory // FREED_SHARE)

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the solve was cancelled; long work calls this now and then."""
        if self.cancelled.is_set():
            raise Cancelled

    def ply_is_known(self, keys: Keys, ply: int) -> bool:
        """Whether the rules say of every one of these states that it is at `ply`."""
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
