"""The inner loops over sorted keys, compiled with numba; they know nothing of any game.

The children of a layer are set as bits in a window of the key space that fits the cache, and read
out in order. The summary has a bit for each word of 64, so that empty stretches cost nothing:

    key - low    0 1 2 3 4 5 6 7 ...
    bits         0 1 0 0 1 1 0 0 ...      action 0 set 1, 4; action 1 set 4, 5: the next layer has 1, 4, 5

The children by each action wait in a row of their own, in ascending order. A window ends where the next child
of each action is too large, and the next one begins at the least child that is waiting:

    waiting      action 0:  1  4 | 9 ...          each row is filled again when it is used up: a kernel
                 action 1:  4  5 | 8 ...          then returns its number, and is called again

All rests on rows in ascending order: each child is compared with its window, and one that is below it is
DISORDER. The layer is sorted then. The way back has kernels of its own, label_kernels.py.
"""

from typing import Any

from llvmlite import ir
from numba import int64, uint64
from numba.extending import intrinsic

from solver.rules.arrays import GREATEST
from solver.system.jit import Kernel, kernel

DONE, FULL, DISORDER, LOST = -1, -2, -3, -4
"""Why a kernel returns; any other number is that of a row to be filled."""


def _trailing_zeros(context: Any, value: Any) -> Any:
    """The number of zeros below the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return int64(uint64), generate


trailing_zeros: Kernel = intrinsic(_trailing_zeros)


@kernel
def least_waiting(waiting: Any, at: Any, counts: Any) -> int:
    """The least child that is waiting in any row, GREATEST for none."""
    least = GREATEST
    for row in range(len(at)):
        if at[row] < counts[row]:
            least = min(least, waiting[row, at[row]])
    return least


@kernel
def mark(children: Any, at: int, count: int, low: int, size: int, bits: Any, summary: Any) -> int:
    """Set the bits of the children in a window, from `at` on; the place to go on, or DISORDER."""
    while at < count:
        offset = children[at] - low
        if offset >= size:
            return at
        if offset < 0:
            return DISORDER
        bits[offset >> 6] |= uint64(1) << uint64(offset & 63)
        summary[offset >> 12] |= uint64(1) << uint64(offset >> 6 & 63)
        at += 1
    return at


@kernel
def read_out(low: int, bits: Any, summary: Any, out: Any, found: int) -> int:
    """Write the keys of the set bits behind the first `found` of `out`, clear them; how many there are."""
    for part in range(len(summary)):
        words = summary[part]
        while words:
            word = part << 6 | trailing_zeros(words)
            each = bits[word]
            start = low + (word << 6)
            while each:
                out[found] = start + trailing_zeros(each)
                found += 1
                each &= each - uint64(1)
            bits[word] = 0
            words &= words - uint64(1)
        summary[part] = 0
    return found


@kernel
def merge(
    waiting: Any, at: Any, counts: Any, more: Any, window: Any, stop: int, bits: Any, summary: Any, out: Any
) -> tuple[int, int]:
    """Write waiting children below `stop`, sorted, each once, and why that came to an end.

    `window` is where the window begins and whether it is open, which it stays while a row is filled.
    """
    size = 64 * len(bits)
    found: Any = int64(0)  # the type that it keeps: else numba compiles `read_out` twice
    while found + size <= len(out):
        if not window[1]:
            window[0], window[1] = least_waiting(waiting, at, counts), 1
        low = window[0]
        if low >= stop:
            return found, DONE
        span = min(size, stop - low)
        for row in range(len(at)):
            at[row] = mark(waiting[row], at[row], counts[row], low, span, bits, summary)
            if at[row] < 0:
                return found, DISORDER
            if at[row] == counts[row] and more[row]:
                return found, row
        found = read_out(low, bits, summary, out, found)
        window[1] = 0
    return found, FULL
