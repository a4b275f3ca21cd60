"""The loops of the delta/varint codec, compiled with numba; gap_codec.py has the drawing.

One pass over each plane collects the indices of the bytes after which more follows: those the next plane
continues. There is no branch per byte, so none is mispredicted.
"""

import numpy as np
from numba import int64
from numpy.typing import NDArray

from solver.rules.arrays import Keys
from solver.system.jit import kernel

Bytes = NDArray[np.uint8]


@kernel
def decode(data: Bytes, sizes: Keys, counts: Keys, firsts: Keys, keys: Keys, continued: Keys) -> int:
    """Decode the consecutive pieces in `data` into `keys`. Returns the number of pieces before a wrong one.

    `continued` is a buffer for the indices of one piece. A piece is wrong if its planes do not end where its
    bytes do, or if its keys do not ascend from a first one >= 0. No index leaves the arrays. `data`: uint8,
    (sum of sizes,); `sizes`, `counts`, `firsts`: int64, (pieces,); `keys`: int64, (sum of counts,).
    """
    start, begin = 0, 0
    for piece in range(len(counts)):
        count, size = counts[piece], sizes[piece]
        if not 0 < count <= min(len(continued), len(keys) - begin, size) or size > len(data) - start:
            return piece
        if not decode_gaps(data[start : start + size], keys[begin : begin + count], continued):
            return piece
        if not prefix_sum_checked(firsts[piece], keys[begin : begin + count]):
            return piece
        start, begin = start + size, begin + count
    return len(counts)


@kernel
def decode_gaps(planes: Bytes, gaps: Keys, continued: Keys) -> bool:
    """Decode `planes` into `gaps`. Returns whether they hold exactly as many gaps."""
    for nth in range(len(gaps)):
        gaps[nth] = planes[nth] & 127
    more = 0
    for nth in range(len(gaps)):
        continued[more] = nth
        more += int64(planes[nth] >> 7)
    at, shift = len(gaps), 7
    while more:
        if shift == 63 or more > len(planes) - at:
            return False
        plane = planes[at : at + more]
        at, more = at + more, 0
        for nth in range(len(plane)):
            byte, place = int64(plane[nth]), continued[nth]
            gaps[place] |= (byte & 127) << shift
            continued[more] = place
            more += byte >> 7
        shift += 7
    return bool(at == len(planes))


@kernel
def prefix_sum_checked(first: int, gaps: Keys) -> bool:
    """Replace gaps by keys (prefix sums) in place. Returns whether the keys ascend strictly in [0, 2**63).

    A gap below 1 (after the first) or an overflowing sum sets a sign bit: the OR over all of them is tested
    once, without a branch per key.
    """
    key = together = int64(first)
    if gaps[0] != 0:
        return False
    for nth in range(1, len(gaps)):
        together |= gaps[nth] - 1
    for nth in range(len(gaps)):
        key += gaps[nth]
        together |= key
        gaps[nth] = key
    return bool(together >= 0)


@kernel
def encode(keys: Keys, piece: int, data: Bytes, sizes: Keys, continued: Keys) -> int:
    """Encode `keys` in pieces of `piece` keys into `data`, and the bytes of each piece into `sizes`.

    Returns the number of bytes. `continued` is a buffer for the gaps of one piece; `data` has 9 bytes a key.
    """
    at = 0
    for number in range(len(sizes)):
        begin, end, before = number * piece, min(len(keys), (number + 1) * piece), at
        more, last = 0, keys[begin]
        for nth in range(begin, end):
            gap = keys[nth] - last
            last = keys[nth]
            large = int64(gap > 127)
            data[at] = gap & 127 | large << 7
            at += 1
            continued[more] = gap >> 7
            more += large
        while more:
            again = 0
            for nth in range(more):
                gap = continued[nth]
                large = int64(gap > 127)
                data[at] = gap & 127 | large << 7
                at += 1
                continued[again] = gap >> 7
                again += large
            more = again
        sizes[number] = at - before
    return at
