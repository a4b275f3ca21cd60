"""A labelled layer on disk: files of keys, and for each a file of labels in the order of the keys."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from weakref import finalize

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.storage.key_file import KeyFile, read_exactly
from solver.rules.arrays import Keys, Labels
from solver.system.files import opened


class LabelFile:
    """A file of labels, opened for reading by any number of threads."""

    def __init__(self, path: Path, dtype: np.dtype[np.signedinteger]) -> None:
        """Open the file at `path`, whose labels have this dtype."""
        self._path, self.dtype = path, dtype
        self._descriptor = opened(path)
        finalize(self, os.close, self._descriptor)

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end); raises `DamagedWork` if the file is too short."""
        labels: Labels = np.empty(end - begin, self.dtype)
        return read_exactly(self._descriptor, self._path, labels, begin * self.dtype.itemsize)


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
            return keys, self.form.of_ends(self.rules.utilities(keys), self.ply)
        return keys, row.labels.read(int(row.file.begins[begin]), int(row.file.begins[end]))
