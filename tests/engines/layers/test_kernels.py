"""Each kernel does what a few lines of Python do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.rules.arrays import Keys

kernels = pytest.importorskip("solver.engines.layers.windows.merge_kernels", reason="there is no numba")
label_kernels = pytest.importorskip("solver.engines.layers.windows.label_kernels", reason="there is no numba")

ascending = st.lists(st.integers(0, 5000), unique=True, max_size=40).map(sorted)


def numbers(*values: int) -> Keys:
    return np.array(values, np.int64)


def rows(lists: list[list[int]]) -> Keys:
    table = np.zeros((len(lists), max(1, *map(len, lists))), np.int64)
    for row, values in enumerate(lists):
        table[row, : len(values)] = values
    return table


@given(st.lists(ascending, min_size=1, max_size=4), st.data())
def test_the_least_child_that_waits_is_found(lists: list[list[int]], data: st.DataObject) -> None:
    at = [data.draw(st.integers(0, len(values))) for values in lists]
    waits = [values[begin] for values, begin in zip(lists, at, strict=True) if begin < len(values)]
    least = kernels.least_waiting(rows(lists), numbers(*at), numbers(*map(len, lists)))
    assert least == min(waits, default=kernels.GREATEST)


@given(ascending, st.integers(0, 300))
def test_children_in_the_window_are_marked_and_read_out_in_order(children: list[int], low: int) -> None:
    bits, summary = np.zeros(64, np.uint64), np.zeros(1, np.uint64)
    at = kernels.mark(numbers(*children), 0, len(children), low, 4096, bits, summary)
    if any(child < low for child in children):
        assert at == kernels.DISORDER or children[0] >= low + 4096
        return
    inside = [child for child in children if child < low + 4096]
    assert at == len(inside)
    out = np.zeros(100, np.int64)
    assert kernels.read_out(low, bits, summary, out, 3) == 3 + len(inside)
    assert out[3 : 3 + len(inside)].tolist() == inside
    assert not bits.any()
    assert not summary.any()


def merged(lists: list[list[int]], stop: int, room: int = 1 << 13) -> tuple[list[int], int]:
    """What the kernel merges when each row is filled with three children at a time, and why it ends."""
    waiting, at, counts = np.zeros((len(lists), 3), np.int64), *np.zeros((2, len(lists)), np.int64)
    more, window = np.ones(len(lists), np.uint8), np.zeros(2, np.int64)
    left = [list(values) for values in lists]
    bits, summary, found = np.zeros(64, np.uint64), np.zeros(1, np.uint64), list[int]()

    def fill(row: int) -> None:
        taken, left[row] = left[row][:3], left[row][3:]
        waiting[row, : len(taken)] = taken
        at[row], counts[row], more[row] = 0, len(taken), len(taken) > 0

    for row in range(len(lists)):
        fill(row)
    while True:
        out = np.zeros(room, np.int64)
        count, why = kernels.merge(waiting, at, counts, more, window, stop, bits, summary, out)
        found += out[:count].tolist()
        if why in (kernels.DONE, kernels.DISORDER):
            return found, why
        if why != kernels.FULL:
            fill(why)


@given(st.lists(ascending, min_size=1, max_size=4), st.integers(0, 6000))
def test_rows_of_children_are_merged_each_child_once(lists: list[list[int]], stop: int) -> None:
    wanted = sorted({child for values in lists for child in values if child < stop})
    assert merged(lists, stop) == (wanted, kernels.DONE)


def test_a_child_below_its_window_is_disorder() -> None:
    assert merged([[9000, 5], [9001]], 10_000)[1] == kernels.DISORDER
    assert merged([[9000, 9001], [9001, 9000]], 10_000) == ([9000, 9001], kernels.DONE)


@given(st.lists(ascending, min_size=1, max_size=4), st.data())
def test_a_window_ends_where_a_row_has_given_its_share(lists: list[list[int]], data: st.DataObject) -> None:
    at = [data.draw(st.integers(0, len(keys))) for keys in lists]
    more = [data.draw(st.booleans()) for _ in lists]
    low, span, share = (data.draw(st.integers(least, 5000)) for least in (0, 1, 1))
    passed = numbers(*at)
    end = label_kernels.window_end(
        rows(lists), passed, numbers(*map(len, lists)), numbers(*more), low, span, share
    )
    left = [[key for key in keys[begin:] if key >= low] for keys, begin in zip(lists, at, strict=True)]
    if end < 0:
        row = -1 - end
        assert (left[row], more[row]) == ([], True)
        return
    assert low < end <= low + span
    assert passed.tolist() == [len(keys) - len(rest) for keys, rest in zip(lists, left, strict=True)]
    inside = [[key for key in rest if key < end] for rest in left]
    assert max(map(len, inside)) <= share
    assert all(len(rest) > len(some) or not more[row] or rest[-1] == end - 1
               for row, (rest, some) in enumerate(zip(left, inside, strict=True)))  # fmt: skip


@given(ascending, st.integers(0, 5000), st.integers(1, 600))
def test_labels_are_filled_into_the_window(keys: list[int], low: int, size: int) -> None:
    keys = [key for key in keys if key >= low]
    table, labels = np.zeros(size, np.int8), np.array([1 + key % 100 for key in keys], np.int8)
    at = label_kernels.fill(numbers(*keys), labels, 0, len(keys), low, low + size, table, numbers())
    assert at == sum(key < low + size for key in keys)
    inside = {key - low: 1 + key % 100 for key in keys if key < low + size}
    assert {place: label for place, label in enumerate(table.tolist()) if label} == inside


@given(st.lists(st.integers(0, 2**63 - 2), unique=True, max_size=32).map(sorted), st.integers(0, 2**63 - 1))
def test_labels_of_sparse_keys_are_filled_into_slots(keys: list[int], end: int) -> None:
    slots, table = np.full(64, label_kernels.FREE, np.int64), np.zeros(64, np.int8)
    labels = np.array([key % 100 for key in keys], np.int8)
    at = label_kernels.fill(numbers(*keys), labels, 0, len(keys), 0, end, table, slots)
    inside = [key for key in keys if key < end]
    assert at == len(inside)
    assert sorted(slot for slot in slots.tolist() if slot >= 0) == inside
    for key in keys:
        slot = label_kernels.place_of(key, 0, slots)
        assert (slots[slot], table[slot]) == ((key, key % 100) if key < end else (label_kernels.FREE, 0))


@pytest.mark.parametrize("sparse", [False, True])
@given(plays=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9), st.booleans())))
def test_parents_take_the_better_label_for_their_movers(
    sparse: bool, plays: list[tuple[int, int, bool]]
) -> None:
    table, best = np.arange(-50, 50, dtype=np.int8), np.full(10, -128, np.int8)
    plays.sort()
    parents = np.array([2 * parent + second for _, parent, second in plays], np.int32)
    children = numbers(*(7 + child for child, _, _ in plays))
    slots = np.full(256 if sparse else 0, label_kernels.FREE, np.int64)
    places = np.zeros(256 if sparse else 100, np.int8)
    label_kernels.fill(np.arange(7, 107), table, 0, 100, 7, 107, places, slots)
    assert label_kernels.take(children, parents, 0, len(plays), 7, 107, places, slots, best) == len(plays)
    for parent in range(10):
        gains = [50 - child if second else child - 50 for child, each, second in plays if each == parent]
        assert best[parent] == max(gains, default=-128)


def test_a_child_that_is_not_below_is_lost_where_keys_are_sparse() -> None:
    slots, table = np.full(8, label_kernels.FREE, np.int64), np.zeros(8, np.int8)
    label_kernels.fill(numbers(3, 5), np.array([1, 2], np.int8), 0, 2, 0, 9, table, slots)
    best, parents = np.zeros(1, np.int8), np.zeros(2, np.int32)
    assert label_kernels.take(numbers(3, 5), parents, 0, 2, 0, 9, table, slots, best) == 2
    assert label_kernels.take(numbers(3, 4), parents, 0, 2, 0, 9, table, slots, best) == kernels.LOST


@pytest.mark.parametrize("slots", [0, 64, 4096])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64])
def test_every_parent_gets_the_label_of_its_best_child(dtype: type[np.signedinteger], slots: int) -> None:
    rng = np.random.default_rng(1)
    below = np.sort(rng.choice(1 << 15, 5000, replace=False))
    labels = rng.integers(-100, 101, len(below)).astype(dtype)
    plays = [
        np.sort(rng.choice(len(below), 1000)) for _ in range(3)
    ]  # the nth play of each action is by parent n
    parents = np.arange(1000) * 2 + rng.integers(0, 2, 1000)
    best = np.full(1000, np.iinfo(dtype).min, dtype)
    why = label_kernels.take_best(
        np.array([below[play] for play in plays]),
        np.array([parents] * 3, np.int32),
        np.zeros(3, np.int64),
        np.full(3, 1000),
        np.zeros(3, np.uint8),
        np.zeros(3, np.int64),
        np.empty(slots or 512, dtype),
        np.empty(slots, np.int64),
        np.array([below, below]),
        np.array([labels, labels]),
        np.zeros(2, np.int64),
        np.full(2, len(below)),
        np.zeros(2, np.int64),
        best,
    )
    assert why == kernels.DONE
    for parent in range(1000):
        sign = 1 - 2 * (int(parents[parent]) & 1)
        assert best[parent] == max(sign * int(labels[play[parent]]) for play in plays)
