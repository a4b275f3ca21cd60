"""Blocks of the packed layout: some thousand ascending keys and their labels as a few hundred bytes.

The keys are delta coded: their gaps (0 for the first) are stored, seven bits at a time. Plane 0 has a byte
for each gap: its lowest seven bits, and the highest bit set if more follows. Plane 1 has a byte for each gap
with more, and so on until no gap has more:

    keys       40   41   43   90  1000  1001
    gaps        0    1    2   47   910     1
    plane 0     0    1    2   47   142     1      142 = 128 + 910 % 128
    plane 1                          7              7 = 910 // 128

The concatenated planes are one zstd frame, which states their length; the labels, little-endian integers, are
another. Every function is thread-safe.
"""

import struct
import zlib
from threading import local
from typing import NamedTuple

import numpy as np
import zstandard

from solver.rules.arrays import Keys, Labels

BLOCK = 4096
"""States in a block; only the last of a series has fewer."""

ZSTD_LEVEL = 5
"""Compression level of zstd; a higher one takes twice as long and saves a few percent."""

MAX_PLANES = 9
"""Planes of seven bits that a gap of 63 bits takes."""

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
        self.compress = zstandard.ZstdCompressor(
            ZSTD_LEVEL, write_content_size=True, write_checksum=False
        ).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_zstd = _Zstd()


def encode_block(ply: int, is_terminal: bool, keys: Keys, labels: Labels | None) -> Block:
    """The row of at most `BLOCK` ascending keys of one stage and their labels."""
    head = ply, int(is_terminal), int(keys[0]), len(keys)
    data = encode_keys(keys), None if labels is None else encode_labels(labels)
    return Block(*head, checksum(*head, *data), *data)


def checksum(ply: int, is_terminal: int, first: int, states: int, keys: bytes, labels: bytes | None) -> int:
    """The CRC-32 of all other columns of a row."""
    head = zlib.crc32(HEAD.pack(ply, is_terminal, first, states))
    return zlib.crc32(labels or b"", zlib.crc32(keys, head))


def encode_keys(keys: Keys) -> bytes:
    """The ascending keys, one or more, in one zstd frame."""
    return _zstd.compress(gap_planes(keys))


def decompress_block(block: Block, label_bytes: int) -> tuple[bytes, bytes]:
    """Returns the planes of a block's gaps and the bytes of its labels, which are empty where play is over.

    Raises ValueError, TypeError or struct.error for a damaged block.
    """
    ply, is_terminal, first, states, crc32, keys, labels = block
    if not 0 < states <= BLOCK or first < 0:
        raise ValueError(f"a block does not have {states} states from {first} on")
    if checksum(ply, is_terminal, first, states, keys, labels) != crc32:
        raise ValueError("its checksum is another")
    planes, size = decompressed(keys, states, MAX_PLANES * states), states * label_bytes
    return planes, b"" if is_terminal else decompressed(labels or b"", size, size)


def decode_keys(first: int, states: int, data: bytes) -> Keys:
    """The inverse of `encode_keys`; raises ValueError unless `data` holds `states` keys."""
    return keys_of_gaps(first, gaps_of_planes(states, decompressed(data, states, MAX_PLANES * states)))


def encode_labels(labels: Labels) -> bytes:
    """The labels in one zstd frame."""
    return _zstd.compress(labels.astype(labels.dtype.newbyteorder("<"), copy=False).tobytes())


def decode_labels(states: int, data: bytes, dtype: np.dtype[np.signedinteger]) -> Labels:
    """The inverse of `encode_labels`; raises ValueError unless `data` holds `states` labels."""
    size = states * dtype.itemsize
    return labels_of_bytes(decompressed(data, size, size), dtype)


def labels_of_bytes(data: bytes, dtype: np.dtype[np.signedinteger]) -> Labels:
    """The labels in decompressed `data`, as integers of `dtype`."""
    labels: Labels = np.frombuffer(data, dtype.newbyteorder("<"))
    return labels.astype(dtype, copy=False)


def gap_planes(keys: Keys) -> bytes:
    """The planes of the gaps between ascending keys, concatenated."""
    gaps = np.empty_like(keys)
    gaps[0] = 0
    np.subtract(keys[1:], keys[:-1], out=gaps[1:])
    planes = []
    while len(gaps):
        plane = gaps.astype(np.uint8)
        wide = (gaps > 127).nonzero()[0]
        plane[wide] |= 128
        planes.append(plane.tobytes())
        gaps = gaps[wide] >> 7
    return b"".join(planes)


def gaps_of_planes(states: int, planes: bytes) -> Keys:
    """The inverse of `gap_planes`; raises ValueError unless the planes hold `states` gaps."""
    plain, levels, begin, size = np.frombuffer(planes, np.uint8), [], 0, states
    while size:
        plane = plain[begin : begin + size]
        wide = (plane > 127).nonzero()[0]
        levels.append((plane, wide))
        begin, size = begin + size, len(wide)
    if states < 1 or begin != len(plain) or len(levels) > MAX_PLANES:
        raise ValueError(f"the gaps of {states} keys do not take {len(plain)} bytes")
    gaps: Keys = levels.pop()[0].astype(np.int64)
    for plane, wide in reversed(levels):
        wider, gaps = gaps, plane.astype(np.int64)
        gaps[wide] += (wider - 1) << 7  # which also takes away the highest bit of the byte
    if gaps[0] != 0:
        raise ValueError("the first gap is not 0")
    return gaps


def keys_of_gaps(first: int, gaps: Keys) -> Keys:
    """The keys from `first` on; raises ValueError unless they ascend strictly within [0, 2**63)."""
    keys: Keys = gaps.cumsum()
    keys += first
    if first < 0 or not (keys[1:] > keys[:-1]).all():
        raise ValueError("the keys do not ascend")
    return keys


def decompressed(data: bytes, least: int, most: int) -> bytes:
    """The content of a zstd frame; raises ValueError unless it has `least` to `most` bytes."""
    try:
        if not 0 < least <= zstandard.frame_content_size(data) <= most <= MAX_FRAME_BYTES:
            raise ValueError(f"a frame that does not hold {least} to {most} bytes, or no block has as many")
        return _zstd.decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
