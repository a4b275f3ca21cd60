"""A delta/varint codec for sorted keys: pieces of a fixed number of keys, stored as the gaps between keys.

    keys       40   41   43   90   1000   1001      first = 40
    gaps        0    1    2   47    910      1
    bytes       0    1    2   47  142 7      1      142 = 128 + 910 % 128: 7 bits, and the 8th, as more
                                                    follows; 7 = 910 // 128: the next 7 bits (LEB128)

A block of a database (block.py) holds one piece, compressed. A layer of the layers engine is a file of
compressed pieces (key_file.py). Once numba is loaded, the loops of gap_kernels.py do the work.

Source of LEB128: DWARF Debugging Information Format 5, section 7.6.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys

if TYPE_CHECKING:
    Bytes = NDArray[np.uint8]

PIECE = 16384
"""The number of keys in a piece of a layer; only the last piece has fewer."""

MAX_BYTES = 9
"""The most bytes of a number below 2**63, such as a gap: one for each 7 bits."""

SHIFTS = 7 * np.arange(10, dtype=np.uint64)
"""The shifts of the bytes of a number of 64 bits."""


class WrongPiece(ValueError):
    """A piece does not hold the given number of ascending keys."""

    def __init__(self, piece: int) -> None:
        """`piece` is the index of the piece."""
        super().__init__("its bytes are not those of so many ascending keys")
        self.piece = piece


class Pieces(NamedTuple):
    """Ascending keys, encoded as consecutive pieces."""

    data: "Bytes"
    """The bytes of all pieces, concatenated."""
    sizes: Keys
    """The bytes of each piece."""
    counts: Keys
    """The number of keys in each piece."""
    firsts: Keys
    """The first key of each piece."""


def packed(keys: Keys, piece: int | None = None) -> Pieces:
    """The pieces of ascending `keys`, of `piece` keys each but for the last; None stands for `PIECE`."""
    piece = PIECE if piece is None else piece
    count = -(-len(keys) // piece)
    sizes, counts = np.empty(count, np.int64), np.full(count, piece, np.int64)
    if count:
        counts[-1] = len(keys) - piece * (count - 1)
    data = np.empty(MAX_BYTES * len(keys), np.uint8)
    encode, _ = _loops(compiled=False)
    used = encode(keys, piece, data, sizes)
    return Pieces(data[:used].copy(), sizes, counts, keys[::piece].copy())


def unpacked(data: "Bytes", sizes: Keys, counts: Keys, firsts: Keys, *, compiled: bool = False) -> Keys:
    """The keys of consecutive pieces in `data`; raises `WrongPiece`.

    If `compiled`, numba is loaded where it is installed, which takes half a second.
    """
    keys = np.empty(int(counts.sum()), np.int64)
    _, decode = _loops(compiled)
    right = decode(data, sizes, counts, firsts, keys)
    if right < len(counts):
        raise WrongPiece(right)
    return keys


def leb128_of(numbers: Keys) -> bytes:
    """The bytes of numbers, which are read as unsigned 64-bit integers."""
    unsigned = np.ascontiguousarray(numbers, np.int64).reshape(-1, 1).view(np.uint64)
    most = max(1, -(-int(unsigned.max(initial=0)).bit_length() // 7))
    shifted = unsigned >> SHIFTS[:most]
    is_there = shifted > 0
    more = np.zeros_like(is_there)
    more[:, :-1] = is_there[:, 1:]
    is_there[:, 0] = True
    return ((shifted & 127).astype(np.uint8) | more.view(np.uint8) << 7)[is_there].tobytes()


def numbers_of(data: bytes) -> Keys:
    """The numbers, below 2**63, that these bytes encode; raises ValueError."""
    return np.diff(sums_of(np.frombuffer(data, np.uint8)), prepend=0)


def sums_of(data: "Bytes") -> Keys:
    """The cumulative sums, modulo 2**64, of the numbers of `numbers_of`; raises ValueError.

    Each is the sum of all bytes up to the last one of its number, each byte shifted to its place.
    """
    last = data < 128
    if not last[-1:].all():
        raise ValueError("it ends within a number")
    parts, after = (data & 127).astype(np.int64), np.flatnonzero(~last) + 1
    for _ in range(MAX_BYTES):
        if not len(after):
            sums: Keys = parts.cumsum()[last]
            return sums
        parts[after] <<= 7
        after = after[~last[after]] + 1
    raise ValueError("it has a number of more than 63 bits")


def gap_bytes(keys: Keys) -> bytes:
    """The bytes of the gaps between ascending keys."""
    return leb128_of(np.diff(keys, prepend=keys[:1]))


def keys_of_bytes(first: int, states: int, data: "Bytes") -> Keys:
    """The keys from `first` on whose gaps are in `data`; raises ValueError unless there are `states` keys."""
    if not 0 < states == np.count_nonzero(data < 128) or data[0] != 0 or first < 0:
        raise ValueError(f"these bytes do not hold the gaps of {states} keys")
    keys = first + sums_of(data)
    if not (keys[1:] > keys[:-1]).all():
        raise ValueError("the keys do not ascend")
    return keys


def keys_of_planes(first: int, states: int, plain: "Bytes") -> Keys:
    """The keys, as by `keys_of_bytes`, of gaps in planes, which files of the previous format have.

    gaps        0    1    2   47   910     1
    plane 0     0    1    2   47   142     1      the first byte of each gap
    plane 1                          7            the second byte of those that have one, and so on
    """
    levels, begin, size = [], 0, states
    while size:
        plane = plain[begin : begin + size]
        wide = (plane > 127).nonzero()[0]
        levels.append((plane, wide))
        begin, size = begin + size, len(wide)
    if states < 1 or begin != len(plain) or len(levels) > MAX_BYTES:
        raise ValueError(f"the gaps of {states} keys do not take {len(plain)} bytes")
    keys: Keys = levels.pop()[0].astype(np.int64)
    for plane, wide in reversed(levels):
        wider, keys = keys, plane.astype(np.int64)
        keys[wide] += (wider - 1) << 7  # also clears the highest bit of the byte
    if keys[0] != 0:
        raise ValueError("the first gap is not 0")
    keys = keys.cumsum() + first
    if first < 0 or not (keys[1:] > keys[:-1]).all():
        raise ValueError("the keys do not ascend")
    return keys


def _numpy_encode(keys: Keys, piece: int, data: "Bytes", sizes: Keys) -> int:
    """The same as `encode` in gap_kernels.py."""
    at = 0
    for number in range(len(sizes)):
        encoded = np.frombuffer(gap_bytes(keys[number * piece : (number + 1) * piece]), np.uint8)
        data[at : at + len(encoded)] = encoded
        sizes[number] = len(encoded)
        at += len(encoded)
    return at


def _numpy_decode(data: "Bytes", sizes: Keys, counts: Keys, firsts: Keys, keys: Keys) -> int:
    """The same as `decode` in gap_kernels.py."""
    at = begin = 0
    for piece, (size, count, first) in enumerate(
        zip(sizes.tolist(), counts.tolist(), firsts.tolist(), strict=True)
    ):
        if not 0 < count <= min(len(keys) - begin, size) or size > len(data) - at:
            return piece
        try:
            keys[begin : begin + count] = keys_of_bytes(first, count, data[at : at + size])
        except ValueError:
            return piece
        at, begin = at + size, begin + count
    return len(counts)


def _loops(compiled: bool) -> tuple[Callable[..., int], Callable[..., int]]:
    """The loops that encode and decode: if possible, compiled ones where asked for or numba is loaded."""
    if compiled or "numba" in sys.modules:
        with suppress(ImportError, RuntimeError):  # no numba, or it cannot cache what it compiles
            from solver.database.packed.keys.gap_kernels import decode, encode

            return encode, decode
    return _numpy_encode, _numpy_decode
