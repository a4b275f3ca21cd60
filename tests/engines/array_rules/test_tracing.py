from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from solver.engines.array_rules.tracing import Trace, Untraceable, templates, traced
from solver.packed import short

TABLE = np.arange(100)


def test_short_keeps_the_values_of_integers_arrays_and_traces() -> None:
    everything = np.arange(-(2**15), 2**15)
    assert short(everything).nbytes == 2 * len(everything)
    assert (short(everything) == everything).all()
    assert short(2**15 - 1) == 2**15 - 1
    assert traced(lambda state: short(state & 63) * 8) == traced(lambda state: (state & 63) * 8)


def test_rule_may_return_a_constant_integer_or_bool() -> None:
    assert traced(lambda _: 7).constants == (7,)
    assert traced(lambda _: True).steps[-1].is_boolean
    assert not traced(lambda _: 1).steps[-1].is_boolean


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(lambda state: 1 if state > 3 else 0, id="branching"),
        pytest.param(lambda state: state > 3 and state < 9, id="and"),
        pytest.param(lambda state: 3 < state < 9, id="a chain"),
        pytest.param(lambda state: not state, id="not"),
        pytest.param(lambda state: state in (1, 2), id="in"),
        pytest.param(lambda state: max(state, 3), id="max"),
        pytest.param(lambda state: {state: 1}, id="hash"),
        pytest.param(lambda state: range(3)[state], id="index"),
        pytest.param(lambda state: TABLE[state], id="table"),
        pytest.param(lambda state: TABLE & state, id="array"),
        pytest.param(lambda state: np.where(state > 3, 1, 0), id="where"),
        pytest.param(lambda state: np.minimum(state, 3), id="ufunc"),
        pytest.param(lambda state: state.bit_count(), id="method"),
        pytest.param(lambda state: state / 2, id="division"),
        pytest.param(lambda state: state // 2, id="floor division"),
        pytest.param(lambda state: state % 2, id="remainder"),
        pytest.param(lambda state: state**2, id="power"),
        pytest.param(lambda state: abs(state), id="abs"),
        pytest.param(lambda state: int(state), id="int"),
        pytest.param(lambda state: (state > 3) + np.True_, id="a truth of NumPy added"),
        pytest.param(lambda state: sum(state >> np.int32(at) for at in (1, 2)), id="int32"),
        pytest.param(lambda state: state & np.uint64(1), id="uint64"),
        pytest.param(lambda state: state + 0.5, id="float"),
        pytest.param(lambda state: state & 2**63, id="64 bits"),
        pytest.param(lambda state: state > -(2**63) - 1, id="65 bits"),
        pytest.param(lambda _: None, id="None"),
        pytest.param(lambda state: (state, 1), id="tuple"),
        pytest.param(lambda _: 1 // 0, id="raising"),
    ],
)
def test_rules_using_more_than_operators_are_untraceable(rule: Callable[[Any], Any]) -> None:
    with pytest.raises(Untraceable):
        traced(rule)


def test_numpy_constants_trace_like_python_integers() -> None:
    plain = traced(lambda state: 6 - (3 & state))
    assert traced(lambda state: np.int64(6) - (np.int64(3) & state)) == plain


def shifted(places: int) -> Trace:
    return traced(lambda state: (state >> places | state >> places + 4) & 1 == 0)


def test_actions_differing_only_in_constants_share_a_template() -> None:
    (family,) = templates({0: shifted(0), 1: shifted(9), 3: shifted(2)})
    assert family.actions == (0, 1, 3)
    assert family.columns == [(0, 9, 2), (4, 13, 6)]
    assert [row for _, row in family.rows()] == [[0, 4], [9, 13], [2, 6]]


def test_repeated_action_constant_has_one_column() -> None:
    def twice(places: int) -> Trace:
        return traced(lambda state: (state >> places) - (1 << places) + (state << places))

    (family,) = templates({action: twice(action) for action in range(3)})
    assert family.columns == [(0, 1, 2), (1, 2, 4)]


def test_actions_with_other_operations_have_other_templates() -> None:
    rules = (lambda s: s + 1, lambda s: s - 1, lambda s: s + 2, lambda s: s + True, lambda _: 0)
    plays = {action: traced(rule) for action, rule in enumerate(rules)}
    plays[5] = traced(lambda s: s, lambda s: s + 1)  # two answers
    assert [family.actions for family in templates(plays)] == [(0, 2), (1,), (3,), (4,), (5,)]
