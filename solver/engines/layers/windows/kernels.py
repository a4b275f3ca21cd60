"""The inner loops over sorted keys, compiled with numba, independent of the game.

In the forward pass, the children of a layer are set as bits in a window of the key space that fits into the
cache, and emitted in order. The summary has a bit for each word of 64 bits, so that empty stretches cost
nothing:

    key - low    0 1 2 3 4 5 6 7 ...
    bits         0 1 0 0 1 1 0 0 ...      action 0 set 1, 4; action 1 set 4, 5: the next layer has 1, 4, 5

The children by each action are buffered in a row (streams.py), in ascending order. A window ends when the
next child of each action is too large, and the next window begins at the least unread child:

    rows         action 0:  1  4 | 9 ...          for an exhausted row the kernel returns its number,
                 action 1:  4  5 | 8 ...          and is called again when the row has been filled

All this relies on ascending rows: each child is compared with its window, and for a child below it a kernel
returns UNSORTED. The layer is then sorted instead.

In the backward pass, the keys of the layer below are in rows, too, with their labels. A window is a range of
keys as long as a table of labels. The labels of the layer below are written to the table, and then every
child in the window looks up its label there:

    below        4 -> +1   5 -> 0   9 -> -1
    table        +1  0  .  .  .  -1           at index key - low, with low = 4

The table is not cleared between windows: a label is read only where one was written, as all children are in
the layer below. A hash table that fits into the innermost cache is slower even for sparse keys: each
collision is a mispredicted branch, while the processor can wait for many labels of this table at once.
"""

from typing import Any

from llvmlite import ir
from numba import int64, uint64
from numba.extending import intrinsic

from solver.engines.layers.windows.streams import BitWindow, ChildRows, KeyRows, LabelRows
from solver.rules.arrays import MAX_STATE, Keys, Labels
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


ONE = uint64(1)
"""An unsigned 1, added to unsigned indices: numba tests signed indices for being negative."""


@kernel
def window_end(rows: KeyRows, low: int, span: int) -> int:
    """The end of a window from `low` on, at most `span` long, whose keys are all in the rows.

    The cursors are moved past keys below `low`. If a row must be filled first, the result is -1 - row.
    """
    end = low + min(span, MAX_STATE - low)
    for row in range(len(rows.cursor)):
        filled = rows.filled[row]
        while rows.cursor[row] < filled and rows.keys[row, rows.cursor[row]] < low:
            rows.cursor[row] += 1
        if rows.has_more[row]:
            if rows.cursor[row] == filled:
                return -1 - row
            end = min(end, rows.keys[row, filled - 1] + 1)
    return end


@kernel
def scatter_labels(below: LabelRows, row: int, low: int, end: int, table: Labels) -> None:
    """Write the labels of a row's unread keys in [low, end) to the table, and move the cursor past them."""
    keys, labels = below.rows.keys[row], below.labels[row]
    cursor, filled = uint64(below.rows.cursor[row]), uint64(below.rows.filled[row])
    while cursor < filled and keys[cursor] < end:
        table[uint64(keys[cursor] - low)] = labels[cursor]
        cursor += ONE
    below.rows.cursor[row] = cursor


@kernel
def relax(children: ChildRows, row: int, low: int, end: int, table: Labels, best: Labels, none: int) -> int:
    """Improve the labels of the parents of a row's unread children in [low, end), and move the cursor.

    `best` has the label, or `none`, of each parent by rank. The first player maximizes labels, the second
    minimizes them. Returns DONE or UNSORTED.
    """
    keys, parents, first = children.rows.keys[row], children.parents[row], children.firsts[row]
    cursor, filled = uint64(children.rows.cursor[row]), uint64(children.rows.filled[row])
    while cursor < filled:
        key = keys[cursor]
        if key >= end:
            break
        if key < low:
            return UNSORTED
        parent, sign = uint64(first + (parents[cursor] >> 1)), 1 - 2 * int64(parents[cursor] & 1)
        label, before = table[uint64(key - low)], best[parent]
        is_better = (before == none) | (sign * label > sign * before)
        best[parent] = label if is_better else before
        cursor += ONE
    children.rows.cursor[row] = cursor
    return DONE


@kernel
def relax_parents(
    children: ChildRows, window: Keys, table: Labels, below: LabelRows, best: Labels, none: int
) -> int:
    """Give every parent the label of its best child; `best` is filled with `none`, which is no label.

    Returns DONE, UNSORTED, or the number of the row to be filled; the rows of `below`, the keys and labels of
    the next layer, are numbered after those of `children`. `window` has the beginning of the window, whether
    it is open, and its end: int64, (3,).
    """
    rows, below_rows = children.rows, below.rows
    while True:
        if not window[1]:
            low = least_unread(rows)
            if low == MAX_STATE:
                return DONE
            end = window_end(below_rows, low, len(table))
            window[0], window[2] = low, end
            if end < 0:
                return len(rows.cursor) - 1 - int(end)
            for row in range(len(below_rows.cursor)):
                scatter_labels(below, row, low, end, table)
            window[1] = 1
        low, end = window[0], window[2]
        for row in range(len(rows.cursor)):
            reason = relax(children, row, low, end, table, best, none)
            if reason != DONE:
                return int(reason)
            if rows.cursor[row] == rows.filled[row] and rows.has_more[row]:
                return row
        window[1] = 0
