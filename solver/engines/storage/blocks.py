"""The blocks of a labelled layer: encoded, counted, and kept in a file until the database is written.

| numbers and sizes of a block | keys | labels | numbers and sizes of the next | ...
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from solver.database.packed.block import BLOCK, Block, encode_blocks
from solver.database.packed.counts import CountRow
from solver.database.packed.label_code import LabelCode
from solver.engines.storage.labelled_layer import LabelledLayer
from solver.rules.arrays import Labels

BLOCKS_PER_TASK = 64
"""Blocks encoded per task."""

HEAD = struct.Struct("<qqqqqqq")
"""Ply, is_terminal, first, states, crc32, and the bytes of keys and of labels, -1 for no labels."""


def parts_of(layer: LabelledLayer) -> Iterator[tuple[int, int, int]]:
    """Yield (is_terminal, begin, end) for every part of a layer, with the states ranked in [begin, end)."""
    size = BLOCKS_PER_TASK * BLOCK
    for is_terminal, row in enumerate(layer.rows):
        for begin in range(0, row.file.states, size):
            yield is_terminal, begin, min(row.file.states, begin + size)


def encode_part(
    layer: LabelledLayer, is_terminal: int, begin: int, end: int
) -> tuple[list[Block], dict[tuple[int, int, int], int]]:
    """Return the blocks of a part of a layer, and its numbers of states by (is_terminal, mover, label)."""
    row = layer.rows[is_terminal]
    keys = row.file.read_states(begin, end)
    labels: Labels = layer.rules.utilities(keys) if row.labels is None else row.labels.read(begin, end)
    blocks = encode_blocks(layer.ply, bool(is_terminal), keys, None if is_terminal else labels)
    short: Any = np.int16 if labels.dtype == np.int8 else np.int64  # short integers are sorted faster
    kinds = 2 * labels.astype(short) + layer.rules.movers(keys)
    kinds.sort()
    firsts = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]]))
    sizes = np.diff([*firsts.tolist(), len(kinds)]).tolist()
    return blocks, {
        (is_terminal, kind & 1, kind >> 1): size
        for kind, size in zip(kinds[firsts].tolist(), sizes, strict=True)
    }


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
