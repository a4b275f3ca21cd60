"""Executors do tasks, which are values: by threads, by worker processes, or by the workers of a cluster.

tasks  -->  Threads         this process                    solver/engines/layers/steps.py
            WorkerPool      python -m MODULE, over pipes    worker_pool.py
            DaskPool        the workers of a scheduler      dask_pool.py      -->  answers, in the same order
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias

Tell: TypeAlias = Callable[[int], object]
"""Called by any thread with the number of states that are done since its last call."""


def ignore(states: int) -> None:
    """Tell nobody."""


class TaskExecutor(Protocol):
    """Does tasks somewhere."""

    def each(self, tasks: Iterable[Any], tell: Tell) -> Iterator[Any]:
        """Yield the answer to each task, in order; raises what a task raises, in its turn.

        `tell` is called with the states that are done.
        """

    def close(self) -> None:
        """End the work, also in the middle of a task."""
