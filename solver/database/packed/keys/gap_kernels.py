"""The loops of the delta/varint codec, compiled with numba; gap_codec.py describes the code."""

import numpy as np
from numba import int64
from numpy.typing import NDArray

from solver.rules.arrays import Keys
from solver.system.jit import kernel

Bytes = NDArray[np.uint8]


@kernel
def decode(data: Bytes, sizes: Keys, counts: Keys, firsts: Keys, keys: Keys) -> int:
    """Decode the consecutive pieces in `data` into `keys`. Returns the number of pieces before a wrong one.

    A piece is wrong unless its bytes are the gaps of its count of keys, which ascend from a first one >= 0.
    No index leaves the arrays. `data`: uint8, (sum of sizes,); `sizes`, `counts`, `firsts`: int64, (pieces,);
    `keys`: int64, (sum of counts,).
    """
    start, begin = 0, 0
    for piece in range(len(counts)):
        count, size = counts[piece], sizes[piece]
        if not 0 < count <= min(len(keys) - begin, size) or size > len(data) - start:
            return piece
        if not decode_piece(data[start : start + size], firsts[piece], keys[begin : begin + count]):
            return piece
        start, begin = start + size, begin + count
    return len(counts)


@kernel
def decode_piece(data: Bytes, first: int, keys: Keys) -> bool:
    """Decode the gaps in `data` into `keys`. Returns whether they fill `keys`, ascending in [0, 2**63).

    There is no branch per byte, so none is mispredicted: each byte of a gap is added to the sum so far, which
    overwrites the key. A sum of 2**63 or more turns negative, so that the keys do not ascend.
    """
    gaps = 0
    for nth in range(len(data)):
        gaps += int64(data[nth] < 128)
    if gaps != len(keys) or data[0] != 0 or data[len(data) - 1] > 127:
        return False
    key, shift, widest, place = int64(first), int64(0), int64(0), 0
    for nth in range(len(data)):
        byte = int64(data[nth])
        key += (byte & 127) << (shift & 63)
        keys[place] = key
        widest = max(widest, shift)
        place += int64(byte < 128)
        shift = shift + 7 if byte > 127 else int64(0)
    descents = 0
    for nth in range(1, len(keys)):
        descents += int64(keys[nth] <= keys[nth - 1])
    return bool(first >= 0 and not descents and widest < 63)


@kernel
def encode(keys: Keys, piece: int, data: Bytes, sizes: Keys) -> int:
    """Encode `keys` in pieces of `piece` keys into `data`, and write the bytes of each piece to `sizes`.

    Returns the number of bytes; `data` has room for 9 bytes per key.
    """
    at = 0
    for number in range(len(sizes)):
        begin, end, before = number * piece, min(len(keys), (number + 1) * piece), at
        last = keys[begin]
        for nth in range(begin, end):
            gap = keys[nth] - last
            last = keys[nth]
            while gap > 127:
                data[at] = gap & 127 | 128
                gap >>= 7
                at += 1
            data[at] = gap
            at += 1
        sizes[number] = at - before
    return at
