"""Keys from the planes of their gaps, and back, compiled with numba: pieces.py has the drawing.

Each plane is gone through once, and of its bytes those are noted after which more follows: they are what the
next plane is about. No branch is taken a byte, so none is guessed wrong.
"""

from typing import Any

from numba import int64

from solver.packed_layout.kernel import kernel


@kernel
def decode(data: Any, sizes: Any, counts: Any, firsts: Any, keys: Any, still: Any) -> None:
    """Write the keys of pieces that follow each other in `data`; `still` is room for a piece of numbers."""
    start, begin = 0, 0
    for piece in range(len(counts)):
        at, count = start, counts[piece]
        start += sizes[piece]
        more = 0
        for nth in range(count):
            byte = int64(data[at + nth])
            keys[begin + nth] = byte & 127
            still[more] = nth
            more += byte >> 7
        at += count
        shift = 7
        while more:
            again = 0
            for nth in range(more):
                byte = int64(data[at + nth])
                place = still[nth]
                keys[begin + place] |= (byte & 127) << shift
                still[again] = place
                again += byte >> 7
            at += more
            more = again
            shift += 7
        key = firsts[piece]
        for nth in range(begin, begin + count):
            key += keys[nth]
            keys[nth] = key
        begin += count


@kernel
def encode(keys: Any, piece: int, data: Any, sizes: Any, rest: Any) -> int:
    """Write the gaps of `keys` in pieces of `piece` keys and how many bytes each takes; all bytes.

    `rest` is room for a piece of numbers; `data` has room for 9 bytes a key.
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
            rest[more] = gap >> 7
            more += large
        while more:
            again = 0
            for nth in range(more):
                gap = rest[nth]
                large = int64(gap > 127)
                data[at] = gap & 127 | large << 7
                at += 1
                rest[again] = gap >> 7
                again += large
            more = again
        sizes[number] = at - before
    return at
