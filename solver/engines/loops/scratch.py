"""Large arrays that need not all be in memory: those that would exceed a limit are mapped from files."""

from tempfile import TemporaryFile
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.engines.context import SolveContext

Scalar = TypeVar("Scalar", bound=np.generic)

SHARE = 3
"""Part of the memory that arrays may take before they are put into files: one in this many."""


class Scratch:
    """A place for arrays. Files have no name in the work folder, and vanish with their arrays."""

    def __init__(self, context: SolveContext) -> None:
        """Begin without arrays."""
        self._context, self._held = context, 0

    def empty(self, length: int, dtype: "np.dtype[Scalar]") -> "NDArray[Scalar]":
        """An array with undefined elements; raises `DiskFull`."""
        size = length * dtype.itemsize
        if self._held + size <= self._context.memory // SHARE or not length:
            self._held += size
            return np.empty(length, dtype)
        self._context.need_disk(size)
        with TemporaryFile(dir=self._context.work.path) as file:
            return np.memmap(file, dtype, "w+", shape=(length,))

    def copy(self, array: "NDArray[Scalar]") -> "NDArray[Scalar]":
        """A copy of an array; raises `DiskFull`."""
        kept = self.empty(len(array), array.dtype)
        kept[:] = array
        return kept
