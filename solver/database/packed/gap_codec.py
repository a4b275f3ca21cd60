"""A delta/varint codec for sorted keys: pieces of so many keys, each stored as the gaps between them.

    keys       40   41   43   90  1000  1001      first = 40
    gaps        0    1    2   47   910     1
    plane 0     0    1    2   47   142     1      142 = 128 + 910 % 128: 7 bits, and the 8th, as more follows
    plane 1                          7              7 = 910 // 128: the next 7 bits of that gap, and so on

A block of a database (block.py) holds one piece, compressed. A layer of the layers engine is a file of
compressed pieces (key_file.py). Once numba is loaded, the loops of gap_kernels.py do the work.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys

if TYPE_CHECKING:
    Bytes = NDArray[np.uint8]

PIECE = 16384
"""Keys in a piece of a layer; only the last one has fewer."""

MAX_PLANES = 9
"""Planes that a gap takes: one for each 7 of its 63 bits."""


class WrongPiece(ValueError):
    """A piece does not hold the given number of ascending keys."""

    def __init__(self, piece: int) -> None:
        """`piece` is its index."""
        super().__init__("its bytes are not those of so many ascending keys")
        self.piece = piece


class Pieces(NamedTuple):
    """Ascending keys, encoded as consecutive pieces."""

    data: "Bytes"
    """The planes of all pieces, concatenated."""
    sizes: Keys
    """The bytes of each piece."""
    counts: Keys
    """The number of keys of each piece."""
    firsts: Keys
    """The first key of each piece."""

    def keys(self) -> Keys:
        """All keys, decoded."""
        return unpacked(self.data, self.sizes, self.counts, self.firsts)


def packed(keys: Keys, piece: int | None = None) -> Pieces:
    """The pieces of ascending `keys`, of `piece` keys each but for the last; None stands for `PIECE`."""
    piece = PIECE if piece is None else piece
    count = -(-len(keys) // piece)
    sizes, counts = np.empty(count, np.int64), np.full(count, piece, np.int64)
    if count:
        counts[-1] = len(keys) - piece * (count - 1)
    data = np.empty(MAX_PLANES * len(keys), np.uint8)
    encode, _ = _loops(compiled=False)
    used = encode(keys, piece, data, sizes, np.empty(piece, np.int64))
    return Pieces(data[:used].copy(), sizes, counts, keys[::piece].copy())


def unpacked(data: "Bytes", sizes: Keys, counts: Keys, firsts: Keys, *, compiled: bool = False) -> Keys:
    """The keys of consecutive pieces in `data`; raises `WrongPiece`.

    If `compiled`, numba is loaded where it is installed, which takes half a second.
    """
    keys = np.empty(int(counts.sum()), np.int64)
    _, decode = _loops(compiled)
    right = decode(data, sizes, counts, firsts, keys, np.empty(PIECE, np.int64))
    if right < len(counts):
        raise WrongPiece(right)
    return keys


def joined(parts: Sequence[Pieces]) -> Pieces:
    """The pieces of several, in order."""
    none = packed(np.empty(0, np.int64))
    return Pieces(*map(np.concatenate, zip(none, *parts, strict=True)))


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


def _numpy_encode(keys: Keys, piece: int, data: "Bytes", sizes: Keys, continued: Keys) -> int:
    """The same as `encode` in gap_kernels.py."""
    at = 0
    for number in range(len(sizes)):
        planes = np.frombuffer(gap_planes(keys[number * piece : (number + 1) * piece]), np.uint8)
        data[at : at + len(planes)] = planes
        sizes[number] = len(planes)
        at += len(planes)
    return at


def _numpy_decode(data: "Bytes", sizes: Keys, counts: Keys, firsts: Keys, keys: Keys, continued: Keys) -> int:
    """The same as `decode` in gap_kernels.py."""
    at = begin = 0
    for piece, (size, count, first) in enumerate(
        zip(sizes.tolist(), counts.tolist(), firsts.tolist(), strict=True)
    ):
        if not 0 < count <= min(len(continued), len(keys) - begin, size) or size > len(data) - at:
            return piece
        try:
            gaps = gaps_of_planes(count, data[at : at + size].tobytes())
            keys[begin : begin + count] = keys_of_gaps(first, gaps)
        except ValueError:
            return piece
        at, begin = at + size, begin + count
    return len(counts)


def _loops(compiled: bool) -> tuple[Callable[..., int], Callable[..., int]]:
    """The loops that encode and decode, compiled if that is asked for, or numba is loaded, and possible."""
    if compiled or "numba" in sys.modules:
        with suppress(ImportError, RuntimeError):  # no numba, or no place for what it compiles
            from solver.database.packed.gap_kernels import decode, encode

            return encode, decode
    return _numpy_encode, _numpy_decode
