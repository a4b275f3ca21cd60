"""The workers of a dask scheduler, as an executor of tasks.

    this process                     scheduler        workers
    task, 2 for each thread  --->                --->  cluster_worker.py: opens the job once, does the task
    answer, some bytes       <---                <---

dask.distributed places tasks, notices workers that die and gives their tasks to others. It forgets everything
on a restart, and blames a task for the deaths of workers that had it. So each result is fetched and released
at once, deaths and failures are counted here, and finished work is recorded in files, not in the scheduler.
"""

import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from logging import ERROR
from multiprocessing import resource_tracker
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from distributed import Client, Future, KilledWorker, LocalCluster, wait
from distributed.client import FutureCancelledError, FuturesCancelledError

from solver.errors import ClusterLost, OtherWork, TooLarge
from solver.system.cluster_worker import OpenJob, Outcome, perform, refusal
from solver.system.progress import Usage

Measured = TypeVar("Measured")

TASKS_PER_THREAD = 2
"""The number of tasks submitted ahead for each thread of the workers."""

MAX_DEATHS = 25
"""The submissions of a task, each ended by the deaths of four workers, after which it is given up."""

MAX_FAILURES = 3
"""The failures of a task on one worker after which it is given up; on different workers, two suffice."""

SECONDS_WITHOUT_WORKERS = 60
"""Seconds without any worker after which a cluster is given up."""

SECONDS_BETWEEN_LOOKS = 1.0
"""Seconds between two checks for workers while waiting for a task."""

SECONDS_FOR_OUTCOME = 30
"""Seconds to wait for the outcome of a finished task before it is submitted again."""

SECONDS_TO_CONNECT = 10
"""Seconds to wait for the scheduler, and for the first worker."""


@dataclass
class _Try:
    """A task that is not finished."""

    nth: int
    task: bytes
    failed: list[str] = field(default_factory=list)
    """The workers on which it failed."""
    deaths: int = 0


