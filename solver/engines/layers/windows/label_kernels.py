"""The inner loops of the way back: from the labels of a layer to the best ones of those who lead there.

The children of a layer wait in rows as on the way forth (merge_kernels.py), and so do the keys of the layer
below, with their labels. A window is a range of keys; what waits below in it is put into a table, and then
every child in it looks up its label there:

    below        4 -> +1   5 -> 0   9 -> -1
    table        +1  0  .  .  .  -1           where keys are dense: at the place key - low
    slots        9   .  4  .  .   5           where they are sparse: at the place that the key is hashed to,
    table       -1   . +1  .  .   0           or the first free one after it (linear probing, Knuth 6.4)

A window of dense keys is as long as the table. One of sparse keys ends where some row has used up its share
of the slots, so that at least half of them stay free.
"""

from typing import Any

from numba import int64, uint64

from solver.engines.layers.windows.merge_kernels import DISORDER, DONE, LOST, least_waiting
from solver.rules.arrays import GREATEST
from solver.system.jit import kernel

FREE = -1
"""In a slot: no key is there."""


@kernel
def window_end(keys: Any, at: Any, counts: Any, more: Any, low: int, span: int, share: int) -> Any:
    """Where a window from `low` on ends, `span` long at most, in which each row has `share` keys at most.

    All keys in it wait already, and those below it are passed over. Where a row must be filled before, it is
    -1 less its number.
    """
    end = low + min(span, GREATEST - low)
    for row in range(len(at)):
        while at[row] < counts[row] and keys[row, at[row]] < low:
            at[row] += 1
        if at[row] < counts[row]:
            last = min(at[row] + share, counts[row]) - 1
            if last + 1 < counts[row] or more[row]:
                end = min(end, keys[row, last] + 1)
        elif more[row]:
            return -1 - row
    return end


@kernel
def place_of(key: int, low: int, slots: Any) -> Any:
    """The place of a key in the table: where there are slots, that of the key or else the first free one."""
    if len(slots) == 0:
        return key - low
    last = len(slots) - 1  # they are a power of two in number
    place = int64(uint64(key) * uint64(0x9E3779B97F4A7C15) >> uint64(32)) & last
    while slots[place] != key and slots[place] != FREE:
        place = (place + 1) & last
    return place


@kernel
def fill(keys: Any, labels: Any, at: int, count: int, low: int, end: int, table: Any, slots: Any) -> int:
    """Write the labels of the keys from `low` on, below `end`, into the table; the place to go on."""
    while at < count and keys[at] < end:
        place = place_of(keys[at], low, slots)
        table[place] = labels[at]
        if len(slots):
            slots[place] = keys[at]
        at += 1
    return at


@kernel
def take(
    children: Any, parents: Any, at: int, count: int, low: int, end: int, table: Any, slots: Any, best: Any
) -> int:
    """Give parents the labels of their children in a window where these are better.

    A parent is twice its place in `best`, and one more where the second player is to move, who wants the
    least label: in `best` it has the opposite sign. Returns the place to go on, DISORDER, or LOST where a
    child is not in a window of sparse keys.
    """
    while at < count and children[at] < end:
        if children[at] < low:
            return DISORDER
        place = place_of(children[at], low, slots)
        if len(slots) and slots[place] == FREE:
            return LOST
        parent, sign = parents[at] >> 1, 1 - 2 * (parents[at] & 1)
        best[parent] = max(best[parent], table[place] * sign)
        at += 1
    return at


@kernel
def take_best(
    waiting: Any,
    parents: Any,
    at: Any,
    counts: Any,
    more: Any,
    window: Any,
    table: Any,
    slots: Any,
    below: Any,
    labels: Any,
    below_at: Any,
    below_counts: Any,
    below_more: Any,
    best: Any,
) -> int:
    """Give every parent the label of its best child; DONE, DISORDER, LOST, or the row to be filled.

    There are no `slots` where keys are dense. The rows from `len(at)` on are those of `below`: the keys of
    the next layer, with their labels. `window` is where the window begins, whether it is open and where it
    ends.
    """
    dense = len(slots) == 0
    span = len(table) if dense else GREATEST
    share = len(below[0]) if dense else max(1, len(slots) // (2 * len(below_at)))
    while True:
        if not window[1]:
            low = least_waiting(waiting, at, counts)
            if low == GREATEST:
                return DONE
            end = window_end(below, below_at, below_counts, below_more, low, span, share)
            window[0], window[2] = low, end
            if end < 0:
                return len(at) - 1 - int(end)
            slots[:] = FREE
            for row in range(len(below_at)):
                below_at[row] = fill(
                    below[row], labels[row], below_at[row], below_counts[row], low, end, table, slots
                )
            window[1] = 1
        low, end = window[0], window[2]
        for row in range(len(at)):
            passed = take(waiting[row], parents[row], at[row], counts[row], low, end, table, slots, best)
            if passed < 0:
                return int(passed)
            at[row] = passed
            if passed == counts[row] and more[row]:
                return row
        window[1] = 0
