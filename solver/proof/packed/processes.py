"""A pool of worker processes for the tasks of a proof.

Threads would not do: they wait for each other between NumPy's short operations.

    this process                               workers, each with the file open
    a thread for each worker  --- task --->    python -m solver.proof.packed.worker
                              <- findings -

A worker ends when its stdin is closed, even if the process that started it was killed.
"""

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, Popen

from solver.errors import TooLarge
from solver.proof.packed.findings import Findings
from solver.proof.packed.tasks import AllSeries, Checker, Task, Tell
from solver.rules.source import trust
from solver.system.parallel import map_ordered


class WorkerPool:
    """A pool of `processes` worker processes, each with the file open."""

    def __init__(self, path: Path, series: AllSeries, processes: int, tell: Tell) -> None:
        """Start workers on the file at `path`; `tell` is called with each number of states checked."""
        opening, self._tell = pickle.dumps((path.resolve(), series, trust.allowed())), tell
        self._workers = [_Worker(opening) for _ in range(processes)]
        self._threads = ThreadPoolExecutor(processes)
        self._idle = SimpleQueue[_Worker]()
        for worker in self._workers:
            self._idle.put(worker)

    def close(self) -> None:
        """Kill the workers, also in the middle of a task."""
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def each(self, parts: Iterable[Task]) -> Iterator[Findings]:
        """Yield the findings of each task in order; raises `TooLarge` if a process has ended."""
        return map_ordered(self._threads, self._done, parts, 2 * len(self._workers))

    def _done(self, part: Task) -> Findings:
        worker = self._idle.get()
        try:
            return worker.done(part, self._tell)
        finally:
            self._idle.put(worker)


class InProcess:
    """Runs tasks in this process, for small files."""

    def __init__(self, parts: Checker) -> None:
        """Run tasks by this checker."""
        self._parts = parts

    def close(self) -> None:
        """Do nothing: there are no workers."""

    def each(self, parts: Iterable[Task]) -> Iterator[Findings]:
        """Yield the findings of each task in order."""
        return map(self._parts.done, parts)


class _Worker:
    """A worker process and the pipes to it."""

    def __init__(self, opening: bytes) -> None:
        self._opening = opening
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
        self._process = Popen(
            [sys.executable, "-P", "-m", "solver.proof.packed.worker"],
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # Ctrl-C is for the process that started it
        )

    def done(self, part: Task, tell: Tell) -> Findings:
        """Return the findings of a task; raises `TooLarge` if the worker has died."""
        send, receive = self._process.stdin, self._process.stdout
        assert send is not None
        assert receive is not None
        try:
            send.write(self._opening + pickle.dumps(part))
            send.flush()
            self._opening = b""
            while isinstance(answer := pickle.load(receive), int):
                tell(answer)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise TooLarge(
                f"a process that verified has ended (status {self._process.wait()}), which systems do "
                "to those that take more memory than there is; fewer processors take less"
            ) from error
        findings: Findings = answer
        return findings

    def kill(self) -> None:
        """Kill the worker, which ends every wait for its answer."""
        self._process.kill()

    def close(self) -> None:
        """Close the pipes and reap the process."""
        self._process.communicate()
