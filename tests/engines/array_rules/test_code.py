from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.typing import NDArray

from solver.engines.array_rules.code import CodeModule, as_flag, least_answer
from solver.engines.array_rules.instructions import BYTE, CHILDREN_AT_ONCE
from solver.engines.array_rules.tracing import Untraceable, templates, traced
from solver.rules.arrays import IntArray
from tests.support.expressions import EXPRESSIONS, STATE, WORDS, Expression

Words = NDArray[np.int64]


def address(array: NDArray[Any]) -> int:
    return array.ctypes.data


def run(machine: CodeModule, words: Words, out: NDArray[Any]) -> int:
    """What the only kernel of a machine returns; it writes into `out`."""
    return machine.compiled()["kernel"](len(words), address(words), address(out))


@settings(max_examples=150)
@given(EXPRESSIONS, WORDS)
def test_compiled_expression_matches_int64_arrays(expression: Expression, words: Words) -> None:
    assume(expression != STATE)
    machine, out = CodeModule(), np.empty_like(words)
    try:
        trace = traced(expression.of)
    except Untraceable:
        assume(False)
    machine.add_answers("kernel", trace, least_answer)
    bits = run(machine, words, out)
    wanted = np.broadcast_to(np.asarray(expression.of(words.view(IntArray))), words.shape).astype(np.int64)
    assert out.tolist() == wanted.tolist()
    assert bits == np.bitwise_or.reduce(wanted)


@pytest.mark.parametrize("places", [0, 1, 63, 64, 65, 1000, -1, -64])
def test_compiled_shift_matches_int64_for_any_places(places: int) -> None:
    words = np.array([1, -1, 5, -(2**63), 2**63 - 1])
    for symbol in ("<<", ">>"):
        rule = Expression(symbol, STATE, places)
        machine, out = CodeModule(), np.empty_like(words)
        machine.add_answers("kernel", traced(rule.of), least_answer)
        run(machine, words, out)
        assert out.tolist() == rule.of(words).tolist()


def test_as_flag_and_least_answer_reduce_the_answers() -> None:
    words = np.array([-4, 0, 1, 2, 255, 256])
    machine, truths = CodeModule(), np.empty(6, np.uint8)
    machine.add_answers("kernel", traced(lambda state: state), as_flag, BYTE)
    assert run(machine, words, truths) == 1
    assert truths.tolist() == [1, 0, 1, 1, 1, 1]
    machine, least = CodeModule(), np.empty(6, np.int64)
    answers = traced(lambda s: s, lambda s: 9 - s, lambda s: (s == 256) * -1000)
    machine.add_answers("kernel", answers, least_answer)
    run(machine, words, least)
    assert least.tolist() == [-4, 0, 0, 0, -246, -1000]


@cache
def compression(legal: int, *, wide: bool) -> tuple[CodeModule, Any]:
    """What finds the children, and the module that holds its code."""
    plays = {0: traced(lambda s: s & legal, lambda s: s * 3, lambda s: s & 1)}
    machine = CodeModule(wide=wide)
    machine.add_children("kernel", templates(plays)[0])
    return machine, machine.compiled()["kernel"]


def check_compression(states: list[int], legal: int, *, wide: bool) -> None:
    """Look for the children s * 3 of states that share a bit with `legal`, the lowest bit being the mover."""
    _, kernel = compression(legal, wide=wide)
    words, row, size = np.array(states, np.int64), np.empty(0, np.int64), len(states) + 9
    children, parents = np.full(size, -7), np.full(size, -7, np.int32)
    count = kernel(len(states), *(address(array) for array in (words, row, children, parents)))
    assert children[-1] == parents[-1] == -7  # no more than there is room for is written
    at = [nth for nth, state in enumerate(states) if state & legal]
    assert count == len(at)
    assert children[:count].tolist() == [3 * states[nth] for nth in at]
    assert parents[:count].tolist() == [2 * nth + (states[nth] & 1) for nth in at]


LENGTHS = [times * CHILDREN_AT_ONCE + more for times, more in ((1, -1), (1, 0), (1, 1), (2, 0), (3, 5))]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, *LENGTHS])
def test_children_are_compressed_for_any_number_of_states(count: int, wide: bool) -> None:
    for legal in (0, 1, 6, -1):
        states = np.random.default_rng(count).integers(0, 2**60, count)
        check_compression(states.tolist(), legal, wide=wide)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 2**61), max_size=60), st.integers(0, 255), st.booleans())
def test_only_children_by_legal_actions_remain(states: list[int], legal: int, wide: bool) -> None:
    check_compression(states, legal, wide=wide)


@pytest.mark.parametrize("wide", [False, True])
def test_faulty_children_are_reported_only_for_legal_actions(wide: bool) -> None:
    words = np.arange(20)

    def count(child: Any, mover: Any) -> int:
        machine = CodeModule(wide=wide)
        machine.add_children("kernel", templates({0: traced(lambda s: s < 10, child, mover)})[0])
        arrays = (words, words, np.empty(28, np.int64), np.empty(28, np.int32))
        return machine.compiled()["kernel"](len(words), *(address(array) for array in arrays))

    assert count(lambda s: 9 - s, lambda _: 0) == 10
    assert count(lambda s: 8 - s, lambda _: 0) == -1
    assert count(lambda s: s, lambda s: (s == 10) * 2) == 10
    assert count(lambda s: s, lambda s: (s == 9) * 2) == -1
    assert count(lambda s: s, lambda s: (s == 3) * -1) == -1
    assert count(lambda s: s, lambda s: (s == 3) * 256) == -1


@pytest.mark.parametrize("places", [(0, 3), (60, 64), (-1, 5), (63, 2**63 - 1), (-(2**63), 2**63 - 1)])
def test_each_action_shifts_by_its_own_number_of_places(places: tuple[int, int]) -> None:
    words, children, parents = np.arange(40), np.empty(48, np.int64), np.empty(48, np.int32)
    rules = (lambda s, n=n: (s >> n) + (s << n & 1023) for n in places)
    plays = {action: traced(lambda s: s >= 0, rule, lambda _: 0) for action, rule in enumerate(rules)}
    (template,) = templates(plays)
    machine = CodeModule()
    machine.add_children("kernel", template)
    for action, row in template.rows():
        arrays = (words, np.array(row, np.int64), children, parents)
        assert machine.compiled()["kernel"](40, *(address(array) for array in arrays)) == 40
        wanted = (words >> places[action]) + (words << places[action] & 1023)
        assert children[:40].tolist() == wanted.tolist()
