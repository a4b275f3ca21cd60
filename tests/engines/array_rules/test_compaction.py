import numpy as np
import pytest

from solver.engines.array_rules.code import CodeModule
from solver.engines.array_rules.tracing import templates, traced
from solver.packed import Packed


def far(state: Packed) -> Packed:
    """A number that takes many steps."""
    number = state
    for nth in range(12):
        number = (number ^ (number << nth)) + nth
    return number


def legal(state: Packed) -> Packed:
    """Whether a state of two kinds has a move."""
    of_one = (state & 7 == 1) & (far(state) & 1 == 0)
    of_other = (far(state) & 3 != 2) & (state & 7 == 2) & (state < 900)
    return of_one | of_other


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("count", [0, 1, 7, 1023, 1024, 1025, 5000])
def test_a_kernel_has_the_legal_children_of_all_states(count: int, wide: bool) -> None:
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
