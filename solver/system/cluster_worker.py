"""The worker's side of a cluster: opens a job once, does its tasks, and returns their outcomes."""

import pickle
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from threading import Lock, local
from typing import Any, NamedTuple

from distributed import get_worker

from solver.errors import SolverError, summary_of

_opening = Lock()
_open_jobs: dict[str, tuple[ExitStack, Callable[[Any], Any]]] = {}
_progress = local()


class OpenJob(NamedTuple):
    """The job that each worker opens before it does tasks."""

    name: str
    """A unique name, as files may change from one job to the next."""
    module: str
    opening: bytes


class Outcome(NamedTuple):
    """The outcome of a task."""

    worker: str
    """The address of the worker."""
    answer: Any
    error: Exception | None
    states: int = 0
    """The number of states that the task has processed."""


def perform(job: OpenJob, task: bytes) -> Outcome:
    """Do a task with the function that the module's context manager `tasks` yields for the opening."""
    address, _progress.states = str(get_worker().address), 0
    try:
        answer = _opened(job)(pickle.loads(task))
        return Outcome(address, answer, None, _progress.states)
    except (Exception, SystemExit) as error:
        return Outcome(address, None, _portable(error))


def refusal(job: OpenJob) -> str | None:
    """The reason why this worker cannot open a job; None if it can."""
    try:
        _opened(job)
    except (Exception, SystemExit) as error:
        return str(error) if isinstance(error, SolverError) else summary_of(error)
    return None


def _opened(job: OpenJob) -> Callable[[Any], Any]:
    """The function that does the tasks of a job, which stays open until another job is opened."""
    with _opening:  # one thread at a time
        if job.name not in _open_jobs:
            while _open_jobs:
                _open_jobs.popitem()[1][0].close()
            stack = ExitStack()
            do = stack.enter_context(import_module(job.module).tasks(pickle.loads(job.opening), _count))
            _open_jobs[job.name] = stack, do
        return _open_jobs[job.name][1]


def _count(states: int) -> None:
    _progress.states = getattr(_progress, "states", 0) + states


def _portable(error: BaseException) -> Exception:
    """The error in a form that another process can unpickle."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return SolverError(summary_of(error))
    return error if isinstance(error, Exception) else SolverError(summary_of(error))
