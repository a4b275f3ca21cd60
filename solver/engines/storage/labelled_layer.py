"""A labelled layer on disk: files of keys, and for each a file of labels in the order of the keys."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol
from weakref import finalize

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.storage.key_file import KeyFile, read_exactly
from solver.rules.arrays import Keys, Labels
from solver.system.files import opened

MOST_TO_LOOK_UP = 1 << 12
"""Utilities up to which the labels of terminal states are looked up instead of computed for each."""


class LabelFile:
    """The labels of one file, or of several in order, opened for reading by any number of threads."""

    def __init__(self, dtype: np.dtype[np.signedinteger], *paths: Path) -> None:
        """Open the files, whose labels have this dtype."""
        self.dtype, self._paths, self._descriptors = dtype, paths, [opened(path) for path in paths]
        for descriptor in self._descriptors:
            finalize(self, os.close, descriptor)
        sizes = [path.stat().st_size // dtype.itemsize for path in paths]
        self._begins = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).tolist()

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end); raises `DamagedWork` if there are too few."""
        labels: Labels = np.empty(end - begin, self.dtype)
        last = len(self._paths) - 1
        for nth, (descriptor, path) in enumerate(zip(self._descriptors, self._paths, strict=True)):
            first, stop = self._begins[nth], self._begins[nth + 1] if nth < last else end
            low, high = max(begin, first), min(end, stop)
            if low < high:
                part = labels[low - begin : high - begin]
                read_exactly(descriptor, path, part, (low - first) * self.dtype.itemsize)
        return labels


class StoredLabels(Protocol):
    """Labels that are read from a file."""

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end)."""


@dataclass(frozen=True)
class LabelledRun:
    """States in ascending order, with their labels."""

    file: KeyFile
    labels: StoredLabels | None
    """None if all states are terminal."""


@dataclass(frozen=True)
class LabelledLayer:
    """A layer with its labels, in rows that have no state in common."""

    rules: Rules
    form: LabelCode
    ply: int
    rows: tuple[LabelledRun, ...]

    def part(self, row: LabelledRun, begin: int, end: int) -> tuple[Keys, Labels]:
        """Return keys and labels of the pieces [begin, end) of a row."""
        keys = row.file.read(begin, end)
        if row.labels is None:
            return keys, self._labels_of_ends(self.rules.utilities(keys))
        return keys, row.labels.read(int(row.file.begins[begin]), int(row.file.begins[end]))

    def _labels_of_ends(self, utilities: Keys) -> Labels:
        """The labels of terminal states with these utilities; if few differ, they are looked up."""
        most = self.form.max_abs_value
        if most > MOST_TO_LOOK_UP:
            return self.form.of_ends(utilities, self.ply)
        return self._label_by_utility.take(utilities + most)

    @cached_property
    def _label_by_utility(self) -> Labels:
        """The label of a terminal state with each utility, from the least to the greatest."""
        most = self.form.max_abs_value
        return self.form.of_ends(np.arange(-most, most + 1), self.ply)
