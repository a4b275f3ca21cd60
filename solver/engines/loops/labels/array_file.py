"""Several arrays in one file, which are mapped into memory when they are read.

    | number of arrays | bytes of each | array 0 | array 1 | ...

Each array begins at a multiple of 8 bytes.
"""

from collections.abc import Sequence
from mmap import ACCESS_READ, mmap
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.engines.storage.context import SolveContext
from solver.engines.storage.summed_file import SUM_BYTES
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork

Scalar = TypeVar("Scalar", bound=np.generic)

ALIGNMENT = 8  # bytes


def write_arrays(
    context: SolveContext, stage: int, kind: str, nth: int, arrays: Sequence[NDArray[Any]]
) -> None:
    """Write arrays to a shard, or hold them in memory: they must not change. Raises `DiskFull`."""
    size = sum(array.nbytes for array in arrays)
    if context.work.held.keep(context.work.shard(stage, kind, nth), arrays, size):
        return
    context.need_disk(size)
    with context.work.new_shard(stage, kind, nth) as file:
        file.write(np.array([len(arrays), *(array.nbytes for array in arrays)], np.int64).data)
        for array in arrays:
            file.write(np.ascontiguousarray(array).data)
            file.write(bytes(-array.nbytes % ALIGNMENT))


class ArrayFile:
    """A file of arrays, opened for reading."""

    def __init__(self, work: WorkFolder, stage: int, kind: str, nth: int) -> None:
        """Map a shard of a stage into memory, unless it is held there."""
        path = work.shard(stage, kind, nth)
        self._held: Sequence[NDArray[Any]] | None = work.held.content(path)
        if self._held is not None:
            return
        with path.open("rb") as file:
            self._data = np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_READ), np.uint8)
        arrays = int(self._numbers(0, 1)[0])
        self._sizes = self._numbers(1, 1 + arrays)
        self._ends = np.cumsum((self._sizes + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT) + 8 * (1 + arrays)
        if len(self._data) - SUM_BYTES != (self._ends[-1] if arrays else 8):
            raise DamagedWork(f"{path} does not have the length it states: remove the folder {path.parent}")

    def read(self, nth: int, dtype: "np.dtype[Scalar]") -> "NDArray[Scalar]":
        """The nth array, read-only."""
        if self._held is not None:
            array: NDArray[Scalar] = self._held[nth].view(dtype)
            array.flags.writeable = False
            return array
        size = int(self._sizes[nth])
        begin = int(self._ends[nth]) - size - -size % ALIGNMENT
        return self._data[begin : begin + size].view(dtype)

    def _numbers(self, begin: int, end: int) -> NDArray[np.int64]:
        return self._data[8 * begin : 8 * end].view(np.int64)
