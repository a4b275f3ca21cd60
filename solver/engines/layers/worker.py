"""What a process needs to do the tasks of a solve by layers: the context, and the layers that tasks read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from solver.database.packed.label_code import LabelCode
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.external_sort import SortedRuns
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.engines.storage.records import FoldedLayer, FoundLayer
from solver.engines.storage.resumable import Job, joined
from solver.errors import DamagedWork
from solver.system.executors import Tell
from solver.system.resources import keep_freed

FREED_SHARE = 16
"""Freed memory that is kept for the next arrays: one part in this many of what the solve may take."""


@contextmanager
def tasks(job: Job, tell: Tell) -> Iterator[Callable[[Any], Any]]:
    """Yield the function that does tasks of a solve in a process that joins it; raises `OtherWork`."""
    layers = Layers(joined(job))
    yield lambda task: task.run(layers, tell)


class Layers:
    """The layers in a work folder, each opened once for all tasks of a step."""

    def __init__(self, context: SolveContext) -> None:
        """Open nothing yet."""
        keep_freed(context.memory // FREED_SHARE)
        self.context = context
        self.expansion = lru_cache(1)(self._expansion)
        self.representatives = lru_cache(1)(self._representatives)
        self.labelled = lru_cache(2)(self._labelled)
        self.runs = lru_cache(1)(self._runs)
        self.all_states = lru_cache(1)(self._all_states)

    def _all_states(self, layers: int) -> list[KeyFile]:
        """The open and the terminal states of the first `layers` layers."""
        return [file(ply) for ply in range(layers) for file in (self.open_states, self.terminal_states)]

    def open_states(self, ply: int) -> KeyFile:
        """The non-terminal states at a ply that is found; raises `DamagedWork`."""
        return self._found("open", ply)

    def terminal_states(self, ply: int) -> KeyFile:
        """The terminal states at a ply that is found; raises `DamagedWork`."""
        return self._found("terminal", ply)

    def _found(self, kind: str, ply: int) -> KeyFile:
        """The states of this kind at a ply."""
        work = self.context.work
        if (found := FoundLayer.read(work, ply)) is None:
            raise DamagedWork(f"{work.path} has lost {ply:04}.{FoundLayer.suffix}: remove the folder")
        return KeyFile(*work.shards(ply, kind, found.shards))

    def _representatives(self, ply: int) -> KeyFile | None:
        """The canonical forms, at a ply, of non-canonical children; None if they were not collected."""
        work = self.context.work
        folded = FoldedLayer.read(work, ply)
        return None if folded is None else KeyFile(*work.shards(ply, "representatives", folded.shards))

    def _expansion(self, ply: int) -> LayerExpansion:
        """The expansion of the open states at a ply."""
        return LayerExpansion(self.context, self.open_states(ply))

    def _runs(self, ply: int, kind: str, count: int) -> SortedRuns:
        """Sorted runs of this kind, which were made for a ply."""
        return SortedRuns(*(KeyFile(path) for path in self.context.work.shards(ply, kind, count)))

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
