"""Each kernel equals a few lines of Python."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.engines.layers.windows import kernels
from solver.engines.layers.windows.streams import BitWindow, ChildRows, KeyRows, LabelRows
from solver.engines.storage.merging import find_ranks
from solver.rules.arrays import MAX_STATE, Keys

ascending = st.lists(st.integers(0, 5000), unique=True, max_size=40).map(sorted)


def numbers(*values: int) -> Keys:
    return np.array(values, np.int64)


def rows(lists: list[list[int]], at: list[int] | None = None, more: list[bool] | None = None) -> KeyRows:
    """Rows of these keys, read up to `at`, which have `more`."""
    table = KeyRows.empty(len(lists), max(1, *map(len, lists)))
    for row, values in enumerate(lists):
        table.keys[row, : len(values)] = values
    table.filled[:] = list(map(len, lists))
    table.cursor[:] = at or 0
    table.has_more[:] = more or False
    return table


@given(st.lists(ascending, min_size=1, max_size=4), st.data())
def test_least_unread_returns_the_least_unread_child(lists: list[list[int]], data: st.DataObject) -> None:
    at = [data.draw(st.integers(0, len(values))) for values in lists]
    waits = [values[begin] for values, begin in zip(lists, at, strict=True) if begin < len(values)]
    least = kernels.least_unread(rows(lists, at))
    assert least == min(waits, default=MAX_STATE)


@given(ascending, st.integers(0, 300))
def test_set_bits_and_emit_bits_return_the_window_in_order(children: list[int], low: int) -> None:
    window, row = BitWindow(np.zeros(64, np.uint64), np.zeros(1, np.uint64)), rows([children])
    why = kernels.set_bits(row, 0, low, 4096, window)
    if any(child < low for child in children):
        assert why == kernels.UNSORTED or children[0] >= low + 4096
        return
    inside = [child for child in children if child < low + 4096]
    assert (why, row.cursor.tolist()) == (kernels.DONE, [len(inside)])
    out = np.zeros(100, np.int64)
    assert kernels.emit_bits(low, window, out, 3) == 3 + len(inside)
    assert out[3 : 3 + len(inside)].tolist() == inside
    assert not window.bits.any()
    assert not window.summary.any()


def merged(lists: list[list[int]], stop: int, room: int = 1 << 13) -> tuple[list[int], int]:
    """What the kernel merges when each row is filled with three children at a time, and why it ends."""
    waiting, state = KeyRows.empty(len(lists), 3), np.zeros(2, np.int64)
    left = [list(values) for values in lists]
    window, actual = BitWindow(np.zeros(64, np.uint64), np.zeros(1, np.uint64)), list[int]()

    def fill(row: int) -> None:
        taken, left[row] = left[row][:3], left[row][3:]
        waiting.keys[row, : len(taken)] = taken
        waiting.cursor[row], waiting.filled[row], waiting.has_more[row] = 0, len(taken), len(taken) > 0

    for row in range(len(lists)):
        fill(row)
    while True:
        out = np.zeros(room, np.int64)
        count, why = kernels.merge_sorted(waiting, state, stop, window, out)
        actual += out[:count].tolist()
        if why in (kernels.DONE, kernels.UNSORTED):
            return actual, why
        if why != kernels.OUTPUT_FULL:
            fill(why)


@given(st.lists(ascending, min_size=1, max_size=4), st.integers(0, 6000))
def test_merge_sorted_returns_each_child_once(lists: list[list[int]], stop: int) -> None:
    wanted = sorted({child for values in lists for child in values if child < stop})
    assert merged(lists, stop) == (wanted, kernels.DONE)


def test_merge_sorted_detects_a_child_below_its_window() -> None:
    assert merged([[9000, 5], [9001]], 10_000)[1] == kernels.UNSORTED
    assert merged([[9000, 9001], [9001, 9000]], 10_000) == ([9000, 9001], kernels.DONE)


@given(st.lists(ascending, min_size=1, max_size=4), st.data())
def test_window_end_stops_before_unread_keys(lists: list[list[int]], data: st.DataObject) -> None:
    at = [data.draw(st.integers(0, len(keys))) for keys in lists]
    more = [data.draw(st.booleans()) for _ in lists]
    low, span = (data.draw(st.integers(least, 5000)) for least in (0, 1))
    table = rows(lists, at, more)
    end = kernels.window_end(table, low, span)
    left = [[key for key in keys[begin:] if key >= low] for keys, begin in zip(lists, at, strict=True)]
    if end < 0:
        assert (left[-1 - end], more[-1 - end]) == ([], True)
        return
    assert table.cursor.tolist() == [len(keys) - len(rest) for keys, rest in zip(lists, left, strict=True)]
    known = [rest[-1] + 1 for rest, goes_on in zip(left, more, strict=True) if goes_on]
    assert end == min([low + span, *known])


@given(ascending, st.integers(0, 5000), st.integers(1, 600))
def test_scatter_labels_fills_the_window(keys: list[int], low: int, size: int) -> None:
    keys = [key for key in keys if key >= low]
    table, labels = np.zeros(size, np.int8), np.array([1 + key % 100 for key in keys], np.int8)
    below = LabelRows(rows([keys]), labels[np.newaxis])
    kernels.scatter_labels(below, 0, low, low + size, table)
    assert below.rows.cursor.tolist() == [sum(key < low + size for key in keys)]
    inside = {key - low: 1 + key % 100 for key in keys if key < low + size}
    assert {place: label for place, label in enumerate(table.tolist()) if label} == inside


@given(st.lists(st.integers(0, 2**63 - 2), unique=True, min_size=1, max_size=99).map(sorted), st.randoms())
def test_relax_parents_finds_labels_of_keys_far_apart(keys: list[int], random: Random) -> None:
    below, wanted = sorted(random.sample(keys, len(keys) // 2)), sorted(random.sample(keys, len(keys) // 2))
    lists = [[key for key in keys if key in below], [key for key in keys if key not in below]]
    labels = np.zeros((2, len(keys)), np.int8)
    for row, item in enumerate(lists):
        labels[row, : len(item)] = [key % 100 for key in item]
    codes = np.arange(0, 2 * len(wanted), 2, dtype=np.int32)[np.newaxis]
    children = ChildRows(rows([wanted]), codes, np.zeros(1, np.int64))
    window, best, table = np.zeros(3, np.int64), np.full(len(wanted), -128, np.int8), np.empty(16, np.int8)
    reason = kernels.relax_parents(children, window, table, LabelRows(rows(lists), labels), best, -128)
    assert (reason, best.tolist()) == (kernels.DONE, [key % 100 for key in wanted])


@given(
    plays=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9))),
    movers=st.lists(st.integers(0, 1), min_size=10, max_size=10),
    first=st.integers(-9, 0),
)
def test_relax_takes_the_better_label(plays: list[tuple[int, int]], movers: list[int], first: int) -> None:
    table, best = np.arange(-50, 50, dtype=np.int8), np.full(10, -128, np.int8)
    plays.sort()
    parents = np.array([2 * (parent - first) + movers[parent] for _, parent in plays], np.int32)
    keys = rows([[7 + child for child, _ in plays]])
    children = ChildRows(keys, parents[np.newaxis], np.array([first]))
    window = np.zeros(100, np.int8)
    below = LabelRows(rows([list(range(7, 107))]), table[np.newaxis])
    kernels.scatter_labels(below, 0, 7, 107, window)
    assert kernels.relax(children, 0, 7, 107, window, best, -128) == kernels.DONE
    assert children.rows.cursor.tolist() == [len(plays)]
    for parent in range(10):
        labels = [child - 50 for child, item in plays if item == parent]
        assert best[parent] == (min if movers[parent] else max)(labels, default=-128)


@pytest.mark.parametrize("length", [1, 512])
@pytest.mark.parametrize("dtype", [np.int8, pytest.param(np.int16, marks=pytest.mark.slow), np.int64])
def test_relax_parents_takes_the_label_of_the_best_child(dtype: type[np.signedinteger], length: int) -> None:
    rng = np.random.default_rng(1)
    below = np.sort(rng.choice(1 << 15, 5000, replace=False))
    labels = rng.integers(-100, 101, len(below)).astype(dtype)
    plays = [np.sort(rng.choice(len(below), 1000)) for _ in range(3)]  # of each action the nth is by parent n
    parents = np.arange(1000) * 2 + rng.integers(0, 2, 1000)
    best = np.full(1000, np.iinfo(dtype).min, dtype)
    children = rows([below[play].tolist() for play in plays])
    why = kernels.relax_parents(
        ChildRows(children, np.array([parents] * 3, np.int32), np.zeros(3, np.int64)),
        np.zeros(3, np.int64),
        np.empty(length, dtype),
        LabelRows(rows([below.tolist()] * 2), np.array([labels, labels])),
        best,
        np.iinfo(dtype).min,
    )
    assert why == kernels.DONE
    for parent in range(1000):
        better = min if parents[parent] & 1 else max
        assert best[parent] == better(int(labels[play[parent]]) for play in plays)


@given(ascending, ascending)
def test_find_ranks_returns_the_rank_of_each_key(known: list[int], wanted: list[int]) -> None:
    ranks = np.full(len(wanted), -1)
    find_ranks(numbers(*wanted), numbers(*known), 7, ranks)
    assert ranks.tolist() == [7 + known.index(key) if key in known else -1 for key in wanted]
