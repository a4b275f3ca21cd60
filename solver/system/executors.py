"""Executors do tasks, which are values: by threads, by worker processes, or by the workers of a cluster.

tasks  -->  Threads         this process                    solver/engines/layers/steps.py
            WorkerPool      python -m MODULE, over pipes    worker_pool.py
            DaskPool        the workers of a scheduler      cluster/pool.py   -->  answers, in the same order
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, Protocol, TypeAlias, TypeVar

from solver.errors import UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")

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


def processes_here(address: str) -> int:
    """The number of workers that are started on this machine for an address; 0 if it is that of a scheduler.

    Raises `UsageError` if it is no address.
    """
    if not (match := re.fullmatch(r"local:([1-9][0-9]{0,2})|[a-z]+://.+", address)):
        raise UsageError(f"{address!r} is no address of a scheduler: say tcp://HOST:8786, or local:2")
    return int(match[1] or 0)


def map_ordered(
    executor: Executor, work: Callable[[Item], Result], items: Iterable[Item], in_flight: int
) -> Iterator[Result]:
    """Yield `work(item)` for each item, in the order of the items.

    Never more than `in_flight` items wait for their turn to be yielded, so neither the items nor the results
    are ever held all at once. Raises what `work` raises, when its result is due; `executor` may then still
    be at work on later items.
    """
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(executor.submit(work, item))
        if len(pending) > in_flight:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
