"""The files of the states of a stage in the work folder, and how they are written."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelFile
from solver.engines.storage.records import ReachedStage, SizedRecord, StageLabels, UnfoldedStage
from solver.errors import DamagedWork
from solver.rules.arrays import Keys, Labels
from solver.system.files import flush

KEYS_PER_WRITE = 1 << 20
"""Keys that are encoded or decoded at a time."""


class StageFiles(NamedTuple):
    """The kinds of files that a stage has, and the records that have the numbers of their shards."""

    open: str
    terminal: str
    labels: str
    found: type[SizedRecord]
    labelled: type[StageLabels | UnfoldedStage]

    def open_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The non-terminal states of a stage."""
        return KeyFile(*self._shards(context, nth, self.open, self.found))

    def terminal_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The terminal states of a stage."""
        return KeyFile(*self._shards(context, nth, self.terminal, self.found))

    def labels_of(self, context: SolveContext, nth: int, dtype: "np.dtype[np.signedinteger]") -> LabelFile:
        """The labels of the non-terminal states of a stage."""
        return LabelFile(dtype, *self._shards(context, nth, self.labels, self.labelled))

    def _shards(
        self, context: SolveContext, nth: int, kind: str, record: type[SizedRecord | StageLabels]
    ) -> list[Path]:
        """The shards of a kind. None is looked for: a folder that others write to may be listed too late."""
        if (known := record.read(context.work, nth)) is None:
            raise DamagedWork(f"{context.work.path} has lost {nth:04}.{record.suffix}: remove the folder")
        return context.work.shards(nth, kind, known.shards)


SOLVED = StageFiles("open", "terminal", "labels", ReachedStage, StageLabels)
"""The files of the states that are solved: in a folded solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all", UnfoldedStage, UnfoldedStage)
"""The files of all states, if one of each class was solved."""


def keys_in_parts(file: KeyFile) -> Iterator[Keys]:
    """Yield the keys of a file, in order, not too many at a time."""
    for begin in range(0, file.pieces, KEYS_PER_WRITE // PIECE):
        yield file.read(begin, min(begin + KEYS_PER_WRITE // PIECE, file.pieces))


def write_keys(context: SolveContext, nth: int, kind: str, keys: Keys) -> None:
    """Write ascending keys to the only shard of a kind for a stage."""
    parts = (keys[begin : begin + KEYS_PER_WRITE] for begin in range(0, len(keys), KEYS_PER_WRITE))
    with KeyWriter(context.work.shard(nth, kind, 0)) as file:
        for pieces in context.map_ordered(packed, parts):
            context.need_disk(len(pieces.data))
            file.write(pieces)


def write_labels(context: SolveContext, nth: int, kind: str, parts: Iterable[Labels]) -> None:
    """Write labels to the only shard of a kind for a stage."""
    with context.work.shard(nth, kind, 0).open("wb") as file:
        for labels in parts:
            context.need_disk(labels.nbytes)
            labels.tofile(file)
        flush(file.fileno())
