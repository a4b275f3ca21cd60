"""Sorting of keys, without duplicates, with labels of every width."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver.rules.arrays import LONG_RUN, MANY, distinct, distinct_pairs, in_order, sorted_along
from solver.rules.sorting import LARGE, sorted_by_digits

NUMBERS = st.one_of(st.integers(0, 9), st.integers(0, 2**63 - 1))


@given(st.lists(NUMBERS))
def test_distinct_sorts_and_drops_repeats(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))


STATES = st.integers(0, 2**63 - 1)

RUNS = st.lists(st.tuples(st.integers(-(2**62), 2**62), st.integers(1, 4 * LONG_RUN)))
"""The first number of each run, and how many there are."""


@given(RUNS)
def test_presorted_runs_are_merged(runs: list[tuple[int, int]]) -> None:
    numbers = [first + 3 * nth for first, length in runs for nth in range(length)]
    assert in_order(np.array(numbers, np.int64)).tolist() == sorted(numbers)
    assert distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))


@given(st.tuples(STATES, STATES), st.integers(0, 2**32))
def test_many_states_are_sorted(bounds: tuple[int, int], seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(min(bounds), max(bounds), 2 * MANY, endpoint=True)
    for numbers in (drawn, -drawn):
        assert in_order(numbers).tolist() == sorted(numbers.tolist())
    by_high_bits = in_order(drawn, 20)
    assert np.array_equal(by_high_bits >> 20, np.sort(drawn >> 20))
    assert np.array_equal(np.sort(by_high_bits), np.sort(drawn))
    assert sorted_by_digits(drawn, 0).tolist() == sorted(drawn.tolist())
    assert sorted_by_digits(np.append(drawn, [0, 2**63 - 1]), 0)[-1] == 2**63 - 1


@given(st.integers(1, 63), st.integers(0, 62), st.integers(0, 2**32))
@settings(max_examples=8)
def test_sorting_by_digits_is_stable(bits: int, low: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for count in (1000, LARGE - 1, LARGE):
        keys = rng.integers(0, 2**bits - 1, count, endpoint=True)
        by_high_bits = np.argsort(keys >> low, kind="stable")
        assert np.array_equal(sorted_by_digits(keys, low), keys[by_high_bits])


@given(st.lists(st.one_of(NUMBERS, st.integers(-(2**63), 2**63 - 1))))
def test_sorted_along_sorts_places_with_states(numbers: list[int]) -> None:
    """Also with negative ones, to which false rules lead: none of them is taken for another state."""
    keys = np.array(numbers, np.int64)
    ordered, places = sorted_along(keys, np.arange(len(keys)), len(keys).bit_length())
    assert ordered.tolist() == keys[places].tolist() == sorted(numbers)
    assert sorted(places.tolist()) == [*range(len(keys))]


@pytest.mark.parametrize("key", [7, 2**62])
def test_distinct_pairs_keep_both_labels_of_a_key(key: int) -> None:
    """So a state that is symmetric to two of other values is seen, however many bits it has."""
    keys, labels = distinct_pairs(np.array([key, 1, key, 1]), np.array([3, 0, 4, 0], np.int16))
    assert keys.tolist() == [1, key, key]
    assert sorted(labels.tolist()) == [0, 3, 4]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
@settings(max_examples=40)
@given(data=st.data())
def test_distinct_pairs_keep_the_label_of_each_key(dtype: Any, data: st.DataObject) -> None:
    limits = np.iinfo(dtype)
    labels = data.draw(st.dictionaries(NUMBERS, st.integers(int(limits.min), int(limits.max))))
    keys = data.draw(st.lists(st.sampled_from(sorted(labels)))) if labels else []
    pairs = distinct_pairs(np.array(keys, np.int64), np.array([labels[key] for key in keys], dtype))
    expected = sorted({key: labels[key] for key in keys}.items())
    assert list(zip(*(pair.tolist() for pair in pairs), strict=True)) == expected
