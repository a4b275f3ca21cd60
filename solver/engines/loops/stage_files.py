"""The files of the states of a stage in the work folder, and how they are written."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelFile
from solver.rules.arrays import Keys, Labels
from solver.system.files import flush

KEYS_PER_WRITE = 1 << 20
"""Keys that are encoded or decoded at a time."""


class StageFiles(NamedTuple):
    """The kinds of files that a stage has."""

    open: str
    terminal: str
    labels: str

    def open_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The non-terminal states of a stage."""
        return KeyFile(*context.work.files(nth, self.open))

    def terminal_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The terminal states of a stage."""
        return KeyFile(*context.work.files(nth, self.terminal))

    def labels_of(self, context: SolveContext, nth: int, dtype: "np.dtype[np.signedinteger]") -> LabelFile:
        """The labels of the non-terminal states of a stage."""
        return LabelFile(dtype, *context.work.files(nth, self.labels))


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
