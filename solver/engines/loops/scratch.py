"""Room for the large arrays of a stage: in memory, and beyond its limit in files that are mapped into memory.

Those files have no name in the work folder, and vanish with their arrays. The system writes pages of them to
disk where memory is short. The engine goes through its arrays from one end to the other, in each round of the
search and for each label, so what is on disk is read in order.
"""

import os
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import Lock
from typing import TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from solver.engines.storage.context import SolveContext

Scalar = TypeVar("Scalar", bound=np.generic)


class Scratch:
    """Gives arrays, to several threads."""

    def __init__(self, context: SolveContext) -> None:
        """Begin without arrays; those in memory take at most two thirds of what the solve may take."""
        self._context, self._lock, self._left = context, Lock(), context.job.memory * 2 // 3

    def empty(self, length: int, dtype: "np.dtype[Scalar]") -> "NDArray[Scalar]":
        """An array with undefined elements; raises `DiskFull`."""
        return self._array(np.empty, length, dtype)

    def zeros(self, length: int, dtype: "np.dtype[Scalar]") -> "NDArray[Scalar]":
        """An array of zeros; raises `DiskFull`."""
        return self._array(np.zeros, length, dtype)

    def _array(
        self, in_memory: Callable[..., "NDArray[Scalar]"], length: int, dtype: "np.dtype[Scalar]"
    ) -> "NDArray[Scalar]":
        size = length * dtype.itemsize
        if self._took(size):
            array = in_memory(length, dtype)
            finalize(array, self._give_back, size)
            return array
        self._context.need_disk(size)
        with TemporaryFile(dir=self._context.work.path) as file:
            if hasattr(os, "posix_fallocate"):  # a page for which there is no room would end the process
                os.posix_fallocate(file.fileno(), 0, size)
            return np.asarray(np.memmap(file, dtype, "r+", shape=(length,)))

    def _took(self, size: int) -> bool:
        with self._lock:
            fits = size <= self._left or not size
            self._left -= size * fits
        return fits

    def _give_back(self, size: int) -> None:
        with self._lock:
            self._left += size
