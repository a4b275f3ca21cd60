"""The inner loops of the backward pass: from the labels of a layer to the best ones of its parents.

The children of a layer are in rows as in the forward pass (streams.py, merge_kernels.py), and so are the keys
of the layer below, with their labels. A window is a range of keys as long as a table of labels. The labels of
the layer below are written to the table, and then every child in the window looks up its label there:

    below        4 -> +1   5 -> 0   9 -> -1
    table        +1  0  .  .  .  -1           at index key - low, with low = 4

The table is not cleared between windows: a label is read only where one was written, as all children are in
the layer below. A hash table that fits into the innermost cache is slower even for sparse keys: each
collision is a mispredicted branch, while the processor can wait for many labels of this table at once.
"""

from numba import int64, uint64

from solver.engines.layers.windows.merge_kernels import DONE, UNSORTED, least_unread
from solver.engines.layers.windows.streams import ChildRows, KeyRows, LabelRows
from solver.rules.arrays import MAX_STATE, Keys, Labels
from solver.system.jit import kernel

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
