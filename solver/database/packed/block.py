"""Blocks of the packed layout: some thousand ascending keys and their labels as a few hundred bytes.

The keys of a block are a piece of gap_codec.py, whose planes are one zstd frame, which states their length;
the labels, little-endian integers, are another. Every function is thread-safe.
"""

import struct
import zlib
from collections.abc import Sequence
from threading import local
from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from solver.database.packed.gap_codec import MAX_PLANES, packed, unpacked
from solver.rules.arrays import Keys, Labels

BLOCK = 4096
"""States in a block; only the last of a series has fewer."""

ZSTD_LEVEL = 5
"""Compression level of zstd; a higher one takes twice as long and saves a few percent."""

MAX_FRAME_BYTES = MAX_PLANES * BLOCK
"""Bytes of a decompressed frame."""

HEAD = struct.Struct("<qqqq")
"""The numbers that a checksum covers before the compressed bytes: ply, is_terminal, first and states."""


class Block(NamedTuple):
    """A row of the table of blocks, without its id."""

    ply: int
    """The stage: plies since a start in games in layers."""
    is_terminal: int
    """1 where play is over in all of its states, 0 where it is in none."""
    first: int
    """The least key."""
    states: int
    """The number of states."""
    crc32: int
    """The `checksum` of the other columns."""
    keys: bytes
    """The compressed planes of the gaps."""
    labels: bytes | None
    """The compressed labels; None where play is over: the rules give the utilities."""


class _Zstd(local):
    """Compressor and decompressor of one thread; they are not thread-safe."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, write_content_size=True, write_checksum=False)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _Zstd()


def encode_blocks(ply: int, is_terminal: bool, keys: Keys, labels: Labels | None) -> list[Block]:
    """The rows of ascending keys of one stage, in order, with their labels (None where play is over)."""
    pieces = packed(keys, BLOCK)
    key_frames = compressed(_zstd.compressor, pieces.data, pieces.sizes)
    label_frames: Sequence[bytes | None] = [None] * len(key_frames)
    if labels is not None:
        data = labels.astype(labels.dtype.newbyteorder("<"), copy=False).view(np.uint8)
        label_frames = compressed(_zstd.compressor, data, labels.itemsize * pieces.counts)
    numbers = zip(pieces.firsts.tolist(), pieces.counts.tolist(), strict=True)
    heads = [(ply, int(is_terminal), *pair) for pair in numbers]
    return [
        Block(*head, checksum(*head, *frames), *frames)
        for head, frames in zip(heads, zip(key_frames, label_frames, strict=True), strict=True)
    ]


def compressed(compressor: zstandard.ZstdCompressor, data: NDArray[np.uint8], sizes: Keys) -> Sequence[bytes]:
    """The parts of `data`, which have these sizes, each in a frame.

    One call compresses them all: with one call for each, threads wait for each other more than they work.
    """
    if not len(sizes):
        return []
    segments = np.stack([sizes.cumsum() - sizes, sizes], axis=1).astype(np.uint64)
    frames = compressor.multi_compress_to_buffer(zstandard.BufferWithSegments(data.data, segments.data))
    return [frames[nth].tobytes() for nth in range(len(frames))]


def checksum(ply: int, is_terminal: int, first: int, states: int, keys: bytes, labels: bytes | None) -> int:
    """The CRC-32 of all other columns of a row."""
    head = zlib.crc32(HEAD.pack(ply, is_terminal, first, states))
    return zlib.crc32(labels or b"", zlib.crc32(keys, head))


def check_head(block: Block) -> None:
    """Raise ValueError, TypeError or struct.error for a damaged block, whose frames are not opened."""
    ply, is_terminal, first, states, crc32, keys, labels = block
    if not 0 < states <= BLOCK or first < 0:
        raise ValueError(f"a block does not have {states} states from {first} on")
    if checksum(ply, is_terminal, first, states, keys, labels) != crc32:
        raise ValueError("its checksum is another")


def decode_keys(first: int, states: int, data: bytes, *, compiled: bool = False) -> Keys:
    """The keys of a block, as `unpacked`; raises ValueError unless `data` holds `states` keys."""
    planes = np.frombuffer(decompressed(data, states, MAX_PLANES * states), np.uint8)
    return unpacked(planes, np.array([len(planes)]), np.array([states]), np.array([first]), compiled=compiled)


def decode_labels(states: int, data: bytes, dtype: np.dtype[np.signedinteger]) -> Labels:
    """The labels of a block; raises ValueError unless `data` holds `states` labels."""
    size = states * dtype.itemsize
    return labels_of_bytes(decompressed(data, size, size), dtype)


def labels_of_bytes(data: bytes | NDArray[np.uint8], dtype: np.dtype[np.signedinteger]) -> Labels:
    """The labels in decompressed `data`, as integers of `dtype`."""
    labels: Labels = np.frombuffer(data, dtype.newbyteorder("<"))
    return labels.astype(dtype, copy=False)


def decompressed(data: bytes, least: int, most: int) -> bytes:
    """The content of a zstd frame; raises ValueError unless it has `least` to `most` bytes."""
    content_size(data, least, most)
    try:
        return _zstd.decompressor.decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error


def content_size(data: bytes, least: int, most: int) -> int:
    """The bytes that a zstd frame says it holds; raises ValueError unless they are `least` to `most`."""
    try:
        size = zstandard.frame_content_size(data)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
    if not 0 < least <= size <= most <= MAX_FRAME_BYTES:
        raise ValueError(f"a frame that does not hold {least} to {most} bytes, or no block has as many")
    return size


def decompressed_together(frames: Sequence[bytes], size: int) -> NDArray[np.uint8]:
    """The contents of zstd frames, concatenated; raises ValueError unless they are `size` bytes.

    One call decompresses them all, as in `compressed`.
    """
    data = np.empty(size + 1, np.uint8)
    try:
        with _zstd.decompressor.stream_reader(b"".join(frames), read_across_frames=True) as contents:
            if contents.readinto(data.data) != size:
                raise ValueError(f"frames that do not hold {size} bytes")
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
    return data[:size]
