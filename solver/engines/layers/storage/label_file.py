"""The labels of a layer in a file, one after the other in the order of its keys."""

import os
from pathlib import Path
from weakref import finalize

import numpy as np

from solver.engines.layers.storage.key_file import read_exactly
from solver.rules.arrays import Labels
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
