from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.packed import Packed
from solver.rules.arrays import Keys
from tests.support.games.packed import Raise, Reusing, Rising

STATES = np.arange(4, dtype=np.int64)


HALVES = type("Halves", (Rising,), {"utility": lambda self, state: state / 2})


@dataclass(frozen=True)
class Careless(Rising):
    """A ladder whose rules change what they are given."""

    def result(self, state: Packed, action: int) -> Packed:
        state[:] += 1
        return state


class Silent(Rising):
    """A ladder whose rules do not say which actions are legal."""

    def legal(self, state: Packed, action: int) -> Any:
        return None


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (partial(Rules(Silent()).children, action=0), "fail in legal: .* not integers but None"),
        (Rules(HALVES()).utilities, "not integers but float64"),
        (Rules(Raise()).terminal, "Raise fail in is_terminal for an array of states: ValueError: no"),
        (partial(Rules(Careless()).children, action=0), "read-only"),
    ],
)
def test_invalid_or_failing_array_rules_are_refused(ask: Callable[[Keys], object], words: str) -> None:
    states = STATES.copy()
    with pytest.raises(BrokenRules, match=words):
        ask(states)
    assert (states == STATES).all()


def test_reassigning_rules_leave_the_states_unchanged() -> None:
    states = STATES.copy()
    assert Rules(Reusing()).children(states, 0)[0].tolist() == [1, 2, 3, 4]
    assert (states == STATES).all()
