"""The steps of a solve: tasks that are done anywhere the work folder is seen, and a ledger of those done.

    step 0007.found     tasks 0 1 2 3 ...      each reads finished shards and writes one of its own
                        0007.going.0   0007.going.1   0007.going.2 ...
                        0007.found.ledger      a line for each task that is done: its number and its answer

A step that was interrupted goes on with the tasks that its ledger lacks. A task is a frozen value; if it is
done twice, it writes the same bytes to the same name.
"""

import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from solver.engines.context import SolveContext
from solver.engines.layers.worker import Layers
from solver.system.executors import TaskExecutor, Tell, ignore
from solver.system.files import flush, sync

Answer: TypeAlias = dict[str, Any]
"""What the driver needs to know of a task that is done, in some bytes of JSON."""


Item = TypeVar("Item")


class Task(Protocol):
    """One of the tasks of a step."""

    def run(self, layers: Layers, tell: Tell) -> Answer:
        """Do the task; `tell` is called with the states that are done, as many as `states` in the answer."""


class Threads:
    """Does tasks by the threads of this process."""

    def __init__(self, layers: Layers) -> None:
        """Do tasks that read these layers."""
        self._layers = layers

    def each(self, tasks: Iterable[Task], tell: Tell) -> Iterator[Answer]:
        """Yield the answer to each task, in order."""
        return self._layers.context.map_ordered(lambda task: task.run(self._layers, tell), tasks)

    def close(self) -> None:
        """Do nothing: threads end with each step."""


@dataclass
class Steps:
    """Does the steps of a solve."""

    layers: Layers
    executor: TaskExecutor

    @property
    def context(self) -> SolveContext:
        """The context of the solve."""
        return self.layers.context

    def run(self, name: str, tasks: Sequence[Task], tell: Tell = ignore) -> list[Answer]:
        """Do those tasks of a step that its ledger lacks; return the answers to all, in order."""
        ledger = _Ledger(self.context.work.path / f"{name}.ledger", tasks)
        missing = [nth for nth in range(len(tasks)) if nth not in ledger.answers]
        for answer in ledger.answers.values():
            tell(answer["states"])
        answers = self.executor.each((tasks[nth] for nth in missing), tell)
        for nth, answer in zip(missing, answers, strict=True):
            ledger.add(nth, answer)
        ledger.remove()
        return [ledger.answers[nth] for nth in range(len(tasks))]


def grouped(items: Sequence[Item], count: int) -> list[tuple[Item, ...]]:
    """The items in at most `count` groups of about the same size, in order."""
    size = max(1, -(-len(items) // count))
    return [tuple(items[begin : begin + size]) for begin in range(0, len(items), size)]


class _Ledger:
    """The answers to the tasks of a step that are done, on disk if there are several tasks."""

    def __init__(self, path: Path, tasks: Sequence[Task]) -> None:
        self._path, self._several = path, len(tasks) > 1
        self._tasks = sha256(pickle.dumps(list(tasks), 5)).hexdigest()
        self.answers: dict[int, Answer] = {}
        if self._several and not self._read():
            self.answers = {}
            self._append(self._tasks)

    def add(self, nth: int, answer: Answer) -> None:
        """Note that a task is done; its shard has been flushed to disk already."""
        self.answers[nth] = answer
        if self._several:
            sync(self._path.parent)
            self._append([nth, answer])

    def remove(self) -> None:
        """Delete the file: the step is done."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> bool:
        """Read the answers; return whether the ledger is one of the same tasks. A line cut off is deleted."""
        try:
            first, *lines = self._path.read_text("utf-8").split("\n")
            same = bool(json.loads(first) == self._tasks)
            self.answers = dict(map(json.loads, lines[:-1]))
        except (FileNotFoundError, TypeError, ValueError):
            same = False
        if same:
            self._path.write_text("\n".join([first, *lines[:-1], ""]), "utf-8")
        else:
            self._path.unlink(missing_ok=True)
        return same

    def _append(self, entry: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            flush(file.fileno())
