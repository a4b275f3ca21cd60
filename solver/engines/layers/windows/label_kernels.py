"""The inner loops of the backward pass: from the labels of a layer to the best ones of its parents.

The children of a layer are in rows as in the forward pass (rows.py, merge_kernels.py), and so are the keys of
the layer below, with their labels. A window is a range of keys; those of the layer below are put into a
table, and then every child in the window looks up its label there:

    below        4 -> +1   5 -> 0   9 -> -1
    table        +1  0  .  .  .  -1           dense keys: at index key - low
    slots        5   .  0  .  .   1           sparse keys: where key - low is hashed to, or the first free
    table       -1   . +1  .  .   0           slot after it (linear probing, Knuth, volume 3, section 6.4)

A window of dense keys is as long as the table. One of sparse keys is as long as the one before it suggests,
and is shortened until at least half of the slots stay free.
"""

from typing import Any

from numba import int64, uint64

from solver.engines.layers.windows.merge_kernels import DONE, MISSING_CHILD, UNSORTED, least_unread
from solver.engines.layers.windows.rows import ChildRows, KeyRows, LabelRows, LabelTable, Slots
from solver.rules.arrays import GREATEST, Keys, Labels
from solver.system.jit import kernel

FREE = -1
"""Marks a slot without a key."""

ONE = uint64(1)
"""Unsigned, as are the indices that it is added to: numba asks of signed ones whether they are negative."""

LONGEST = 2**31 - 1
"""The length of a window of sparse keys at most: their distances from its low end are kept in 32 bits."""


@kernel
def window_end(rows: KeyRows, low: int, span: int) -> int:
    """The end of a window from `low` on, at most `span` long.

    All keys in it are in the rows already; the cursors are moved past keys below `low`. If a row must be
    filled first, the result is -1 less its number.
    """
    end = low + min(span, GREATEST - low)
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
def unread_below(rows: KeyRows, end: int, enough: int) -> int:
    """The number of unread keys below `end` in all rows, or one of them that is greater than `enough`."""
    found = 0
    for row in range(len(rows.cursor)):
        cursor, filled = rows.cursor[row], rows.filled[row]
        while cursor < filled and rows.keys[row, cursor] < end:
            cursor += 1
        found += cursor - rows.cursor[row]
        if found > enough:
            break
    return found


@kernel
def fit(rows: KeyRows, window: Keys, room: int) -> None:
    """Shorten a window until it has at most `room` unread keys, and suggest the length of the next one.

    It is to have three quarters of `room`. There is room for a key of each row.
    """
    low, wanted = window[0], room - room // 4
    while True:
        length, found = window[2] - low, unread_below(rows, window[2], 4 * room)
        window[3] = min(LONGEST, length * wanted // max(1, found) + 1)
        if found <= room:
            break
        window[2] = low + min(length - 1, window[3])


@kernel
def place_of(offset: int, slots: Slots) -> Any:
    """The index in the table of a key that is so far above the low end of the window.

    If there are slots, it is that of the key, or of the first free slot.
    """
    if len(slots) == 0:
        return uint64(offset)
    last = uint64(len(slots) - 1)  # their number is a power of two
    place = (uint64(offset) * uint64(0x9E3779B97F4A7C15) >> uint64(32)) & last
    while slots[place] != offset and slots[place] != FREE:
        place = (place + ONE) & last
    return place


@kernel
def scatter_labels(below: LabelRows, row: int, low: int, end: int, table: LabelTable) -> None:
    """Write the labels of a row's unread keys in [low, end) to the table, and move its cursor behind them."""
    keys, labels, stored, slots = below.rows.keys[row], below.labels[row], table.labels, table.slots
    cursor, filled = uint64(below.rows.cursor[row]), uint64(below.rows.filled[row])
    while cursor < filled and keys[cursor] < end:
        offset = keys[cursor] - low
        place = place_of(offset, slots)
        stored[place] = labels[cursor]
        if len(slots):
            slots[place] = offset
        cursor += ONE
    below.rows.cursor[row] = cursor


@kernel
def relax(
    children: ChildRows, row: int, low: int, end: int, table: LabelTable, best: Labels, none: int
) -> int:
    """Improve the labels of the parents of a row's unread children in [low, end), and move its cursor.

    `best` has a label for each rank of a parent, or `none`. The first player wants the greatest label, the
    second the least. Returns DONE, UNSORTED, or MISSING_CHILD if a child is not among the sparse keys of the
    window.
    """
    keys, parents, first = children.rows.keys[row], children.parents[row], children.firsts[row]
    cursor, filled = uint64(children.rows.cursor[row]), uint64(children.rows.filled[row])
    labels, slots = table.labels, table.slots
    while cursor < filled:
        key = keys[cursor]
        if key >= end:
            break
        if key < low:
            return UNSORTED
        place = place_of(key - low, slots)
        if len(slots) and slots[place] == FREE:
            return MISSING_CHILD
        parent, sign = uint64(first + (parents[cursor] >> 1)), 1 - 2 * int64(parents[cursor] & 1)
        label, before = labels[place], best[parent]
        is_better = (before == none) | (sign * label > sign * before)
        best[parent] = label if is_better else before
        cursor += ONE
    children.rows.cursor[row] = cursor
    return DONE


@kernel
def relax_parents(
    children: ChildRows, window: Keys, table: LabelTable, below: LabelRows, best: Labels, none: int
) -> int:
    """Give every parent the label of its best child; `best` is filled with `none`, which is no label.

    Returns DONE, UNSORTED, MISSING_CHILD, or the row to be filled: those of `below`, the keys and labels of
    the next layer, are numbered after those of `children`. `window` is where the window begins, whether it is
    open, where it ends, and the length of the next one if keys are sparse, at first 0: int64, (4,).
    """
    rows, below_rows, slots = children.rows, below.rows, table.slots
    while True:
        if not window[1]:
            low = least_unread(rows)
            if low == GREATEST:
                return DONE
            span = window[3] or LONGEST if len(slots) else len(table.labels)
            end = window_end(below_rows, low, span)
            window[0], window[2] = low, end
            if end < 0:
                return len(rows.cursor) - 1 - int(end)
            if len(slots):
                fit(below_rows, window, len(slots) // 2)
                end = window[2]
            slots[:] = FREE
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


@kernel
def look_up(keys: Keys, labels: Labels, wanted: Keys, found: Labels) -> None:
    """Write the label of each wanted key that is among `keys` to its place in `found`; both ascend."""
    cursor = 0
    for place in range(len(wanted)):
        key = wanted[place]
        while cursor < len(keys) and keys[cursor] < key:
            cursor += 1
        if cursor == len(keys):
            break
        if keys[cursor] == key:
            found[place] = labels[cursor]
