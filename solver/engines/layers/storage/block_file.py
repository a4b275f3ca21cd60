"""The blocks of a layer in a file, one after the other, until they are put into the database.

| numbers and sizes of a block | keys | labels | numbers and sizes of the next | ...
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from solver.database.packed.block import Block

HEAD = struct.Struct("<qqqqqqq")
"""Ply, is_terminal, first, states, crc32 and the sizes of keys and labels, -1 for none."""


def write_blocks(file: BinaryIO, blocks: Iterable[Block]) -> None:
    """Add blocks to a file."""
    for block in blocks:
        size = -1 if block.labels is None else len(block.labels)
        file.write(HEAD.pack(*block[:5], len(block.keys), size))
        file.write(block.keys)
        file.write(block.labels or b"")


def read_blocks(path: Path) -> Iterator[Block]:
    """The blocks in a file, in order."""
    with path.open("rb") as file:
        while head := file.read(HEAD.size):
            *numbers, keys, labels = HEAD.unpack(head)
            ply, is_terminal, first, states, crc32 = numbers
            data = file.read(keys), None if labels < 0 else file.read(labels)
            yield Block(ply, is_terminal, first, states, crc32, *data)
