"""Executors, which do tasks in this process, by worker processes or by the workers of a cluster.

tasks  -->  InProcess       this process, one by one
            WorkerPool      python -m MODULE, over pipes
            DaskPool        the workers of a scheduler      cluster_pool.py   -->  answers, in the same order

    this process                               workers of a WorkerPool
    a thread for each worker  --- task --->    python -m MODULE
                              <- answer -

Threads alone would wait for each other at the interpreter lock, between short NumPy operations. The module
of the workers calls `serve`. A worker ends when its stdin is closed, even if its parent process was killed.
"""

import os
import pickle
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import partial
from subprocess import PIPE, Popen
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import psutil

from solver.errors import MissingExtra, SolverError, TooLarge, UsageError
from solver.system.plugins import how_to_install
from solver.system.progress import Progress

if TYPE_CHECKING:  # needs dask, which is optional
    from solver.system.cluster_pool import DaskPool

Item = TypeVar("Item")
Result = TypeVar("Result")

OnProgress: TypeAlias = Callable[[int], object]
"""A callback, from any thread, with the number of states processed since its last call."""


def ignore(report: object) -> None:
    """Do nothing: the default of callbacks such as `OnProgress`."""


def counted(
    progress: Progress, task: str, total: int | None, ply: int | None = None, done: int = 0, shares: int = 1
) -> OnProgress:
    """An `OnProgress` that reports the progress of `task`, for `ply` if there is one, from `done` on.

    A state counts as done after it is reported `shares` times. The `total` may be an estimate: once exceeded,
    it is reported as unknown.
    """
    lock, reports = Lock(), 0

    def on_progress(states: int) -> None:
        nonlocal reports
        with lock:
            reports += states
            now = done + reports // shares
            progress(task, now, total if total is not None and total >= now else None, ply)

    return on_progress


class TaskExecutor(Protocol):
    """The interface of executors."""

    def map(self, tasks: Iterable[Any], on_progress: OnProgress) -> Iterator[Any]:
        """Yield the answers in order, or raise what a task raises; report the states processed."""

    def close(self) -> None:
        """End the work, even in the middle of a task."""


def processes_here(address: str) -> int:
    """The number of workers to start here for an address, 0 for a scheduler's; raises `UsageError`."""
    if not (match := re.fullmatch(r"local:([1-9][0-9]{0,2})|[a-z]+://.+", address)):
        raise UsageError(f"{address!r} is not the address of a scheduler: use tcp://HOST:8786, or local:2")
    return int(match[1] or 0)


def map_ordered(
    executor: Executor, work: Callable[[Item], Result], items: Iterable[Item], in_flight: int
) -> Iterator[Result]:
    """Yield `work(item)` for each item, in the order of the items.

    At most `in_flight` items are ahead of the one to be yielded, so that neither all items nor all results
    are in memory at once. Raises what `work` raises when its result is due; `executor` may then still work on
    later items.
    """
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(executor.submit(work, item))
        if len(pending) > in_flight:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


Open: TypeAlias = Callable[[Any, OnProgress], AbstractContextManager[Callable[[Any], object]]]
"""A context manager: from the opening of a worker to the function that does its tasks."""


class WorkerPool:
    """A pool of worker processes that run the same module."""

    def __init__(self, module: str, opening: object, processes: int) -> None:
        """Start workers that run `module`, each with the same `opening`; it and the tasks are pickled."""
        message = pickle.dumps(opening)
        self._workers = [_Worker(module, message) for _ in range(processes)]
        self._threads = ThreadPoolExecutor(processes)
        self._idle = [*self._workers]  # there are as many threads, so one is idle for each task

    def close(self) -> None:
        """Kill the workers, even in the middle of a task."""
        for worker in self._workers:
            worker.process.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.process.communicate()

    def map(self, tasks: Iterable[Any], on_progress: OnProgress = ignore) -> Iterator[Any]:
        """Yield the answer to each task in order; raises `TooLarge` if a process has ended."""
        return map_ordered(self._threads, partial(self._done, on_progress), tasks, 2 * len(self._workers))

    def used(self) -> int:
        """The resident memory of the workers, in bytes."""
        return sum(worker.used() for worker in self._workers)

    def _done(self, on_progress: OnProgress, task: Any) -> Any:
        worker = self._idle.pop()
        try:
            return worker.done(task, on_progress)
        finally:
            self._idle.append(worker)


class InProcess:
    """Does tasks in this process, for little work; the tasks report their progress themselves."""

    def __init__(self, done: Callable[[Any], Any]) -> None:
        self._done = done

    def close(self) -> None:
        """Do nothing: there are no workers."""

    def map(self, tasks: Iterable[Any], on_progress: OnProgress = ignore) -> Iterator[Any]:
        """Yield the answer to each task in order."""
        return map(self._done, tasks)


class _Worker:
    """A worker process and the pipes to it."""

    def __init__(self, module: str, opening: bytes) -> None:
        self._opening = opening
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
        self.process = Popen(
            [sys.executable, "-P", "-m", module],
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # Ctrl-C is for the process that started it
        )

    def done(self, task: Any, on_progress: OnProgress) -> Any:
        """The answer to a task; raises the error that it is, and `TooLarge` if the worker has died."""
        send, receive = self.process.stdin, self.process.stdout
        assert send is not None
        assert receive is not None
        message = self._opening + pickle.dumps(task)
        try:
            send.write(message)
            send.flush()
            self._opening = b""
            while isinstance(answer := pickle.load(receive), int):
                on_progress(answer)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise TooLarge(
                f"a worker process has ended (status {self.process.wait()}), probably because "
                "memory ran out: use fewer processors"
            ) from error
        if isinstance(answer, SolverError):
            raise answer
        return answer

    def used(self) -> int:
        with suppress(psutil.Error):
            return int(psutil.Process(self.process.pid).memory_info().rss)
        return 0


def serve(open_with: Open) -> None:
    """Do the tasks that come from stdin, and write their answers to stdout, until stdin ends.

    `open_with` is called with the opening and a function that reports a number of states at once.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what rules print must not mix with the answers
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]

    def reply(message: object) -> None:
        pickle.dump(message, answers)
        answers.flush()

    messages = _received()
    with suppress(BrokenPipeError):  # the process that waits for the answer is gone
        try:
            for opening in messages:
                with open_with(opening, reply) as done:
                    for task in messages:
                        reply(done(task))
        except SolverError as error:
            reply(error)


def _received() -> Iterator[Any]:
    """Yield what comes from stdin until it ends, perhaps in the middle of a message."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            yield pickle.load(sys.stdin.buffer)


def cluster_at(address: str, module: str, opening: object) -> "DaskPool":
    """The workers of a dask scheduler, which open a job by the function `tasks` of a module.

    Raises `MissingExtra`, `UsageError` for a malformed address, `ClusterLost`, and `OtherWork` if a worker
    cannot take part.
    """
    processes = processes_here(address)
    try:
        from solver.system.cluster_pool import DaskPool
    except ImportError as error:
        raise MissingExtra(f"a cluster needs dask: {how_to_install('cluster')}") from error
    return DaskPool(address, module, opening, processes)
