import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.errors import UnfitRules
from solver.game import FIRST, SECOND
from solver.rules.labels import hurrier

LEVELS = st.sampled_from([-1, 0, 1])


@given(st.lists(st.integers(-1000, 1000), min_size=1), st.integers(0, 100_000), st.integers(0, 5), LEVELS)
def test_label_encodes_value_and_remoteness(values: list[int], end: int, more: int, level: int) -> None:
    code = smallest_label_code(end + more, max(map(abs, values)), level)
    labels = code.encode_ends(np.array(values), end)
    left = [min(end, 7) if value or level else -1 for value in values]
    assert code.values(labels).tolist() == values
    assert code.remoteness(labels, max(0, end - 7)).tolist() == left
    assert int(abs(labels.astype(np.int64)).max()) <= np.iinfo(code.dtype).max
    for value, label in zip(values, labels.tolist(), strict=True):
        assert code.encode_end(value, end) == label
        assert (code.value(label), code.plies_left(label, 0)) == (value, end if value or level else None)


@given(*[st.tuples(st.integers(-3, 3), st.integers(0, 200))] * 2, LEVELS)
def test_first_player_prefers_larger_labels(one: tuple[int, int], two: tuple[int, int], level: int) -> None:
    code = smallest_label_code(200, 3, level)
    labels = [int(code.encode_ends(np.array([value]), ply)[0]) for value, ply in (one, two)]
    sign = {None: 0, FIRST: -1, SECOND: 1}
    hurry = [(value, sign[hurrier(value, level)] * ply) for value, ply in (one, two)]
    assert (labels[0] > labels[1]) == (hurry[0] > hurry[1])


@pytest.mark.parametrize("has_loops", [False, True])
@pytest.mark.parametrize("level", [-1, 0, 1])
def test_label_0_encodes_the_value_of_endless_play(level: int, has_loops: bool) -> None:
    code = smallest_label_code(9, 3, level, has_loops=has_loops)
    assert (code.value(0), code.plies_left(0, 0)) == (level, None)
    assert code.values(np.zeros(1, np.int8)).tolist() == [level]
    if has_loops:
        assert code.encode(np.array([level, level]), np.array([-1, -1]), stage=1).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("last_ply", "margin", "bytes_each"),
    [
        *((0, 0, 1), (126, 1, 1), (127, 1, 2), (32_766, 1, 2), (32_767, 1, 4)),
        *((9, 2, 2), (9, 255, 2), (9, 10**9, 8)),
    ],
)
def test_labels_use_the_smallest_integer_type(last_ply: int, margin: int, bytes_each: int) -> None:
    assert smallest_label_code(last_ply, margin).dtype.itemsize == bytes_each


def test_labels_with_span_128_are_127_minus_the_ply() -> None:
    code = LabelCode(128, 1)
    assert code.encode_ends(np.array([1, 0, -1]), 7).tolist() == [120, 0, -120]


def test_utilities_too_large_for_labels_are_refused() -> None:
    with pytest.raises(UnfitRules, match="too large for the layers engine"):
        smallest_label_code(9, 2**62)


@given(st.integers(-3, 3), st.integers(0, 500), st.integers(0, 3), LEVELS)
def test_backed_up_label_ends_one_ply_later(value: int, remoteness: int, more: int, level: int) -> None:
    code = smallest_label_code(remoteness + more, 3, level, has_loops=True)
    (label,) = code.encode(np.array([value]), np.array([remoteness]), stage=5).tolist()
    backed_up = code.before(label)
    nobody_hurries = value == level == 0
    assert (code.value(label), code.plies_left(label, 5)) == (value, None if nobody_hurries else remoteness)
    after = None if nobody_hurries else remoteness + 1
    assert (code.value(backed_up), code.plies_left(backed_up, 2)) == (value, after)
    assert code.before(np.array([label], code.dtype)).tolist() == [backed_up]
    assert code.before(0) == 0
    assert code.are_possible(np.array([backed_up, 0], code.dtype), stage=7)


@pytest.mark.parametrize("label", [-128, 128, 127, -127, 256, 32767, -32768])
def test_labels_without_value_or_remoteness_are_impossible(label: int) -> None:
    code = LabelCode(128, 2)
    assert code.are_possible(np.array([0, 1, -1, 126, -126, 129, 254, -254], np.int16), stage=0)
    assert not code.are_possible(np.array([1, label], np.int16), stage=0)


def test_labels_that_end_before_their_ply_are_impossible() -> None:
    assert LabelCode(128, 1).are_possible(np.array([127 - 5], np.int8), stage=4)
    assert not LabelCode(128, 1).are_possible(np.array([127 - 5], np.int8), stage=5)
    assert LabelCode(128, 1, has_loops=True).are_possible(np.array([127 - 5], np.int8), stage=5)
