"""The workplace: what a process opens to do the tasks of a solve of a game with loops."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, TypeAlias

from numpy.typing import NDArray

from solver.database.packed.keys.key_code import KeyEncoder
from solver.engines.loops.symmetries import Test, orders_of, prove_symmetries, try_symmetries
from solver.engines.storage import steps
from solver.engines.storage.context import Job, SolveContext
from solver.engines.storage.resumable import joined
from solver.system.executors import OnProgress

COUNTERS_SHARE = 8
"""Cached numbers of open moves take at most 1 / COUNTERS_SHARE of the memory, and the memory for held files.

If the files of a stage are held, these numbers need little memory.
"""


class Counters:
    """A cache of the numbers of open moves of ranges, as this process has changed them last."""

    def __init__(self, room: int) -> None:
        """Cache up to `room` bytes."""
        self._room = room
        self._ranges = dict[Hashable, tuple[tuple[int, ...], NDArray[Any]]]()

    def take(self, key: Hashable, labels: tuple[int, ...]) -> tuple[tuple[int, ...], NDArray[Any] | None]:
        """The first of `labels` that have changed the counters of a range, and the counters; or (), None."""
        applied, counters = self._ranges.pop(key, ((), None))
        return (applied, counters) if applied == labels[: len(applied)] else ((), None)

    def keep(self, key: Hashable, labels: tuple[int, ...], counters: NDArray[Any]) -> None:
        """Cache the counters of a range that these labels have changed."""
        self._ranges[key] = labels, counters
        while sum(counters.nbytes for _, counters in [*self._ranges.values()]) > self._room:
            self._ranges.pop(next(iter(self._ranges)))


class Workplace:
    """The context of a solve, and the test of symmetries in each of its states."""

    def __init__(self, context: SolveContext) -> None:
        self.context = context
        self.test_symmetries: Test = try_symmetries
        if context.job.unfolds:
            self.test_symmetries = partial(prove_symmetries, orders_of(context.rules.game))
        self.counters = Counters(context.job.held + context.job.memory // COUNTERS_SHARE)

    @cached_property
    def encoder(self) -> KeyEncoder:
        """The encoder of keys for the database, once its dictionary is made."""
        return KeyEncoder(self.context.work.dictionary.read_bytes())


@contextmanager
def tasks(job: Job, on_progress: OnProgress) -> Iterator[Callable[[Any], Any]]:
    """Yield the function that does tasks of a solve in a process that joins it; raises `OtherWork`."""
    workplace = Workplace(joined(job))
    workplace.context.keep_freed()
    yield lambda task: task.run(workplace, on_progress)


Steps: TypeAlias = steps.Steps[Workplace]
"""Does the steps of a solve of a game with loops."""
