"""A labelled layer on disk: files of keys, each with a file of labels in the order of the keys.

Its blocks are encoded, counted, and stored in a file until the database is written:

    | numbers and sizes of a block | keys | labels | numbers and sizes of the next | ...
"""

import os
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, BinaryIO
from weakref import finalize

import numpy as np

from solver.database.packed.block import BLOCK, Block, encode_blocks
from solver.database.packed.counts import CountRow
from solver.database.packed.keys.dictionary import dictionary_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, read_exactly
from solver.engines.storage.key_ranges import ranks_in
from solver.engines.storage.records import SizedRecord
from solver.errors import DamagedWork
from solver.rules.arrays import Keys, Labels
from solver.system.executors import OnProgress
from solver.system.files import opened

LABELS_AT_ONCE = 1 << 20
"""The most labels that are read at a time when labels of some ranks are wanted."""

MAX_TO_LOOK_UP = 1 << 12
"""The limit of tables by which labels of terminal states are looked up, and kinds of states counted."""


class LabelFile:
    """The labels of one file, or of several in order, opened for reading by any number of threads."""

    def __init__(
        self,
        dtype: np.dtype[np.signedinteger],
        *paths: Path,
        recode: Callable[[Labels], Labels] | None = None,
    ) -> None:
        """Open files of labels of this type; if `recode` is given, labels are converted by it when read."""
        self.dtype, self._paths, self._recode = dtype, paths, recode
        self._descriptors = [opened(path) for path in paths]
        for descriptor in self._descriptors:
            finalize(self, os.close, descriptor)
        sizes = [path.stat().st_size // dtype.itemsize for path in paths]
        self._begins = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).tolist()

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end); raises `DamagedWork` if there are too few."""
        labels: Labels = np.empty(end - begin, self.dtype)
        last = len(self._paths) - 1
        for nth, (descriptor, path) in enumerate(zip(self._descriptors, self._paths, strict=True)):
            first, stop = self._begins[nth], self._begins[nth + 1] if nth < last else end
            low, high = max(begin, first), min(end, stop)
            if low < high:
                part = labels[low - begin : high - begin]
                read_exactly(descriptor, path, part, (low - first) * self.dtype.itemsize)
        return self._recode(labels) if self._recode else labels


def labels_at(labels: LabelFile, ranks: Keys) -> Labels:
    """The labels with these ranks, which ascend."""
    parts = np.split(ranks, np.flatnonzero(np.diff(ranks // LABELS_AT_ONCE)) + 1)
    read = [labels.read(int(part[0]), int(part[-1]) + 1)[part - part[0]] for part in parts if len(part)]
    return np.concatenate(read) if read else labels.read(0, 0)


@dataclass(frozen=True)
class LabelledRun:
    """States in ascending order, with their labels."""

    file: KeyFile
    labels: LabelFile | None
    """The labels of the states; None if all are terminal."""


@dataclass(frozen=True)
class LabelledLayer:
    """A layer with its labels, in rows that are disjoint."""

    rules: Rules
    code: LabelCode
    ply: int
    rows: tuple[LabelledRun, ...]

    def part(self, row: LabelledRun, begin: int, end: int) -> tuple[Keys, Labels]:
        """The keys and the labels of the pieces [begin, end) of a row."""
        keys = row.file.read(begin, end)
        if row.labels is None:
            return keys, self._labels_of_ends(keys)
        return keys, row.labels.read(int(row.file.begins[begin]), int(row.file.begins[end]))

    def labels_of(self, wanted: Keys) -> Labels:
        """The labels of states, which ascend; raises `DamagedWork` if the layer lacks one."""
        labels: Labels = np.empty(len(wanted), self.code.dtype)
        missing = np.ones(len(wanted), np.bool_)
        for row in self.rows:
            ranks = ranks_in(row.file, wanted)
            places = np.flatnonzero(ranks >= 0)
            missing[places] = False
            if row.labels is None:
                labels[places] = self._labels_of_ends(wanted[places])
            else:
                labels[places] = labels_at(row.labels, ranks[places])
        if missing.any():
            raise DamagedWork(f"the work has lost states of ply {self.ply}: remove it and solve again")
        return labels

    def _labels_of_ends(self, keys: Keys) -> Labels:
        """The labels of terminal states."""
        utilities, most = self.rules.utilities(keys), self.code.max_abs_value
        if most > MAX_TO_LOOK_UP:
            return self.code.encode_ends(utilities, self.ply)
        return self._label_by_utility.take(utilities + most)

    @cached_property
    def _label_by_utility(self) -> Labels:
        """The label of a terminal state with each utility, from the least to the greatest."""
        most = self.code.max_abs_value
        return self.code.encode_ends(np.arange(-most, most + 1), self.ply)


BLOCKS_PER_TASK = 64
"""Blocks encoded per task."""

HEAD = struct.Struct("<qqqqqqq")
"""Stage, is_terminal, first, states, crc32, and the sizes of keys and of labels, -1 for no labels."""


def parts_of(layer: LabelledLayer) -> Iterator[tuple[int, int, int]]:
    """Yield (is_terminal, begin, end) for every part of a layer: the states of the ranks [begin, end)."""
    size = BLOCKS_PER_TASK * BLOCK
    for is_terminal, row in enumerate(layer.rows):
        for begin in range(0, row.file.states, size):
            yield is_terminal, begin, min(row.file.states, begin + size)


def dictionary_of_stages(stages: Sequence[SizedRecord], file: Callable[[int, int], KeyFile]) -> bytes:
    """The dictionary of a database with these stages; `file(stage, is_terminal)` opens states of one."""
    sizes = {
        (nth, is_terminal): states
        for nth, stage in enumerate(stages)
        for is_terminal, states in enumerate((stage.open_states, stage.terminal))
    }
    opened_last = lru_cache(1)(file)
    return dictionary_of(
        sizes, lambda nth, is_terminal, begin, end: opened_last(nth, is_terminal).read_states(begin, end)
    )


def encode_part(
    encoder: KeyEncoder, layer: LabelledLayer, is_terminal: int, begin: int, end: int
) -> tuple[list[Block], dict[tuple[int, int, int], int]]:
    """The blocks of a part of a layer, and its numbers of states by (is_terminal, mover, label)."""
    row = layer.rows[is_terminal]
    keys = row.file.read_states(begin, end)
    labels: Labels = layer.rules.utilities(keys) if row.labels is None else row.labels.read(begin, end)
    blocks = encode_blocks(layer.ply, bool(is_terminal), keys, None if is_terminal else labels, encoder)
    kinds = 2 * labels.astype(np.int64) + layer.rules.movers(keys)
    if (least := int(kinds.min())) + MAX_TO_LOOK_UP > int(kinds.max()):
        of_each = np.bincount(kinds - least)  # sorting takes three times as long, and more for short integers
        present = np.flatnonzero(of_each)
        kinds, sizes = present + least, of_each[present]
    else:
        kinds, sizes = np.unique(kinds, return_counts=True)
    return blocks, {
        (is_terminal, kind & 1, kind >> 1): size
        for kind, size in zip(kinds.tolist(), sizes.tolist(), strict=True)
    }


def write_parts(
    context: SolveContext,
    encoder: KeyEncoder,
    layer: LabelledLayer,
    nth: int,
    parts: Iterable[tuple[int, int, int]],
    on_progress: OnProgress,
    shares: int = 1,
) -> dict[str, Any]:
    """Write the blocks of parts of a layer to a shard; return the numbers of states, and of each kind.

    In the number of states, a terminal state counts as `shares` states.
    """
    counts, states = Counter[tuple[int, int, int]](), 0
    with context.work.new_shard(layer.ply, "blocks", nth) as file:
        for part in parts:
            context.check_cancelled()
            blocks, kinds = encode_part(encoder, layer, *part)
            context.need_disk(sum(len(block.keys) for block in blocks))
            write_blocks(file, blocks)
            counts.update(kinds)
            more = sum(kinds.values()) * shares ** part[0]
            on_progress(more)
            states += more
    return {"states": states, "counts": [[*kind, count] for kind, count in sorted(counts.items())]}


def write_labels(context: SolveContext, stage: int, kind: str, nth: int, parts: Iterable[Labels]) -> None:
    """Write labels, given in parts, to a shard; raises `DiskFull`."""
    with context.work.new_shard(stage, kind, nth) as file:
        for labels in parts:
            context.need_disk(labels.nbytes)
            file.write(labels.data)


def write_blocks(file: BinaryIO, blocks: Iterable[Block]) -> None:
    """Append blocks to a file."""
    for block in blocks:
        size = -1 if block.labels is None else len(block.labels)
        file.write(HEAD.pack(*block[:5], len(block.keys), size))
        file.write(block.keys)
        file.write(block.labels or b"")


def read_blocks(path: Path) -> Iterator[Block]:
    """Yield the blocks in a file, in order."""
    with path.open("rb") as file:
        while head := file.read(HEAD.size):
            *numbers, keys, labels = HEAD.unpack(head)
            ply, is_terminal, first, states, crc32 = numbers
            data = file.read(keys), None if labels < 0 else file.read(labels)
            yield Block(ply, is_terminal, first, states, crc32, *data)


def count_row(code: LabelCode, stage: int, is_terminal: int, mover: int, label: int, states: int) -> CountRow:
    """The row of the table of counts for a kind of states; the label of a terminal kind is its utility."""
    if is_terminal:
        return CountRow(stage, 1, mover, label, 0, states)
    labels = np.array([label])
    plies = int(code.remoteness(labels, code.counted_from(stage))[0])
    return CountRow(stage, 0, mover, int(code.values(labels)[0]), None if plies < 0 else plies, states)
