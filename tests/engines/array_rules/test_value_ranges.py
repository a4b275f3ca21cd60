import numpy as np
from hypothesis import assume, given, settings
from numpy.typing import NDArray

from solver.engines.array_rules.instructions import ANY, bounds
from solver.engines.array_rules.tracing import Trace, Untraceable, traced
from solver.rules.arrays import IntArray
from tests.support.expressions import EXPRESSIONS, STATE, WORDS, Expression


def bounds_of(trace: Trace) -> list[tuple[int, int]]:
    return bounds(trace.steps, [(number,) for number in trace.constants])


def test_the_bounds_of_places_to_shift_by_are_narrow() -> None:
    assert bounds_of(traced(lambda state: 9 * (state & 1) + 1))[-1] == (1, 10)
    assert bounds_of(traced(lambda state: 2 - (state & 1)))[-1] == (1, 2)
    assert bounds_of(traced(lambda state: (state & 6) ^ 1))[-1] == (0, 7)
    assert bounds_of(traced(lambda state: (state & 60) & 3 * (state & 1)))[-1] == (0, 3)
    assert bounds_of(traced(lambda state: state << 1))[-1] == ANY


def test_the_bounds_hold_for_all_numbers_that_a_place_may_have() -> None:
    trace = traced(lambda state: (state & 1) + 4)
    assert bounds(trace.steps, [(1,), (4, 60, 7)])[-1] == (4, 61)


@settings(max_examples=300)
@given(EXPRESSIONS, WORDS)
def test_every_result_is_within_its_bounds(expression: Expression, words: NDArray[np.int64]) -> None:
    assume(expression != STATE)
    try:
        trace = traced(expression.of)
    except Untraceable:
        assume(False)
    low, high = bounds_of(trace)[trace.answers[0]]
    results = np.asarray(expression.of(words.view(IntArray))).astype(np.int64)
    assert low <= results.min()
    assert results.max() <= high