class DaskPool:
    """The workers of a scheduler, all of which have opened the same job."""

    def __init__(self, address: str, module: str, opening: object, processes: int = 0) -> None:
        """Connect to the scheduler at `address`, or start some `processes` as workers on this machine.

        Raises `ClusterLost` if there are none, and `OtherWork` if a worker cannot take part.
        """
        self._address, self._stack = address, ExitStack()
        self._job = OpenJob(uuid4().hex, module, pickle.dumps(opening))
        self.usage = _recent(self._usage)
        """The number of workers and the resident memory of the largest, measured at most a second ago."""
        self._threads = _recent(self._count_threads)
        try:
            self._client = self._stack.enter_context(_client(address, processes, self._stack))
            self._client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
        except (OSError, TimeoutError) as error:
            self._stack.close()
            raise ClusterLost(
                f"there is no scheduler with workers at {address}: start `dask scheduler` and `dask worker`, "
                "or say local:2 for two processes on this machine"
            ) from error
        self._refuse_unfit()

    @property
    def dashboard(self) -> str:
        """The address of the scheduler's dashboard."""
        return str(self._client.dashboard_link)

    def _usage(self) -> Usage:
        """The current usage; 0 workers if the scheduler is lost, which is no error here."""
        workers = self._client.scheduler_info(n_workers=-1).get("workers", {}).values()
        memory = max((int(worker["metrics"].get("memory", 0)) for worker in workers), default=0)
        return Usage(memory, len(workers))

    def _count_threads(self) -> int:
        """The current number of threads of all workers; raises `ClusterLost`."""
        with self._connected():
            threads: dict[str, int] = self._client.nthreads()
        return sum(threads.values())

    def map(self, tasks: Iterable[Any], on_progress: Callable[[int], object]) -> Iterator[Any]:
        """Yield the answer to each task, in order; `on_progress` gets the states of each finished task.

        Raises what a task raises on two workers or repeatedly on one, `TooLarge` if workers die repeatedly,
        and `ClusterLost`.
        """
        waiting: dict[Future[Outcome], _Try] = {}
        done, due = dict[int, Any](), 0
        attempts = (_Try(nth, pickle.dumps(task)) for nth, task in enumerate(tasks))
        try:
            while True:
                room = TASKS_PER_THREAD * max(1, self._threads())
                while len(waiting) < room and (attempt := next(attempts, None)):
                    waiting[self._submitted(attempt)] = attempt
                if due in done:
                    yield done.pop(due)
                    due += 1
                elif waiting:
                    for future in self._finished([*waiting]):
                        attempt = waiting.pop(future)
                        if (outcome := self._outcome(future, attempt)) is None:
                            waiting[self._submitted(attempt)] = attempt
                        else:
                            done[attempt.nth] = outcome.answer
                            on_progress(outcome.states)
                else:
                    return
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Disconnect from the scheduler, and end the workers that were started here."""
        self._stack.close()

    def _submitted(self, attempt: _Try) -> "Future[Outcome]":
        """Submit a task to any worker: a task bound to a worker that dies would wait for ever."""
        future: Future[Outcome] = self._client.submit(perform, self._job, attempt.task, pure=False)
        return future

    def _finished(self, futures: "list[Future[Outcome]]") -> "set[Future[Outcome]]":
        """The finished tasks, at least one; raises `ClusterLost`."""
        seen = monotonic()
        while True:
            with self._connected():
                try:
                    return set(wait(futures, SECONDS_BETWEEN_LOOKS, "FIRST_COMPLETED").done)
                except TimeoutError:
                    if self._count_threads():
                        seen = monotonic()
                    elif monotonic() - seen > SECONDS_WITHOUT_WORKERS:
                        raise

    def _outcome(self, future: "Future[Outcome]", attempt: _Try) -> Outcome | None:
        """The outcome of a task; None if it must be submitted again."""
        outcome = None
        try:
            with self._connected(), suppress(TimeoutError):  # the worker died after finishing the task
                outcome = future.result(SECONDS_FOR_OUTCOME)
        except KilledWorker as error:
            attempt.deaths += 1
            if attempt.deaths < MAX_DEATHS:
                return None
            raise TooLarge(f"the workers die again and again: {error}; give each more memory") from error
        finally:
            future.release()
        if outcome is None or outcome.error is None:
            return outcome
        if isinstance(outcome.error, OtherWork):
            raise OtherWork(f"the worker {outcome.worker} cannot take part: {outcome.error}")
        attempt.failed.append(outcome.worker)
        if len(set(attempt.failed)) > 1 or len(attempt.failed) >= MAX_FAILURES:
            raise outcome.error
        return None

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Raise `ClusterLost` if the scheduler cannot be reached within the block."""
        try:
            yield
        except (OSError, FutureCancelledError, FuturesCancelledError) as error:
            raise ClusterLost(
                f"the scheduler at {self._address} has ended, or has no workers left: start them again; "
                "the same command goes on from the last finished task"
            ) from error

    def _refuse_unfit(self) -> None:
        refusals = self._client.run(refusal, self._job, on_error="return")
        for worker, reason in sorted(refusals.items()):
            if reason is not None and not isinstance(reason, OSError):  # OSError: the worker has ended
                self.close()
                raise OtherWork(f"the worker {worker} cannot take part: {reason}")


def _recent(measure: Callable[[], Measured]) -> Callable[[], Measured]:
    """A function that returns a measurement at most `SECONDS_BETWEEN_LOOKS` old."""
    measured: list[tuple[float, Measured]] = []

    def recent() -> Measured:
        if not measured or monotonic() - measured[-1][0] > SECONDS_BETWEEN_LOOKS:
            measured[:] = [(monotonic(), measure())]
        return measured[-1][1]

    return recent


def _client(address: str, processes: int, stack: ExitStack) -> Client:
    """A client of the scheduler at `address`, or of one that is started here, with some `processes`."""
    if not processes:
        return Client(address, timeout=SECONDS_TO_CONNECT)
    place: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": ERROR}
    with _interrupted_later():
        cluster = LocalCluster(n_workers=processes, threads_per_worker=1, **place)
    return Client(stack.enter_context(cluster))


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Leave Ctrl-C until after the block, and to this thread: what the block starts does not notice it."""
    resource_tracker.ensure_running()  # its start would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
