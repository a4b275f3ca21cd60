"""A layer whose labels are known: files of keys, and beside them files of labels in the order of the keys."""

import os
from dataclasses import dataclass
from pathlib import Path
from weakref import finalize

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.layers.storage.key_file import KeyFile, read_exactly
from solver.rules.arrays import Keys, Labels
from solver.system.files import opened


class LabelFile:
    """A file of labels, for reading, by several threads if need be."""

    def __init__(self, path: Path, dtype: np.dtype[np.signedinteger]) -> None:
        """Open the file at `path`, which has labels of this type."""
        self._path, self.dtype = path, dtype
        self._descriptor = opened(path)
        finalize(self, os.close, self._descriptor)

    def read(self, begin: int, end: int) -> Labels:
        """The labels numbered from `begin` on, before `end`."""
        labels: Labels = np.empty(end - begin, self.dtype)
        return read_exactly(self._descriptor, self._path, labels, begin * self.dtype.itemsize)


@dataclass(frozen=True)
class LabelledRun:
    """States in ascending order, whose labels are known."""

    file: KeyFile
    labels: LabelFile | None
    """None where play is over in all of the states."""


@dataclass(frozen=True)
class LabelledLayer:
    """A layer whose labels are known; its rows have no state in common."""

    rules: Rules
    form: LabelCode
    ply: int
    rows: tuple[LabelledRun, ...]

    def part(self, row: LabelledRun, begin: int, end: int) -> tuple[Keys, Labels]:
        """Keys and labels of some pieces of a row."""
        keys = row.file.read(begin, end)
        if row.labels is None:
            return keys, self.form.of_ends(self.rules.utilities(keys), self.ply)
        return keys, row.labels.read(int(row.file.begins[begin]), int(row.file.begins[end]))
