"""Blocks of the packed layout: some thousand ascending keys and their labels as a few hundred bytes.

Keys that are neighbours in a layer are near each other, so what is stored is the gaps between them (0 for the
first), seven bits at a time. Plane 0 has a byte for each gap: its lowest seven bits, and the highest bit set
where more follows. Plane 1 has a byte for each of those, and so on until nothing follows:

    keys       40   41   43   90  1000  1001
    gaps        0    1    2   47   910     1
    plane 0     0    1    2   47   142     1      142 = 128 + 910 % 128
    plane 1                          7              7 = 910 // 128

The planes one after the other are one zstd frame, which says how long they are; the labels, little-endian
integers, are another. Every function may be called from several threads at once.
"""

import struct
import zlib
from threading import local
from typing import NamedTuple

import numpy as np
import zstandard

from solver.rules.arrays import Keys, Labels

BLOCK = 4096
"""How many states a block has at most."""

ZSTD_LEVEL = 5
"""How hard zstd tries: more would take twice as long for a few bytes in a hundred."""

MAX_PLANES = 9
"""Of seven bits each, so that they hold a gap of 63 bits."""

MAX_FRAME_BYTES = MAX_PLANES * BLOCK
"""A frame that would take more is not of a block."""

HEAD = struct.Struct("<qqqq")
"""What a checksum covers besides the compressed bytes: ply, is_terminal, first and states."""


class Block(NamedTuple):
    """A row of the table of blocks, but for its number."""

    ply: int
    """Plies since a start."""
    is_terminal: int
    """1 where play is over in all of its states, 0 where it is in none."""
    first: int
    """The least key."""
    states: int
    """How many there are."""
    crc32: int
    """As `checksum` has it."""
    keys: bytes
    """The gaps between the keys."""
    labels: bytes | None
    """The labels; None where play is over: the rules say what an end is worth."""


class _Zstd(local):
    """A thread's own compressor and decompressor, which two threads must not share."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(
            ZSTD_LEVEL, write_content_size=True, write_checksum=False
        ).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_zstd = _Zstd()


def encode_block(ply: int, is_terminal: bool, keys: Keys, labels: Labels | None) -> Block:
    """The row that holds these ascending keys of one ply, `BLOCK` at most, and their labels."""
    head = ply, int(is_terminal), int(keys[0]), len(keys)
    data = encode_keys(keys), None if labels is None else encode_labels(labels)
    return Block(*head, checksum(*head, *data), *data)


def checksum(ply: int, is_terminal: int, first: int, states: int, keys: bytes, labels: bytes | None) -> int:
    """The CRC-32 of everything that a row says."""
    head = zlib.crc32(HEAD.pack(ply, is_terminal, first, states))
    return zlib.crc32(labels or b"", zlib.crc32(keys, head))


def encode_keys(keys: Keys) -> bytes:
    """The ascending keys, one or more, in one zstd frame."""
    return _zstd.compress(gap_planes(keys))


def decompress_block(block: Block, label_bytes: int) -> tuple[bytes, bytes]:
    """The planes of a block's gaps, and its labels as bytes, of which there are none where play is over.

    Raises ValueError, TypeError or struct.error where these are not what was written.
    """
    ply, is_terminal, first, states, crc32, keys, labels = block
    if not 0 < states <= BLOCK or first < 0:
        raise ValueError(f"a block does not have {states} states from {first} on")
    if checksum(ply, is_terminal, first, states, keys, labels) != crc32:
        raise ValueError("its checksum is another")
    planes, size = decompressed(keys, states, MAX_PLANES * states), states * label_bytes
    return planes, b"" if is_terminal else decompressed(labels or b"", size, size)


def decode_keys(first: int, states: int, data: bytes) -> Keys:
    """The keys that `encode_keys` gave `data` for; raises `ValueError` where these are not so many."""
    return keys_of_gaps(first, gaps_of_planes(states, decompressed(data, states, MAX_PLANES * states)))


def encode_labels(labels: Labels) -> bytes:
    """The labels in one zstd frame."""
    return _zstd.compress(labels.astype(labels.dtype.newbyteorder("<"), copy=False).tobytes())


def decode_labels(states: int, data: bytes, dtype: np.dtype[np.signedinteger]) -> Labels:
    """The labels, integers of `dtype`; raises `ValueError` where these are not so many."""
    size = states * dtype.itemsize
    return labels_of_bytes(decompressed(data, size, size), dtype)


def labels_of_bytes(data: bytes, dtype: np.dtype[np.signedinteger]) -> Labels:
    """The labels that a block has as `data`, integers of `dtype`."""
    labels: Labels = np.frombuffer(data, dtype.newbyteorder("<"))
    return labels.astype(dtype, copy=False)


def gap_planes(keys: Keys) -> bytes:
    """The gaps between ascending keys, seven bits at a time."""
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
    """The gaps that `gap_planes` gave `planes` for; raises `ValueError` where these are not so many."""
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
    """The keys with these gaps; raises `ValueError` where they do not ascend below 2**63."""
    keys: Keys = gaps.cumsum()
    keys += first
    if first < 0 or not (keys[1:] > keys[:-1]).all():
        raise ValueError("the keys do not ascend")
    return keys


def decompressed(data: bytes, least: int, most: int) -> bytes:
    """What a zstd frame holds; raises `ValueError` unless it is one of `least` to `most` bytes."""
    try:
        if not 0 < least <= zstandard.frame_content_size(data) <= most <= MAX_FRAME_BYTES:
            raise ValueError(f"a frame that does not hold {least} to {most} bytes, or no block has as many")
        return _zstd.decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
