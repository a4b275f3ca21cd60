"""A labelled layer, or stage, on disk: files of keys, each with a file of labels in the order of the keys.

Both are shards, counted by records.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias
from weakref import finalize

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, read_exactly
from solver.engines.storage.merging import ranks_in
from solver.engines.storage.records import LayerLabels, SizedRecord, StageLabels, UnfoldedStage
from solver.engines.storage.summed_file import content_size
from solver.errors import DamagedWork
from solver.rules.arrays import Keys, Labels
from solver.system.files import opened

LABELS_AT_ONCE = 1 << 20
"""The most labels that are read at a time when labels of some ranks are wanted."""

MAX_TO_LOOK_UP = 1 << 12
"""The limit of tables by which labels of terminal states are looked up, and kinds of states counted."""


Recode: TypeAlias = Callable[[Labels], Labels] | None
"""A function that converts labels when they are read, if any."""


class LabelFile:
    """The labels of one file, or of several in order, opened for reading by any number of threads."""

    def __init__(self, dtype: np.dtype[np.signedinteger], *paths: Path, recode: Recode = None) -> None:
        """Open files of labels of this type; if `recode` is given, labels are converted by it when read."""
        self.dtype, self._paths, self._recode = dtype, paths, recode
        self._descriptors = [opened(path) for path in paths]
        for descriptor in self._descriptors:
            finalize(self, os.close, descriptor)
        sizes = [content_size(path) // dtype.itemsize for path in paths]
        self._begins = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).tolist()

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end); raises `DamagedWork` if there are too few."""
        labels: Labels = np.empty(end - begin, self.dtype)
        if end > self._begins[-1]:
            path = self._paths[-1]
            raise DamagedWork(f"{path} is shorter than it should be: remove the folder {path.parent}")
        for nth, (descriptor, path) in enumerate(zip(self._descriptors, self._paths, strict=True)):
            first, stop = self._begins[nth], self._begins[nth + 1]
            low, high = max(begin, first), min(end, stop)
            if low < high:
                part = labels[low - begin : high - begin]
                read_exactly(descriptor, path, part, (low - first) * self.dtype.itemsize)
        return self._recode(labels) if self._recode else labels

    def at(self, ranks: Keys) -> Labels:
        """The labels with these ranks, which ascend."""
        parts = np.split(ranks, np.flatnonzero(np.diff(ranks // LABELS_AT_ONCE)) + 1)
        read = [self.read(int(part[0]), int(part[-1]) + 1)[part - part[0]] for part in parts if len(part)]
        return np.concatenate(read) if read else self.read(0, 0)


@dataclass(frozen=True)
class LabelledRun:
    """States in ascending order, with their labels."""

    file: KeyFile
    labels: LabelFile | None
    """The labels of the states; None if all are terminal."""


@dataclass(frozen=True)
class LabelledLayer:
    """A layer with its labels, in rows that are disjoint."""

    rules: Rules
    code: LabelCode
    ply: int
    rows: tuple[LabelledRun, ...]

    def part(self, row: LabelledRun, begin: int, end: int) -> tuple[Keys, Labels]:
        """The keys and the labels of the pieces [begin, end) of a row."""
        keys = row.file.read(begin, end)
        if row.labels is None:
            return keys, self._labels_of_ends(keys)
        return keys, row.labels.read(int(row.file.begins[begin]), int(row.file.begins[end]))

    def labels_of(self, wanted: Keys) -> Labels:
        """The labels of states, which ascend; raises `DamagedWork` if the layer lacks one."""
        labels: Labels = np.empty(len(wanted), self.code.dtype)
        missing = np.ones(len(wanted), np.bool_)
        for row in self.rows:
            ranks = ranks_in(row.file, wanted)
            places = np.flatnonzero(ranks >= 0)
            missing[places] = False
            if row.labels is None:
                labels[places] = self._labels_of_ends(wanted[places])
            else:
                labels[places] = row.labels.at(ranks[places])
        if missing.any():
            raise DamagedWork(f"the work has lost states of ply {self.ply}: remove it and solve again")
        return labels

    def _labels_of_ends(self, keys: Keys) -> Labels:
        """The labels of terminal states."""
        utilities, most = self.rules.utilities(keys), self.code.max_abs_value
        if most > MAX_TO_LOOK_UP:
            return self.code.encode_ends(utilities, self.ply)
        return self._label_by_utility.take(utilities + most)

    @cached_property
    def _label_by_utility(self) -> Labels:
        """The label of a terminal state with each utility, from the least to the greatest."""
        most = self.code.max_abs_value
        return self.code.encode_ends(np.arange(-most, most + 1), self.ply)


def write_labels(context: SolveContext, stage: int, kind: str, nth: int, labels: Labels) -> None:
    """Write labels to a shard; raises `DiskFull`."""
    context.need_disk(labels.nbytes)
    with context.work.new_shard(stage, kind, nth) as file:
        file.write(labels.data)


class StageFiles(NamedTuple):
    """The kinds of files of a stage, and the records with their numbers of shards.

    The folder is never listed, as a listing may lag behind other processes. All methods raise `DamagedWork`.
    """

    open: str
    terminal: str
    labels: str
    reached: type[SizedRecord]
    labelled: type[LayerLabels | StageLabels | UnfoldedStage]

    def states(self, context: SolveContext, nth: int, is_terminal: int) -> KeyFile:
        """The open or the terminal states of a stage."""
        kind = self.terminal if is_terminal else self.open
        return KeyFile(*context.work.shards(nth, kind, self.reached.finished(context.work, nth).shards))

    def open_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The open states of a stage."""
        return self.states(context, nth, 0)

    def labels_of(self, context: SolveContext, nth: int, code: LabelCode, recode: Recode = None) -> LabelFile:
        """The labels of the open states of a stage, converted by `recode` if it is given."""
        shards = self.labelled.finished(context.work, nth).shards
        return LabelFile(code.dtype, *context.work.shards(nth, self.labels, shards), recode=recode)

    def rows(
        self, context: SolveContext, nth: int, code: LabelCode, recode: Recode = None
    ) -> tuple[LabelledRun, LabelledRun]:
        """The open states of a stage with their labels, see `labels_of`, and the terminal states."""
        open_states = LabelledRun(self.open_states(context, nth), self.labels_of(context, nth, code, recode))
        return open_states, LabelledRun(self.states(context, nth, 1), None)
