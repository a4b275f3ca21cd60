"""The steps of a solve: tasks that are done anywhere the work folder is seen, and a ledger of those done.

    step 0007.found     tasks 0 1 2 3 ...      each reads finished shards and writes one of its own
                        0007.open.0    0007.open.1    0007.open.2 ...
                        0007.found.ledger      a line for each task that is done: its number and its answer

A step that was interrupted goes on with the tasks that its ledger lacks. A task is a frozen value; if it is
done twice, it writes the same bytes to the same name.

The context, and the layers that tasks read, are what a process needs to do them.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar

from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.storage.context import Job, SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.engines.storage.records import FoldedLayer, FoundLayer
from solver.engines.storage.resumable import joined
from solver.errors import DamagedWork
from solver.system.executors import OnProgress, TaskExecutor, ignore
from solver.system.ledger import Ledger
from solver.system.resources import keep_freed

FREED_SHARE = 16
"""Freed memory that is kept for the next arrays: one part in this many of what the solve may take."""


@contextmanager
def tasks(job: Job, on_progress: OnProgress) -> Iterator[Callable[[Any], Any]]:
    """Yield the function that does tasks of a solve in a process that joins it; raises `OtherWork`."""
    layers = Layers(joined(job))
    yield lambda task: task.run(layers, on_progress)


class Layers:
    """The layers in a work folder, each opened once for all tasks of a step."""

    def __init__(self, context: SolveContext) -> None:
        keep_freed(context.job.memory // FREED_SHARE)
        self.context, work = context, context.work
        self.expansion = lru_cache(1)(lambda ply: LayerExpansion(context, self.open_states(ply)))
        """The expansion of the open states at a ply."""
        self.representatives = lru_cache(1)(self._representatives)
        self.labelled = lru_cache(2)(self._labelled)
        self.encoder = lru_cache(1)(lambda: KeyEncoder(work.dictionary.read_bytes()))
        """What compresses keys for the database."""
        self.runs = lru_cache(1)(lambda *kind: [KeyFile(path) for path in work.shards(*kind)])
        """The sorted runs that were made for a ply, of a kind, of which there are so many."""
        self.all_states = lru_cache(1)(
            lambda plies: [
                file(ply) for ply in range(plies) for file in (self.open_states, self.terminal_states)
            ]
        )
        """The open and the terminal states of so many layers."""

    def open_states(self, ply: int) -> KeyFile:
        """The non-terminal states at a ply that is found; raises `DamagedWork`."""
        return self.states(ply, 0)

    def terminal_states(self, ply: int) -> KeyFile:
        """The terminal states at a ply that is found; raises `DamagedWork`."""
        return self.states(ply, 1)

    def states(self, ply: int, is_terminal: int) -> KeyFile:
        """The open, or the terminal, states at a ply that is found; raises `DamagedWork`."""
        work = self.context.work
        if (layer := FoundLayer.read(work, ply)) is None:
            raise DamagedWork(f"{work.path} has lost {ply:04}.{FoundLayer.suffix}: remove the folder")
        return KeyFile(*work.shards(ply, "terminal" if is_terminal else "open", layer.shards))

    def _representatives(self, ply: int) -> KeyFile | None:
        """The canonical forms, at a ply, of non-canonical children; None if they were not collected."""
        work = self.context.work
        folded = FoldedLayer.read(work, ply)
        return None if folded is None else KeyFile(*work.shards(ply, "representatives", folded.shards))

    def _labelled(self, code: LabelCode, ply: int, shards: int, images: int) -> LabelledLayer:
        """The layer at a ply, its labels in so many shards, with so many runs of symmetric images."""
        work = self.context.work
        labels = LabelFile(code.dtype, *work.shards(ply, "labels", shards))
        rows = [LabelledRun(self.open_states(ply), labels), LabelledRun(self.terminal_states(ply), None)]
        for keys, of_keys in zip(
            work.shards(ply, "images.run", images), work.shards(ply, "image-labels.run", images), strict=True
        ):
            rows.append(LabelledRun(KeyFile(keys), LabelFile(code.dtype, of_keys)))
        return LabelledLayer(self.context.rules, code, ply, tuple(rows))


Answer: TypeAlias = dict[str, Any]
"""What the driver needs to know of a task that is done, in some bytes of JSON."""


Item = TypeVar("Item")


class Task(Protocol):
    """One of the tasks of a step."""

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Do the task; `on_progress` gets the states that are done, as many as `states` in the answer."""


class Threads:
    """Does tasks by the threads of this process."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers

    def each(self, tasks: Iterable[Task], on_progress: OnProgress) -> Iterator[Answer]:
        """Yield the answer to each task, in order."""
        return self._layers.context.map_ordered(lambda task: task.run(self._layers, on_progress), tasks)

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

    def run(self, name: str, tasks: Sequence[Task], on_progress: OnProgress = ignore) -> list[Answer]:
        """Do those tasks of a step that its ledger lacks; return the answers to all, in order."""
        identity = sha256(pickle.dumps(list(tasks), 5)).hexdigest()
        path = self.context.work.path / f"{name}.ledger"
        ledger = Ledger(path, identity) if len(tasks) > 1 else None
        done: dict[int, Answer] = dict(ledger.entries) if ledger else {}
        for answer in done.values():
            on_progress(answer["states"])
        missing = [nth for nth in range(len(tasks)) if nth not in done]
        answers = self.executor.each((tasks[nth] for nth in missing), on_progress)
        for nth, answer in zip(missing, answers, strict=True):
            done[nth] = answer
            if ledger:
                ledger.add([nth, answer])  # the shard of the task has been flushed to disk already
        if ledger:
            ledger.remove()
        return [done[nth] for nth in range(len(tasks))]


def grouped(items: Sequence[Item], count: int) -> list[tuple[Item, ...]]:
    """The items in at most `count` groups of about the same size, in order."""
    size = max(1, -(-len(items) // count))
    return [tuple(items[begin : begin + size]) for begin in range(0, len(items), size)]


def even_ranges(items: int, at_most: int, workers: int) -> list[tuple[int, int]]:
    """Ranges of the same size, but for the last: about a multiple of the workers, each `at_most` so long."""
    rounds = -(-items // (at_most * workers))
    size = -(-items // (rounds * workers)) if items else 1
    return [(begin, min(items, begin + size)) for begin in range(0, items, size)]
