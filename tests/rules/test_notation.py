"""Packed states, the states that the default `parse` reads, and cached texts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver.errors import BrokenRules, UnreadablePosition
from solver.game import AnyGame
from solver.rules.notation import is_state, read_position, write_action, write_child, write_position
from tests.support.games.misbehaving import Fork

STATES = [0, True, 2**63 - 1, np.int64(2**62), np.uint8(3), np.uint64(2**63 - 1)]
OTHERS = [-1, 2**63, np.int64(-(2**40)), np.uint64(2**63), 1.5, "1", None, (1,), [1]]


@pytest.mark.parametrize("value", [*STATES, *OTHERS])
def test_packed_states_are_integers_below_2_to_the_63(value: Any) -> None:
    assert is_state(value) == any(value is state for state in STATES)


class Hand(NamedTuple):
    name: str
    cards: tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    mover: int
    hands: tuple[Hand, ...]


@dataclass(frozen=True)
class Cards(Fork):
    """Rules of which only the way to write states counts."""

    first: Any = Table(0, (Hand("a", (1, 2)),))

    @property
    def initial(self) -> Any:
        return self.first


floats = st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | floats
hands = st.builds(Hand, st.text(), st.lists(leaves | st.tuples(leaves)).map(tuple))
tables = st.builds(Table, st.integers(), st.lists(hands).map(tuple))


@settings(max_examples=40)
@given(st.one_of(tables, hands, st.tuples(st.integers(), tables), st.integers()))
def test_dataclass_and_namedtuple_states_are_read_back(state: Any) -> None:
    game = Cards(state)
    assert game.parse(game.position(state)) == state
    assert game.parse(f" {game.position(state)} ") == state


@pytest.mark.parametrize(
    "text",
    [
        *("", "7", "(", "(" * 2000, "st.none()", "Table(mover=0)", "Table(**{})", "Tables(0, ())"),
        *("Table.Table(0, ())", "Table(0, (Fraction(1),))", "Table(0, (print(1),))"),
        "Cards(1) and Table(0, ())",
    ],
)
def test_other_texts_are_refused_without_evaluation(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnreadablePosition, match=r"it should be like .Table"):
        Cards().parse(text)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("mover", "words"),
    [(Fraction(1, 2), "need a position and a parse of their own"), (np.int8(1), "without NumPy's numbers")],
)
def test_states_without_a_readable_text_are_refused(mover: Any, words: str) -> None:
    game = Cards(replace(Cards().initial, mover=mover))
    with pytest.raises(UnreadablePosition, match=words):
        game.parse(game.position(game.initial))


@dataclass(frozen=True)
class Written(Cards):
    """Rules whose texts show the types of all parts, and their own name."""

    name: str = ""

    def position(self, state: Any) -> str:
        return f"{self.name} {state!r}"

    def action_name(self, action: Any) -> str:
        return f"{self.name} plays {action!r}"


class Ending(Written):
    """Rules whose texts end in the character 0."""

    def position(self, state: Any) -> str:
        return "position\0"

    def action_name(self, action: Any) -> str:
        return "move\0"


@pytest.mark.parametrize("write", [write_position, write_action])
def test_texts_ending_in_nul_are_refused(write: Callable[[AnyGame, Any], object]) -> None:
    with pytest.raises(BrokenRules, match="it ends in the character 0, which is lost in tables"):
        write(Ending(), Ending().initial)
    with pytest.raises(UnreadablePosition, match="ends in the character 0, as none does"):
        read_position(Ending(), "position\0")


PARTS = st.sampled_from(
    [
        *(0, 1, True, False, 1.0, -0.0, 0.0, "1", b"1", None, (1,), (True,), Hand("a", ())),
        *(np.uint8(255), np.int8(-1), b"\xff", np.bool_(True), np.int8(1), np.str_("s"), "s", frozenset("s")),
        *(frozenset({np.uint8(255)}), frozenset({np.int8(-1)}), {1: np.uint8(255)}, {1: np.int8(-1)}),
    ]
)


@given(st.lists(st.tuples(st.sampled_from("ab"), PARTS | st.tuples(PARTS, PARTS))))
def test_cached_texts_equal_those_of_the_rules(asked: list[tuple[str, Any]]) -> None:
    games = {name: Written(name=name) for name in "ab"}
    for name, value in asked:
        assert write_child(games[name], value) == f"{name} {value!r}"
        assert write_action(games[name], value) == f"{name} plays {value!r}"


@pytest.mark.parametrize(("length", "asked"), [(10, 1), (2000, 2)])
def test_long_text_is_not_cached(length: int, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written = iter([length * "x"] * asked)
    monkeypatch.setattr(Written, "position", lambda _, state: next(written))
    game = Written()
    assert write_child(game, (1, 2)) == write_child(game, (1, 2)) == length * "x"
    assert list(written) == []
