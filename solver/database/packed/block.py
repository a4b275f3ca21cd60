"""Blocks of the packed layout: some thousand ascending keys and their labels in a few hundred bytes.

The keys of a block are one zstd frame (keys/key_code.py); the labels, little-endian integers, are another.
Every function is thread-safe.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.database.packed.keys.gap_codec import packed
from solver.database.packed.keys.key_code import (
    KeyEncoder,
    Zstd,
    compressed,
    content_size,
    decompressed_together,
)
from solver.rules.arrays import Flags, Keys, Labels

BLOCK = 4096
"""The number of states in a block; only the last block of a series has fewer."""

HEAD = struct.Struct("<qqqq")
"""The numbers that a checksum covers before the compressed bytes: stage, is_terminal, first and states."""


class Block(NamedTuple):
    """A row of the table of blocks, whose columns schema.sql describes, without its id."""

    stage: int
    is_terminal: int
    first: int
    states: int
    crc32: int
    keys: bytes
    labels: bytes | None


_zstd = Zstd()


def encode_blocks(
    stage: int, is_terminal: bool, keys: Keys, labels: Labels | None, encoder: KeyEncoder
) -> list[Block]:
    """The rows of ascending keys of one stage, in order, with their labels (None for terminal states)."""
    pieces = packed(keys, BLOCK)
    key_frames = encoder.frames(pieces)
    label_frames: Sequence[bytes | None] = [None] * len(key_frames)
    if labels is not None:
        data = labels.astype(labels.dtype.newbyteorder("<"), copy=False).view(np.uint8)
        label_frames = compressed(_zstd.compressor, data, labels.itemsize * pieces.counts)
    numbers = zip(pieces.firsts.tolist(), pieces.counts.tolist(), strict=True)
    heads = [(stage, int(is_terminal), *pair) for pair in numbers]
    return [
        Block(*head, checksum(*head, *frames), *frames)
        for head, frames in zip(heads, zip(key_frames, label_frames, strict=True), strict=True)
    ]


def blocks_of(
    stage: int, keys: Keys, is_terminal: Flags, labels: Labels, encoder: KeyEncoder
) -> Iterator[Block]:
    """Yield the blocks of a stage, in order; `keys` ascend."""
    for over in (False, True):
        series = is_terminal == over
        yield from encode_blocks(stage, over, keys[series], None if over else labels[series], encoder)


def checksum(stage: int, is_terminal: int, first: int, states: int, keys: bytes, labels: bytes | None) -> int:
    """The CRC-32 of all other columns of a row."""
    head = zlib.crc32(HEAD.pack(stage, is_terminal, first, states))
    return zlib.crc32(labels or b"", zlib.crc32(keys, head))


def check_head(block: Block) -> None:
    """Raise ValueError, TypeError or struct.error for a damaged block; frames are not decompressed."""
    stage, is_terminal, first, states, crc32, keys, labels = block
    if not 0 < states <= BLOCK or first < 0:
        raise ValueError(f"a block does not have {states} states from {first} on")
    if checksum(stage, is_terminal, first, states, keys, labels) != crc32:
        raise ValueError("its checksum does not match")


def decode_labels(
    frames: Sequence[bytes], counts: Sequence[int], dtype: np.dtype[np.signedinteger]
) -> Labels:
    """The labels of blocks, as integers of `dtype`; raises ValueError unless frames hold these `counts`."""
    sizes = [count * dtype.itemsize for count in counts]
    for data, size in zip(frames, sizes, strict=True):
        content_size(data, size, size)
    joined = decompressed_together(_zstd.decompressor, frames, sum(sizes))
    labels: Labels = joined.view(dtype.newbyteorder("<"))
    return labels.astype(dtype, copy=False)
