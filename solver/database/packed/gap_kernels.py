"""Keys from the planes of their gaps, and back, compiled with numba: gap_codec.py has the drawing.

Each plane is gone through once, and of its bytes those are noted after which more follows: they are what the
next plane is about. No branch is taken a byte, so none is guessed wrong.
"""

from typing import Any

from numba import int64

from solver.system.jit import kernel


@kernel
def decode(data: Any, sizes: Any, counts: Any, firsts: Any, keys: Any, continued: Any) -> int:
    """Write the keys of pieces that follow each other in `data`; how many there are before a wrong one.

    `continued` is room for a piece of numbers. A piece is wrong where its planes do not end as its bytes do,
    or its keys do not ascend from the first one on, which is not negative: nothing is read or written beside.
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
def decode_gaps(planes: Any, gaps: Any, continued: Any) -> bool:
    """Write the gaps that `planes` say; False where these are not of as many gaps."""
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
def prefix_sum_checked(first: int, gaps: Any) -> bool:
    """Put the keys in the place of their gaps; False where they do not ascend from 0 or more to below 2**63.

    Wherever they do not, a number becomes negative, and what is left of all together by `|` with it.
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
def encode(keys: Any, piece: int, data: Any, sizes: Any, continued: Any) -> int:
    """Write the gaps of `keys` in pieces of `piece` keys and how many bytes each takes; all bytes.

    `continued` is room for a piece of numbers; `data` has room for 9 bytes a key.
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
