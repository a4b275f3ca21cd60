"""What can be a packed state, of the many things that rules may return for one."""

from typing import Any

import numpy as np
import pytest

from solver.rules.notation import is_state


@pytest.mark.parametrize("state", [0, True, 2**63 - 1, np.int64(2**62), np.uint8(3), np.uint64(2**63 - 1)])
def test_integers_of_python_and_numpy_are_states(state: Any) -> None:
    assert is_state(state)


@pytest.mark.parametrize(
    "other", [-1, 2**63, np.int64(-(2**40)), np.uint64(2**63), 1.5, "1", None, (1,), [1]]
)
def test_what_is_no_such_integer_is_no_state_and_that_takes_no_time(other: Any) -> None:
    assert not is_state(other)
