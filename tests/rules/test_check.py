"""Rules with one fault each: `check` reports it, with a state in which it occurs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from solver import solve
from solver.errors import BrokenRules
from solver.game import Game, Symmetry
from solver.games.mnk import MNK, TicTacToe
from solver.games.quixo import Quixo
from solver.rules.check import check, misspelled
from solver.rules.check.symmetry import refuse_false_symmetries
from solver.rules.loading import load_game
from solver.system.plugins import entries
from tests.support.commandline import call
from tests.support.games.misbehaving import Fork, failing, turned
from tests.support.games.packed import ExchangedTable

TURNS, EVERY_THIRD = count(), cycle((1, 0, 0))


class Loose:
    """A state that can be changed, and whose hash is what it was made with or anything."""

    def __init__(self, moves: list[str], *, steady: bool = True) -> None:
        self.moves, self.steady = moves, steady

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loose) and self.moves == other.moves

    def __hash__(self) -> int:
        return 1 if self.steady else next(TURNS)

    def __repr__(self) -> str:
        return f"Loose({self.moves})"


class Changing(Fork):
    """Its states are objects that a move changes."""

    initial = Loose([])

    def to_move(self, state: Any) -> Any:
        return 0

    def actions(self, state: Any) -> Any:
        return ("go",) if len(state.moves) < 3 else ()

    def result(self, state: Any, action: Any) -> Any:
        state.moves.append(action)
        return state

    def position(self, state: Any) -> str:
        return "-".join(["root", *state.moves])

    def parse(self, text: str) -> Any:
        return Loose(text.split("-")[1:])

    def symmetries(self) -> Sequence[Symmetry[Any, Any]]:
        return ()


class Unsteady(Changing):
    """Equal states have different hashes."""

    initial = Loose([], steady=False)

    def result(self, state: Any, action: Any) -> Any:
        return Loose([*state.moves, action], steady=False)


def several(*states: Any) -> Any:
    return lambda self: states


A_SCORE = "utility should be an integer below 2**63, signs aside"

FAILING = ["to_move", "result", "utility", "position", "parse", "action_name", "states_at_most"]

BROKEN = [
    *((rule, failing, f"{rule} raises ZeroDivisionError: division by zero") for rule in FAILING),
    ("symmetries", failing, "the rules of Broken fail in symmetries: ZeroDivisionError"),
    ("canonical", failing, "'root': canonical raise ZeroDivisionError"),
    ("to_move", lambda self, state: 2, "'root': to_move should be 0 or 1, not 2"),
    ("to_move", lambda self, state: "x", "to_move should be 0 or 1, not 'x'"),
    ("to_move", lambda self, state: next(TURNS) % 2, "when asked again"),
    ("to_move", lambda self, state: next(EVERY_THIRD), "when asked again"),
    ("actions", lambda self, state: count(), "more than 100,000 actions"),
    ("actions", lambda self, state: "ll" if state == "root" else (), "two actions have the same name, 'l'"),
    ("actions", lambda self, state: 5, "actions should be a list or a tuple, not 5"),
    ("actions", lambda self, state: [None] if state == "root" else (), "'root': None is an action"),
    ("actions", lambda self, state: [["go"]] if state == "root" else (), "action ['go'] cannot be hashed"),
    ("actions", lambda self, state: [next(TURNS)] if state == "root" else (), "actions is"),
    ("is_terminal", lambda self, state: True, "'root': the game is over, but there are actions"),
    ("is_terminal", lambda self, state: False, "the game is not over, but there are no actions"),
    ("result", lambda self, state, action: None, "leads to None"),
    ("result", lambda self, state, action: ["end"], "the state ['end']: it cannot be hashed"),
    ("result", lambda self, state, action: f"end {Random().random()}", "and when played again to"),
    ("utility", lambda self, state: 0.5, f"'end left': {A_SCORE}, not 0.5"),
    ("utility", lambda self, state: None, f"{A_SCORE}, not None"),
    ("utility", lambda self, state: state == "end left", f"'end left': {A_SCORE}, not True"),
    ("utility", lambda self, state: 2**63, f"{A_SCORE}, not 9223372036854775808"),
    ("utility", lambda self, state: next(TURNS), "utility is"),
    ("position", lambda self, state: "same", "it stands for two states"),
    ("position", lambda self, state: f"{state}\n", "position should be a text in one line"),
    ("position", lambda self, state: f"{state} ", "without blanks around it, not 'root '"),
    ("position", lambda self, state: 5, "position should be a text in one line"),
    ("parse", lambda self, text: "root", "but read as 'root'"),
    ("actions", lambda self, state: {*Fork.actions(self, state)}, "not a set, whose order changes from run"),
    ("action_name", lambda self, action: 1.5, "should be a number or a text in one line, not 1.5"),
    ("action_name", lambda self, action: f" {action}", "should neither be empty nor have blanks"),
    ("action_name", lambda self, action: "", "should neither be empty nor have blanks"),
    ("action_name", lambda self, action: "a", "two actions have the same name, 'a'"),
    ("action_name", lambda self, action: 1 if action == "left" else "r", "some by texts"),
    ("action_name", lambda _, name: 2**63 + len(name), "should be an integer of 64 bits, not 92233720"),
    ("show", lambda self, state: None, "show should be a text"),
    ("board", lambda self, state: [[0]], "board should be rows of texts"),
    ("cell_names", property(lambda self: [[0]]), "cell_names should be rows of texts"),
    ("cell_names", property(failing), "the rules of Broken fail in cell_names: ZeroDivisionError"),
    ("title", property(lambda self: "two\nlines"), "title of Broken should be a text in one line"),
    ("states_at_most", lambda self: 2, "states_at_most is 2, but play reaches 3 states"),
    ("initial", property(failing), "the initial state: the rules raise"),
    ("initial", ["root"], "cannot be hashed"),
    ("initial_states", several(), "the initial states: there are none"),
    ("initial_states", several("end left", "root"), "the first is 'end left', but initial is 'root'"),
    ("symmetries", several(Symmetry(lambda s: "root", turned)), "symmetry 1 is wrong"),
    ("symmetries", several(Symmetry(lambda s: None, turned)), "symmetry 1 is wrong: the image is None"),
    ("symmetries", several(Symmetry(turned, lambda a: a)), "leads to 'end left', not to 'end right'"),
    ("symmetries", several(Symmetry(turned, lambda a: "up")), "the actions are"),
    ("canonical", lambda *_: "root", "canonical is the position 'root', which is not symmetric to it"),
    ("canonical", lambda self, state: state, "its class has two canonical states"),
    ("canonical", lambda self, state: None, "'root': canonical is None, which cannot be a state"),
]


@pytest.mark.parametrize(("rule", "broken", "words"), BROKEN)
def test_broken_rules_are_found(rule: str, broken: Any, words: str) -> None:
    actual = check(type("Broken", (Fork,), {rule: broken})())
    assert any(words in fault for fault in actual.faults), actual.faults


@pytest.mark.parametrize(
    ("rule", "broken", "fault"),
    [
        ("initial", None, "the initial state: it is None, which cannot be a state"),
        ("board", lambda self, state: [[0]], "board should be rows of texts, not [[0]], in the state 'root'"),
        (
            "result",
            lambda self, state, action: None,
            "the position 'root': the action 'left' leads to None, which cannot be a state",
        ),
        (
            "result",
            lambda self, state, action: np.array([1, 2]),
            "the state array([1, 2]): it cannot be hashed: make it a tuple or a text",
        ),
    ],
)
def test_one_mistake_is_one_fault_line(rule: str, broken: Any, fault: str) -> None:
    members = {rule: broken, "symmetries": Game.symmetries}
    assert check(type("Broken", (Fork,), members)()).faults == (fault,)


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ((None, 0), "canonical raise TypeError: '<' not"),
        ((frozenset({1}), frozenset({2})), "its class has two canonical states"),
    ],
)
def test_unordered_states_need_their_own_canonical(marks: Any, words: str) -> None:
    members = {
        "initial": marks,
        "actions": lambda self, state: (),
        "symmetries": several(Symmetry(lambda state: state[::-1], lambda action: action)),
        "position": lambda self, state: "ab"[state == self.initial],
        "parse": lambda self, text: self.initial if text == "b" else self.initial[::-1],
    }
    (fault,) = check(type("Unordered", (Fork,), members)()).faults
    assert words in fault
    assert fault.endswith("; states that < does not put in order need a canonical of their own")


class Mixed(Fork):
    """The move of one state is named by a text, that of the next one by a number."""

    def actions(self, state: str) -> Sequence[str]:
        return {"root": ("left",), "end left": ("right",)}.get(state, ())

    def utility(self, state: str) -> int:
        return 0

    def action_name(self, action: str) -> str | int:
        return 1 if action == "right" else action

    def symmetries(self) -> Sequence[Symmetry[str, str]]:
        return ()


class Returning(Fork):
    """Play returns to the start, where a number tells who moves; elsewhere a truth value does."""

    initial = (0, 0)
    to_move = lambda self, state: int(state[1])  # noqa: E731
    actions = lambda self, state: () if state[0] else ("go", "end")  # noqa: E731
    result = lambda self, state, action: (int(action == "end"), not state[1])  # noqa: E731
    symmetries = Game.symmetries


class Twofold(Fork):
    """Both moves lead on to a last one, by actions that are equal and are written as two texts."""

    symmetries = Game.symmetries

    def actions(self, state: str) -> Any:
        return {"end left": [("go", 1)], "end right": [("go", True)]}.get(state, super().actions(state))

    def result(self, state: str, action: Any) -> str:
        return "over" if action == ("go", 1) else f"end {action}"


def test_mixed_kinds_of_action_names_are_found(tmp_path: Path) -> None:
    (fault,) = check(Mixed()).faults
    assert fault == "the position 'end left': some actions are named by numbers, some by texts: ['left', 1]"
    with pytest.raises(BrokenRules, match="some actions by numbers, some by texts"):
        solve(Mixed(), tmp_path / "mixed.db")


def test_equal_states_or_actions_with_two_texts_are_refused(tmp_path: Path) -> None:
    state = "the position '(0, True)': a move leads to '(0, False)', which equals '(0, 0)'"
    action = "the position 'end right': one action is named \"('go', 1)\", an equal one \"('go', True)\""
    faults = {
        Returning: f"{state}: equal states need one text",
        Twofold: f"{action}: equal actions need one name",
    }
    for rules, fault in faults.items():
        assert check(rules()).faults == (fault,)
        with pytest.raises(BrokenRules, match="`perfectplay check` says where"):
            solve(rules(), tmp_path / "new.db")


def test_misspelled_members_are_named() -> None:
    members = {"evalute": None, "bord": None, "boards_seen": None, "_lok": None, "terminal_test": None}
    assert misspelled(type("Odd", (Fork,), members)()) == [
        "Odd has bord, which nothing asks for: did you mean board?",
        "Odd has evalute, which nothing asks for: did you mean evaluate?",
        "Odd has terminal_test, which nothing asks for: did you mean is_terminal?",
    ]
    assert all(not misspelled(load_game(name)) for name in entries("games"))


def test_cell_names_must_fit_the_board() -> None:
    actual = check(type("Named", (MNK,), {"cell_names": [["a", "b"], ["c", "d"]]})(3, 2, 2))
    assert "cell_names has rows of 2, 2 names, and the board rows of 2, 2, 2 cells" in actual.faults
    assert check(MNK(3, 2, 2)).faults == ()


def test_mutable_states_are_found() -> None:
    assert any("playing in it has changed it" in fault for fault in check(Changing()).faults)
    assert any("hash" in fault for fault in check(Unsteady()).faults)


def test_sound_rules_have_no_fault() -> None:
    assert check(Fork()).faults == ()
    assert (check(Fork()).states, check(Fork()).whole) == (3, True)
    assert (check(MNK(2, 2, 2)).states, check(MNK(2, 2, 2)).whole) == (29, True)
    many = check(TicTacToe(), states=300)
    assert (many.faults, many.whole) == ((), False)
    assert many.states > 300
    assert check(TicTacToe(), states=300) == many
    assert check(MNK(2, 2, 2), states=28).whole is False
    assert check(MNK(2, 2, 2), states=29).whole is True


def test_packed_actions_out_of_order_are_found() -> None:
    """A proof refuses them: sites and lookups of many states take actions by their numbers."""
    backwards = {"actions": lambda self, state: list(MNK.actions(self, state))[::-1]}
    (fault,) = check(type("Backwards", (MNK,), backwards)(2, 2, 2)).faults
    assert "actions gives the actions [3, 2, 1, 0], but by legal they are [0, 1, 2, 3]" in fault


def test_symmetries_are_requested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game, symmetries, asked = TicTacToe(), TicTacToe().symmetries(), count()

    def counted(_: TicTacToe) -> Any:
        next(asked)
        return symmetries

    monkeypatch.setattr(TicTacToe, "symmetries", counted)
    refuse_false_symmetries(game, [game.result(game.initial, action) for action in range(9)])
    assert next(asked) == 1


def apart(one: Any, many: Any) -> Any:
    """A rule that is `one` for a single state and `many` for an array."""
    return lambda self, state, *action: (one if isinstance(state, int) else many)(self, state, *action)


PACKED = [
    ({"action_count": 3, "actions": lambda _, state: () if state else (0, 3)}, "the action 3 is not below"),
    ({"initial": -2}, "a packed state should be an integer from 0"),
    ({"result": lambda self, state, action: state + 2**63}, "below 2**63"),
    ({"to_move": apart(MNK.to_move, lambda self, state: 0)}, "to_move is 1 for the state alone, but 0"),
    ({"to_move": apart(MNK.to_move, failing)}, "to_move raises ZeroDivisionError for an array of states"),
    ({"is_terminal": apart(MNK.is_terminal, lambda self, state: state > 99)}, "is_terminal is"),
    ({"utility": apart(MNK.utility, lambda self, state: 2)}, "utility is 1 for the state alone, but 2"),
    ({"legal": apart(MNK.legal, lambda self, state, action: state > 0)}, "legal is True for the state alone"),
    ({"result": apart(MNK.result, lambda self, state, action: state / 1)}, "result is"),
    (
        {"ply": apart(MNK.ply, lambda self, state: MNK.ply(self, state).astype(np.uint64))},
        "should be integers up to int64, not uint64",
    ),
    ({"symmetries": several(Symmetry(lambda state: int(state), lambda action: action))}, "symmetry 1 raises"),
    ({"ply": lambda self, state: state & 1}, "its ply is 1, but that of its child"),
    ({"ply": apart(MNK.ply, lambda self, state: 0)}, "ply is 1 for the state alone, but 0"),
    ({"tier": lambda self, state: -self.ply(state)}, "its tier is 0, but that of its child"),
    ({"tier": lambda self, state: min(self.ply(state), 1) * 2**63}, "its tier should be an integer"),
    ({"tier": lambda self, state: 0.5}, "its tier should be an integer, not 0.5"),
    ({"tier": lambda self, state: state}, "that of its image"),
    ({"tier": apart(MNK.ply, lambda self, state: 0)}, "tier is 1 for the state alone, but 0"),
    ({"candidates": lambda self, state: range(1, 4)}, "candidates gives the actions [1, 2, 3], but by legal"),
    ({"candidates": lambda self, state: range(3, -1, -1)}, "candidates gives the actions [3, 2, 1, 0], but"),
    ({"actions": lambda _, state: () if state else (0, 1)}, "actions gives the actions [0, 1], but by legal"),
    ({"tier": apart(MNK.ply, failing)}, "tier raises ZeroDivisionError for an array of states"),
]
"""Integers that are left, and answers that differ for arrays, in tic-tac-toe on two by two cells."""

EXCHANGES = [
    ({"exchanged": lambda self, state: state}, "for which to_move is 0, not 1"),
    ({"exchanged": lambda self, state: state + 1}, "and that of it 2"),
    ({"exchanged": lambda self, state: state ^ 1}, "the moves of which do not lead to what is exchanged for"),
    ({"utility": lambda self, state: 1}, "for which utility is 1, not -1"),
    ({"tier": lambda self, state: state}, "for which tier is 1, not 0"),
    ({"parse": lambda self, text: 0}, "which is not read as it is written"),
    ({"exchanged": failing}, "exchanged raises ZeroDivisionError"),
    ({"exchanged": apart(Quixo.exchanged, lambda self, state: 0)}, "but 0 for it in an array"),
]
"""Wrong exchanges of the players, in Quixo on two by two cells."""


@pytest.mark.parametrize(
    ("sound", "rules", "words"), [(MNK, *case) for case in PACKED] + [(Quixo, *case) for case in EXCHANGES]
)
def test_broken_packed_rules_are_found(sound: Any, rules: dict[str, Any], words: str) -> None:
    actual = check(type("Broken", (sound,), rules)(2, 2, 2))
    assert any(words in fault for fault in actual.faults), actual.faults


def test_exchange_of_players_with_double_moves_is_found() -> None:
    twice = ExchangedTable(1, 1, (1, -1, 3, -1), (0, 0, 1, 1), (0, 1, 0, -1), tells=False)
    assert check(replace(twice, movers=(0, 1, 1, 0), utilities=(0, 1, 0, -1))).faults == ()
    actual = check(twice)
    assert any("a move does not change who is to move" in fault for fault in actual.faults), actual.faults


def test_random_games_find_a_fault_deep_in_a_large_game() -> None:
    def utility(self: MNK, state: Any) -> Any:
        return MNK.utility(self, state) if self.position(state).count(".") else 0.5

    actual = check(type("Broken", (MNK,), {"utility": utility})(3, 4, 4), states=500)
    assert any(f"{A_SCORE}, not 0.5" in fault for fault in actual.faults)


def test_command_reports_sound_rules_in_one_line() -> None:
    result = call("check", "mnk", "rows=2", "columns=2", "k=2")
    assert (result.exit_code, result.stdout) == (0, "mnk: no fault found in all 29 states.\n")
    said = call("check", "tictactoe", "--states", "100").stdout
    assert said == "tictactoe: no fault found in 150 states; the game has more, which were not tested.\n"
    assert call("check", "chess-960").exit_code == 2
