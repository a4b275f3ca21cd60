"""The files of the states of a stage in the work folder, how they are written, and those of large arrays."""

from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelFile
from solver.rules.arrays import Keys, Labels
from solver.system.files import flush

Scalar = TypeVar("Scalar", bound=np.generic)

KEYS_PER_WRITE = 1 << 20
"""Keys that are encoded or decoded at a time."""


class StageFiles(NamedTuple):
    """The kinds of files that a stage has."""

    open: str
    terminal: str
    labels: str

    def open_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The non-terminal states of a stage."""
        return KeyFile(context.work.file(nth, self.open))

    def terminal_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The terminal states of a stage."""
        return KeyFile(context.work.file(nth, self.terminal))

    def labels_of(self, context: SolveContext, nth: int, dtype: "np.dtype[np.signedinteger]") -> LabelFile:
        """The labels of the non-terminal states of a stage."""
        return LabelFile(dtype, context.work.file(nth, self.labels))


SOLVED = StageFiles("open", "terminal", "labels")
"""The files of the states that are solved: in a folded solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all")
"""The files of all states, if one of each class was solved."""


def keys_in_parts(file: KeyFile) -> Iterator[Keys]:
    """Yield the keys of a file, in order, not too many at a time."""
    for begin in range(0, file.pieces, KEYS_PER_WRITE // PIECE):
        yield file.read(begin, min(begin + KEYS_PER_WRITE // PIECE, file.pieces))


def write_keys(context: SolveContext, nth: int, kind: str, keys: Keys) -> None:
    """Write ascending keys to a file of a stage."""
    parts = (keys[begin : begin + KEYS_PER_WRITE] for begin in range(0, len(keys), KEYS_PER_WRITE))
    with KeyWriter(context.work.file(nth, kind)) as file:
        for pieces in context.map_ordered(packed, parts):
            context.need_disk(len(pieces.data))
            file.write(pieces)


def write_labels(context: SolveContext, nth: int, kind: str, parts: Iterable[Labels]) -> None:
    """Write labels to a file of a stage."""
    with context.work.file(nth, kind).open("wb") as file:
        for labels in parts:
            context.need_disk(labels.nbytes)
            labels.tofile(file)
        flush(file.fileno())


class Scratch:
    """A place for large arrays: those that would exceed a limit of memory are mapped from files.

    The files have no name in the work folder, and vanish with their arrays.
    """

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
