from dataclasses import dataclass

import numpy as np
import pytest

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.packed import Packed
from tests.support.games.packed import Raise, Reusing, Rising

STATES = np.arange(4, dtype=np.int64)


@dataclass(frozen=True)
class Halves(Rising):
    """A ladder whose ends are worth fractions."""

    def utility(self, state: Packed) -> Packed:
        return state / 2


@dataclass(frozen=True)
class Careless(Rising):
    """A ladder whose rules change what they are given."""

    def result(self, state: Packed, action: int) -> Packed:
        state[:] += 1
        return state


def test_fractions_are_refused() -> None:
    with pytest.raises(BrokenRules, match="not integers but float64"):
        Rules(Halves()).utilities(STATES)


def test_rules_that_raise_are_named() -> None:
    with pytest.raises(BrokenRules, match="Raise fail in is_terminal for an array of states: ValueError: no"):
        Rules(Raise()).terminal(STATES)


def test_rules_that_change_what_they_are_given_are_refused() -> None:
    states = STATES.copy()
    with pytest.raises(BrokenRules, match="read-only"):
        Rules(Careless()).children(states, 0)
    assert (states == STATES).all()


def test_a_name_that_is_used_again_leaves_the_states_as_they_are() -> None:
    states = STATES.copy()
    assert Rules(Reusing()).children(states, 0)[0].tolist() == [1, 2, 3, 4]
    assert (states == STATES).all()
