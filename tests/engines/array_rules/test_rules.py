from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.packed import Packed
from solver.rules.loading import load_game
from tests.support.games.packed import Raise, Reusing, Rising, Upper

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


def test_children_come_with_twice_the_index_of_their_parent_and_its_mover() -> None:
    game: Any = load_game("subtraction", {"heap": 10, "take": [3]})
    children, parents = Rules(game).children(np.array([6, 4, 9, 5]), 0)  # heaps 3, 2, 4 and 2
    assert children.tolist() == [1, 2]
    assert parents.tolist() == [2 * 0 + 0, 2 * 2 + 1]
    assert children.dtype == np.int64
    assert parents.dtype == np.int32


def test_a_rule_may_answer_once_for_all_states() -> None:
    assert Rules(Rising()).utilities(STATES).tolist() == [-1, 1, -1, 1]


def test_plies_are_told_where_the_rules_tell_them() -> None:
    assert Rules(Rising()).optional("ply", STATES) is None
    game: Any = load_game("tictactoe")
    states = np.array([game.parse(text) for text in (".........", "xo..x....")])
    plies = Rules(game).optional("ply", states)
    assert plies is not None
    assert plies.tolist() == [0, 3]


def test_nothing_is_said_of_no_states() -> None:
    game: Any = load_game("tictactoe")
    rules, none = Rules(game), STATES[:0]
    children, parents = rules.children(none, 0)
    for answer in (children, parents, rules.terminal(none), rules.movers(none), rules.canonical(none)):
        assert answer.shape == (0,)


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


def test_a_canonical_state_is_the_one_that_the_rules_choose() -> None:
    assert Rules(Upper()).canonical(STATES).tolist() == [1, 1, 3, 3]
    game: Any = load_game("tictactoe")
    states = np.array([game.parse(text) for text in ("x........", "........x", "..x......")])
    assert len(set(Rules(game).canonical(states).tolist())) == 1
