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

    There is no branch per byte, so none is mispredicted: each byte of a gap overwrites its key. A gap below 1
    (after the first) or an overflowing sum sets a sign bit; the OR of all is tested at the end.
    """
    gaps = 0
    for nth in range(len(data)):
        gaps += int64(data[nth] < 128)
    if gaps != len(keys) or data[0] != 0 or data[len(data) - 1] > 127:
        return False
    keys[0] = key = together = int64(first)
    gap, shift, widest, place = int64(0), int64(0), int64(0), 1
    for nth in range(1, len(data)):
        byte = int64(data[nth])
        more = byte >> 7
        is_last = more - 1  # all bits set, or none
        gap |= (byte & 127) << (shift & 63)
        key += gap & is_last
        keys[place] = key
        together |= key | (gap - 1) & is_last
        widest = max(widest, shift)
        place += 1 - more
        gap &= -more
        shift = (shift + 7) & -more
    return bool(together >= 0 and widest < 63)


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
