"""The estimate of the number of states from the growth of layers, against published numbers."""

import pytest
from hypothesis import given, strategies as st

from solver.engines.layers.forward import RATIOS, expected_states
from tests.support.published import counted, expected, published

FOUR = published()["connect_four"]["first_plies"]
MNK = expected("mnk rows=4 columns=4 k=4")["per_ply"]


def test_connect_four_is_estimated_from_half_of_its_plies() -> None:
    states = counted("connect")[6, 7, 4]
    actual = [expected_states(FOUR[:plies]) for plies in range(22, 28)]
    assert all(item is not None and states / 2 < item < 1.5 * states for item in actual)


def test_estimate_for_4x4x4_improves_with_more_plies() -> None:
    for plies, error in [(11, 0.5), (12, 0.3), (13, 0.15), (14, 0.05), (16, 0.01)]:
        expected = expected_states(MNK[:plies])
        assert expected is not None
        assert abs(expected / sum(MNK) - 1) <= error


@pytest.mark.parametrize(
    "layers",
    [
        [],
        FOUR[:RATIOS],
        FOUR[: RATIOS + 1],  # layers more than double
        [1] * 20,
        [3**ply for ply in range(20)],
        [1, 0, *range(1, 20)],
        list(range(2**40, 2**40 - 20, -1)),  # no end in sight
        [round(1.9**ply) for ply in range(60, 80)],
    ],
)
def test_estimate_is_none_for_unsuitable_layers(layers: list[int]) -> None:
    assert expected_states(layers) is None


@given(st.lists(st.integers(0, 2**62), max_size=30))
def test_estimate_is_at_least_the_states_in_the_layers(layers: list[int]) -> None:
    expected = expected_states(layers)
    assert expected is None or expected >= sum(layers)
