"""The inner loops over sorted keys, compiled with numba, independent of the game.

The children of a layer are set as bits in a window of the key space that fits into the cache, and emitted in
order. The summary has a bit for each word of 64 bits, so that empty stretches cost nothing:

    key - low    0 1 2 3 4 5 6 7 ...
    bits         0 1 0 0 1 1 0 0 ...      action 0 set 1, 4; action 1 set 4, 5: the next layer has 1, 4, 5

The children by each action are buffered in a row (streams.py), in ascending order. A window ends when the
next child of each action is too large, and the next window begins at the least unread child:

    rows         action 0:  1  4 | 9 ...          for an exhausted row the kernel returns its number,
                 action 1:  4  5 | 8 ...          and is called again when the row has been filled

All this relies on ascending rows: each child is compared with its window, and for a child below it a kernel
returns UNSORTED. The layer is then sorted instead. The kernels of the backward pass are in label_kernels.py.
"""

from typing import Any

from llvmlite import ir
from numba import int64, uint64
from numba.extending import intrinsic

from solver.engines.layers.windows.streams import BitWindow, KeyRows
from solver.rules.arrays import MAX_STATE, Keys
from solver.system.jit import Kernel, kernel

DONE, OUTPUT_FULL, UNSORTED = -1, -2, -3
"""The reasons for which a kernel returns; any other number is a row to be filled."""


def _trailing_zeros(context: Any, value: Any) -> Any:
    """The number of zeros below the lowest set bit."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return int64(uint64), generate


trailing_zeros: Kernel = intrinsic(_trailing_zeros)


@kernel
def least_unread(rows: KeyRows) -> int:
    """The least unread key of all rows, MAX_STATE if there is none."""
    least = MAX_STATE
    for row in range(len(rows.cursor)):
        if rows.cursor[row] < rows.filled[row]:
            least = min(least, rows.keys[row, rows.cursor[row]])
    return least


@kernel
def set_bits(rows: KeyRows, row: int, low: int, size: int, window: BitWindow) -> int:
    """Set the bits of unread keys in [low, low + size), and move the cursor; returns DONE or UNSORTED."""
    keys, cursor, filled = rows.keys[row], rows.cursor[row], rows.filled[row]
    bits, summary = window.bits, window.summary
    while cursor < filled:
        offset = keys[cursor] - low
        if offset >= size:
            break
        if offset < 0:
            return UNSORTED
        bits[offset >> 6] |= uint64(1) << uint64(offset & 63)
        summary[offset >> 12] |= uint64(1) << uint64(offset >> 6 & 63)
        cursor += 1
    rows.cursor[row] = cursor
    return DONE


@kernel
def emit_bits(low: int, window: BitWindow, out: Keys, count: int) -> int:
    """Write the keys of the set bits to `out` from index `count` on; clear the bits; return the end index."""
    bits, summary = window.bits, window.summary
    for part in range(len(summary)):
        words = summary[part]
        while words:
            word = part << 6 | trailing_zeros(words)
            left = bits[word]
            start = low + (word << 6)
            while left:
                out[count] = start + trailing_zeros(left)
                count += 1
                left &= left - uint64(1)
            bits[word] = 0
            words &= words - uint64(1)
        summary[part] = 0
    return count


@kernel
def merge_sorted(rows: KeyRows, state: Keys, stop: int, window: BitWindow, out: Keys) -> tuple[int, int]:
    """Write the unread keys below `stop` to `out`, sorted and without duplicates.

    Returns (number of keys written, reason). `state` has the beginning of the window, and whether it is open,
    as it is while a row is filled: int64, (2,) or more.
    """
    size = 64 * len(window.bits)
    count: Any = int64(0)  # a fixed type: otherwise numba compiles `emit_bits` twice
    while count + size <= len(out):
        if not state[1]:
            state[0], state[1] = least_unread(rows), 1
        low = state[0]
        if low >= stop:
            return count, DONE
        span = min(size, stop - low)
        for row in range(len(rows.cursor)):
            if set_bits(rows, row, low, span, window) == UNSORTED:
                return count, UNSORTED
            if rows.cursor[row] == rows.filled[row] and rows.has_more[row]:
                return count, row
        count = emit_bits(low, window, out, count)
        state[1] = 0
    return count, OUTPUT_FULL
