"""The steps of a solve: tasks for any process that sees the work folder, and a ledger of finished tasks.

    step 0007.found     tasks 0 1 2 3 ...      each reads finished shards and writes one of its own
                        0007.open.0    0007.open.1    0007.open.2 ...
                        0007.found.ledger      a line for each finished task: its number and its answer

An interrupted step resumes with the tasks that its ledger lacks. A task is a frozen value; if it is done
twice, it writes the same bytes to the same name. A process needs the context and the files that tasks read.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar

from solver.database.packed.keys.key_code import KeyEncoder
from solver.engines.storage.context import Job, SolveContext
from solver.engines.storage.resumable import ResumableSolve, joined
from solver.system.executors import OnProgress, TaskExecutor, cluster_at, ignore
from solver.system.ledger import Ledger
from solver.system.progress import measured_by
from solver.system.words import number_of

Answer: TypeAlias = dict[str, Any]
"""The result of a task for the driver: a few bytes of JSON."""

Item = TypeVar("Item")


class Task(Protocol):
    """One task of a step."""

    def run(self, opened: Any, on_progress: OnProgress) -> Answer:
        """Do the task; `on_progress` gets numbers of states that add up to `states` in the answer."""


class OpenedSolve:
    """What a process opens to do tasks of a solve; the process that solves does the steps with it."""

    def __init__(self, context: SolveContext) -> None:
        context.keep_freed()
        self.context = context
        self.cluster: TaskExecutor | None = None
        """The cluster that does the tasks of steps; None for the threads of this process."""

    @cached_property
    def encoder(self) -> KeyEncoder:
        """The encoder of keys for the database, once its dictionary is made."""
        return KeyEncoder(self.context.work.read_dictionary())

    def run(self, step: str, tasks: Sequence[Task], on_progress: OnProgress = ignore) -> list[Answer]:
        """Do the tasks of a step that its ledger lacks; return the answers of all tasks, in order.

        A single task is done in this process. While files are held there is no ledger, as they would be lost.
        """
        ledger = None
        if len(tasks) > 1 and not self.context.work.held.is_open:
            identity = sha256(pickle.dumps(list(tasks), 5)).hexdigest()
            ledger = Ledger(self.context.work.path / f"{step}.ledger", identity)
        done: dict[int, Answer] = dict(ledger.entries) if ledger else {}
        for answer in done.values():
            on_progress(answer["states"])
        missing = [nth for nth in range(len(tasks)) if nth not in done]
        left = (tasks[nth] for nth in missing)
        if self.cluster is None or len(missing) == 1:
            answers = self.context.map_ordered(lambda task: task.run(self, on_progress), left)
        else:
            answers = self.cluster.map(left, on_progress)
        for nth, answer in zip(missing, answers, strict=True):
            done[nth] = answer
            if ledger:
                ledger.add([nth, answer])  # the task's shard was flushed to disk before
        if ledger:
            ledger.remove()
        return [done[nth] for nth in range(len(tasks))]


@contextmanager
def cluster_for(solve: ResumableSolve, opened: OpenedSolve, job: Job) -> Iterator[None]:
    """Have the cluster that the options name, if any, do the tasks of steps in the block."""
    if (address := solve.options.cluster) is None:
        yield
        return
    with closing(cluster_at(address, __name__, (type(opened), job))) as pool, measured_by(pool.usage):
        workers = number_of(pool.usage().workers or 0, "worker sees", "workers see")
        solve.options.say(f"{workers} {opened.context.work.path}; their dashboard: {pool.dashboard}")
        opened.cluster = pool
        yield


@contextmanager
def tasks(opening: tuple[type[OpenedSolve], Job], on_progress: OnProgress) -> Iterator[Callable[[Any], Any]]:
    """Yield the function that does tasks of a solve in a process that joins it; raises `OtherWork`."""
    kind, job = opening
    opened = kind(joined(job))
    yield lambda task: task.run(opened, on_progress)


def grouped(items: Sequence[Item], count: int) -> list[tuple[Item, ...]]:
    """The items in at most `count` groups of about equal size, in order."""
    size = max(1, -(-len(items) // count))
    return [tuple(items[begin : begin + size]) for begin in range(0, len(items), size)]


def even_ranges(items: int, at_most: int, workers: int) -> list[tuple[int, int]]:
    """Ranges of at most `at_most` items, equal but for the last; about a multiple of `workers` ranges."""
    rounds = -(-items // (at_most * workers))
    size = -(-items // (rounds * workers)) if items else 1
    return [(begin, min(items, begin + size)) for begin in range(0, items, size)]
