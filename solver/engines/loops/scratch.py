"""Large arrays that need not all be in memory: those that would exceed a limit are mapped from files."""

from tempfile import TemporaryFile
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.engines.context import SolveContext

Scalar = TypeVar("Scalar", bound=np.generic)


class Scratch:
    """A place for arrays. Files have no name in the work folder, and vanish with their arrays."""

    def __init__(self, context: SolveContext, size: int) -> None:
        """Begin without arrays; those in memory are to take at most `size` bytes."""
        self._context, self._left = context, size

    def empty(self, length: int, dtype: "np.dtype[Scalar]") -> "NDArray[Scalar]":
        """An array with undefined elements; raises `DiskFull`."""
        size = length * dtype.itemsize
        if size <= self._left or not length:
            self._left -= size
            return np.empty(length, dtype)
        self._context.need_disk(size)
        with TemporaryFile(dir=self._context.work.path) as file:
            return np.memmap(file, dtype, "w+", shape=(length,))

    def copy(self, array: "NDArray[Scalar]") -> "NDArray[Scalar]":
        """A copy of an array; raises `DiskFull`."""
        kept = self.empty(len(array), array.dtype)
        kept[:] = array
        return kept
