from typing import Any

import numpy as np
import pytest

from solver.engines.array_rules.code import CodeModule
from solver.engines.array_rules.necessity import needed
from solver.engines.array_rules.tracing import templates, traced
from solver.packed import Packed


def far(state: Packed) -> Packed:
    """A number that takes many steps."""
    number = state
    for nth in range(12):
        number = (number ^ (number << nth)) + nth
    return number


def legal(state: Packed) -> Packed:
    """Whether a state of two kinds has a move; the first terms of each kind tell most."""
    of_one = (state & 7 == 1) & (far(state) & 1 == 0)
    of_other = (far(state) & 3 != 2) & (state & 7 == 2) & (state < 900)
    return of_one | of_other


def test_what_is_needed_is_cheap_and_never_wrong() -> None:
    trace = traced(legal, far, lambda state: state & 1)
    actual = needed(trace.steps, trace.answers)
    assert actual is not None
    steps, last = actual
    values: list[Any] = []
    states = np.arange(2000)
    for step in steps:
        left, right = (values[at] if at < len(values) else 0 for at in step[1:3])
        constant = trace.constants[step.left] if step.symbol == "constant" else 0
        values.append(
            states
            if step.symbol == "state"
            else constant
            if step.symbol == "constant"
            else eval(f"left {step.symbol} right", {"left": left, "right": right})
        )
    wanted = ((states & 7 == 1) | (states & 7 == 2)) & ~((states & 7 == 2) & (states >= 900))
    assert (values[last] == wanted).all()


def test_short_rules_and_those_without_a_cheap_term_are_left_as_they_are() -> None:
    for rule in (lambda state: (state == 1) & (state < 5), lambda state: far(state) & 1 == 0, far):
        trace = traced(rule, lambda state: state + 1)
        assert needed(trace.steps, trace.answers) is None


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("count", [0, 1, 7, 1023, 1024, 1025, 5000])
def test_sifted_states_have_the_children_of_all(count: int, wide: bool) -> None:
    machine = CodeModule(wide=wide)
    (template,) = templates({0: traced(legal, lambda state: far(state) & 0xFFFF, lambda state: state & 1)})
    machine.add_children("kernel", template)
    keys = np.random.default_rng(count).integers(0, 2000, count)
    children, parents = np.empty(count + 8, np.int64), np.empty(count + 8, np.int32)
    places = (item.ctypes.data for item in (keys, np.empty(1, np.int64), children, parents))
    total = machine.compiled()["kernel"](count, *places)
    states = np.flatnonzero(legal(keys))
    assert children[:total].tolist() == (far(keys[states]) & 0xFFFF).tolist()
    assert parents[:total].tolist() == (2 * states + (keys[states] & 1)).tolist()
