"""What a solve by layers works with: the rules, the work folder, and what it may take of the machine.

`in_order` is an ordered parallel map: results come in the order of the items, and at most `2 * threads` items
are in flight.
"""

import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from solver.engines.array_rules.rules import Rules
from solver.engines.layers.storage.key_file import KeyFile
from solver.engines.layers.storage.work_folder import Work
from solver.errors import DiskFull
from solver.rules.arrays import Keys
from solver.system.progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")

KEPT_FREE = 50
"""One part in so many of the disk is left free."""


class Cancelled(Exception):
    """The work of one thread is in vain, as another one has failed or the user wants no more."""


@dataclass(frozen=True)
class SolveContext:
    """The rules of one game and how to work with them."""

    rules: Rules
    work: Work
    first_ply: int | None
    """The ply that the rules tell of the starts, if they tell one."""
    level: int
    """What endless play is worth, which says who hurries to end a draw; see `solver.rules.labels`."""
    fold: bool
    """Whether one state stands for all that are symmetric to it."""
    symmetries: int
    """How many symmetries the rules have, the identity left out."""
    memory: int
    """How many bytes may be taken."""
    threads: int
    progress: Progress
    halted: Event = field(default_factory=Event)

    @property
    def room(self) -> int:
        """How many keys each thread sorts at once; with all that comes of them they are there ten times."""
        return max(1 << 16, min(1 << 22, self.memory // (self.threads * 10 * 8)))

    def each(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """What `do` returns for each item, in their order, done by all threads at once."""
        return in_order(do, items, self.threads, self.halted)

    def each_part(
        self, task: str, do: Callable[[int], Result], layer: KeyFile, size: int, ply: int
    ) -> Iterator[Result]:
        """What `do` returns for the first of each `size` pieces of a layer, done by all threads at once.

        How far that has got is told as the progress of `task`, for `ply`.
        """
        begins = range(0, layer.pieces, size)
        for begin, result in zip(begins, self.each(do, begins), strict=True):
            yield result
            self.progress(task, int(layer.begins[min(begin + size, layer.pieces)]), layer.states, ply)

    def go_on(self) -> None:
        """Raise `Cancelled` when there is no use in going on; long work asks this now and then."""
        if self.halted.is_set():
            raise Cancelled

    def tells(self, keys: Keys, ply: int) -> bool:
        """Whether the rules tell of all these states that they are at `ply`."""
        if self.first_ply is None:
            return False
        plies = self.rules.plies(keys)
        return plies is not None and bool((plies == self.first_ply + ply).all())

    def need_disk(self, more: int) -> None:
        """Raise `DiskFull` where there is no room for so many more bytes."""
        disk = shutil.disk_usage(self.work.path)
        if disk.free - more < disk.total / KEPT_FREE:
            raise DiskFull(
                f"the disk of {self.work.path} is nearly full ({disk.free / 1e6:,.0f} MB free): "
                "make room and give the same command again, it goes on from the last finished layer"
            )


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int, halted: Event
) -> Iterator[Result]:
    """What `work` returns for each item, in the order of the items.

    Where one of them fails, or no more results are wanted, `halted` is set until the others have ended.
    """
    pending: deque[Future[Result]] = deque()
    try:
        with ThreadPoolExecutor(threads) as pool:
            try:
                for item in items:
                    pending.append(pool.submit(work, item))
                    if len(pending) > 2 * threads:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            except BaseException:
                halted.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        halted.clear()
