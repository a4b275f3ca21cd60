"""Games for aima-python, or after its textbook's pseudocode, are solved unchanged."""

import json
import pickle
from collections import defaultdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from solver import load_game, open_database, solve, verify_database
from solver.errors import BrokenRules, TooLarge, UnknownGame, UnreadablePosition
from solver.game import AnyGame
from solver.rules import textbook
from solver.rules.textbook.frozen import frozen, in_order
from tests.support.commandline import Finished, run_one_by_one
from tests.support.solved import solving
from tests.support.textbook_rules import GAMES


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("textbook") / "games.py"
    file.write_text(GAMES)
    return file


def minimax_of(rules: Any, state: Any) -> int:
    """The value for the player to move at the start, as the pseudocode of the textbook defines it."""
    player = rules.to_move(rules.initial)

    def value(state: Any) -> int:
        if rules.is_terminal(state) if hasattr(rules, "is_terminal") else rules.terminal_test(state):
            return int(rules.utility(state, player))
        best = max if rules.to_move(state) == player else min
        return best(value(rules.result(state, move)) for move in rules.actions(state))

    return value(state)


@pytest.mark.parametrize(
    ("name", "states", "terminal", "value"),
    [
        ("Fig52Game", 13, 9, 3),  # Russell and Norvig, Figure 5.2
        pytest.param("TicTacToe", 5478, 958, 0, marks=pytest.mark.slow),
        ("Rows", 5478, 958, 0),  # OEIS A008907
        ("Shuffled", 129, 72, None),
        ("small", 17, 8, None),
        ("Lamp", None, None, None),
    ],
)
def test_textbook_game_is_solved_unchanged(
    rules: Path, tmp_path: Path, name: str, states: int | None, terminal: int | None, value: int | None
) -> None:
    game = load_game(f"{rules}:{name}")
    actual = solve(game, tmp_path / "game.db")
    assert (states, terminal) in ((None, None), (actual.states, actual.terminal))
    own = game._rules  # type: ignore[attr-defined]
    assert actual.value == (minimax_of(own, own.initial) if value is None else value)
    with open_database(tmp_path / "game.db") as db:
        assert all(db.game.position(db.game.parse(position)) == position for position in db)


@pytest.mark.parametrize(
    ("name", "start", "texts"),
    [
        ("Shuffled", "X .../...", {"O .../.X."}),
        ("Rows", "X .../.../...", {"O .../.X./..."}),
        ("Fig52Game", "A", {"B", "D3"}),
        (
            "Lamp",  # of which two states share the player and the board
            "(('board', (('lamp', False),)), ('moves', ('leave', 'switch')), "
            "('to_move', 'X'), ('utility', 0))",
            {"(('board', (('lamp', False),)), ('moves', ()), ('to_move', 'O'), ('utility', 1))"},
        ),
    ],
)
def test_positions_are_player_and_board_or_all(rules: Path, name: str, start: str, texts: set[str]) -> None:
    game = load_game(f"{rules}:{name}")
    assert game.position(game.initial) == start
    assert {game.position(game.parse(text)) for text in texts} == texts
    with pytest.raises(UnreadablePosition, match="of a state that play reaches"):
        game.parse("X XXX/.../...")


def test_boards_are_drawn(rules: Path) -> None:
    game = load_game(f"{rules}:Rows")
    assert game.board(game.parse("O .../.X./...")) == [["", "", ""], ["", "X", ""], ["", "", ""]]
    game = load_game(f"{rules}:TicTacToe", {"h": "2", "k": "2"})
    assert game.board(game.parse("O .../.X.")) == [["", "", ""], ["", "X", ""]]
    assert game.show(game.initial) == "1-1 1-2 1-3\n2-1 2-2 2-3"
    game = load_game(f"{rules}:Low")
    assert game.show(game.initial) == ". . .\n. . ."
    for name in ("Fig52Game", "Lamp"):
        game = load_game(f"{rules}:{name}")
        assert game.board(game.initial) is None


class Cached:
    """An object that tells itself what it is equal to."""

    def __init__(self, number: int, hits: int) -> None:
        self.number, self.hits = number, hits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cached) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)


def read(board: "defaultdict[int, str]") -> "defaultdict[int, str]":
    assert board[5] == "."  # which adds it
    return board


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"moves": [1, 2]}, {"moves": [2, 1]}, True),
        ({"board": [1, 2]}, {"board": [2, 1]}, False),
        ([1, {2, 3}], (1, {3, 2}), True),
        (Cached(1, 2), Cached(1, 3), True),
        ((np.int64(3), np.array([[0, 1]]), np.array(2)), (3, [[0, 1]], 2), True),
        ({1: "a", "1": None}, {"1": None, 1: "a"}, True),
        ((bytearray(b"xo"), {"kind": Finished}), ([120, 111], {"kind": Finished}), True),
        (MappingProxyType({"a": [1]}), {"a": (1,)}, True),
        (read(defaultdict(lambda: ".", {1: "x"})), defaultdict(lambda: ".", {1: "x"}), True),
    ],
)
def test_states_are_compared_by_content(one: Any, other: Any, same: bool) -> None:
    assert (frozen(one) == frozen(other)) is same
    assert hash(frozen(one)) == hash(frozen(one))


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("Game", BrokenRules, "lack initial"),
        ("NoStart", BrokenRules, "lack initial"),
        ("NoEnd", UnknownGame, "it lacks terminal_test or is_terminal"),
        ("NoRules", UnknownGame, "to_move, actions, result, utility, terminal_test or is_terminal"),
        ("Unfair", BrokenRules, "utility should be zero-sum, not 1 for one and 1 for the other"),
        ("Three", BrokenRules, "3 moves, a third player beside 1 and 2"),
        ("Namesakes", BrokenRules, "two players have one name: 1 and '1'"),
    ],
)
def test_unfit_rules_are_refused_with_the_reason(
    rules: Path, tmp_path: Path, name: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        solve(load_game(f"{rules}:{name}"), tmp_path / "game.db")


def test_too_many_states_are_refused(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textbook, "MAX_STATES", 1000)
    game = load_game(f"{rules}:TicTacToe", {"k": "2", "h": "4"})
    for asked in (lambda: solve(game, tmp_path / "game.db"), lambda: game.parse("X")):
        with pytest.raises(TooLarge, match="TicTacToe reaches more than 1,000 states"):
            asked()
    assert game.position(game.initial).startswith("(('board', ()), ('moves', ((1, 1), (1, 2)")


COMMANDS = {
    "solve games.py:ConnectFour k=2": "start       X to move: win in 3 plies",
    "query ConnectFour.db": "1-1 *  win in 3 plies  O X../.../...",
    "verify ConnectFour.db": "proved",
    "check games.py:Fig52Game": "no fault found in all 13 states",
    "plan ConnectFour.db -o plan.json": "",
    "verify plan.json": "X wins in at most 3 plies",
    "plan ConnectFour.db -o plan.svg": "",
    "search games.py:Fig52Game --with minimax --json": '"value": 3, ',
    "compare games.py:Fig52Game": "alpha-beta",
    "explore ConnectFour.db -o page.html": "",
    "match games.py:ConnectFour minimax random --games 1": "minimax wins       1",
    "play ConnectFour.db": "You are X",
    "games games.py:TicTacToe": "parameter   k (int, default 3)",
}


@pytest.fixture(scope="module")
def finished(rules: Path) -> "dict[str, Finished]":
    done = run_one_by_one(*(command.split() for command in COMMANDS), cwd=rules.parent)
    return dict(zip(COMMANDS, done, strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_accept_textbook_games(finished: "dict[str, Finished]", command: str) -> None:
    assert finished[command].status == 0, finished[command].stderr
    assert COMMANDS[command] in finished[command].stdout


def test_states_can_be_pickled(rules: Path) -> None:
    game: AnyGame = load_game(f"{rules}:Lamp")
    states = [game.result(game.initial, action) for action in game.actions(game.initial)]
    assert pickle.loads(pickle.dumps(states)) == states


def test_installed_module_is_named_without_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "__init__.py").write_text("")
    (tmp_path / "course" / "names.py").write_text("MARK = 1")
    (tmp_path / "course" / "games.py").write_text(f"from .names import MARK{GAMES}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "ada"))
    named = ["query", "game.db", "--json"]
    solved, asked = run_one_by_one(["solve", "course.games:Fig52Game", "-o", "game.db"], named, cwd=tmp_path)
    assert solved.status == 0, solved.stderr
    assert json.loads(asked.stdout)["game"] == "course.games:Fig52Game"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "bob"))
    (refused,) = run_one_by_one(named, cwd=tmp_path)
    assert (refused.status, "not run before" in refused.stderr) == (4, True)
    (tmp_path / "course" / "names.py").write_text("MARK = 2")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "ada"))
    (changed,) = run_one_by_one(named, cwd=tmp_path)
    assert (changed.status, "course.games has changed since" in changed.stderr) == (4, True)


HEAP = """
from collections import deque
from dataclasses import dataclass

class Listed(list): pass

class Slotted:
    __slots__ = ("heap", "turn")
    def __init__(self, heap, turn):
        self.heap, self.turn = heap, turn

class Mixed(Slotted): pass

@dataclass
class Free:
    heap: int
    turn: int

@dataclass
class Bound(Free): pass

def of(state):
    return (state.heap, state.turn) if hasattr(state, "heap") else tuple(state)

class Heap:
    # Take one or two of four; who takes the last wins.
    def __init__(self, form: str = "tuple", initial: int = 4):
        self.made = FORMS[form]
        self.initial = self.made(initial, 0)
    def to_move(self, state): return "AB"[of(state)[1]]
    def actions(self, state): return [frozenset([n]) for n in (2, 1) if n <= of(state)[0]]
    def result(self, state, move):
        heap, turn = of(state)
        return self.made(heap - min(move), not turn)
    def is_terminal(self, state): return of(state)[0] == 0
    def utility(self, state, player): return 1 if player != self.to_move(state) else -1

FORMS = {
    "tuple": lambda *state: state,
    "list": lambda *state: Listed(state),
    "deque": lambda *state: deque(state),
    "slots": Slotted,
    "mixed": Mixed,
    "classes": lambda heap, turn: (Bound if heap == 2 else Free)(heap, turn),
}
"""


@pytest.mark.parametrize("form", ["tuple", "list", "deque", "slots", "mixed", "classes"])
def test_states_of_every_form_are_distinguished(form: str, tmp_path: Path) -> None:
    """Also where equal ones are written otherwise, such as 0 and False; and moves may be sets."""
    (tmp_path / "heap.py").write_text(HEAP)
    game = load_game(f"{tmp_path / 'heap.py'}:Heap", {"form": form})
    actual = solve(game, tmp_path / "heap.db")
    if form == "slots":
        assert game.position(game.initial) == "(('heap', 4), ('turn', 0))"
        assert game.board(game.initial) is None
    assert (actual.states, actual.value, actual.remoteness) == (8, 1, 3)
    with open_database(tmp_path / "heap.db") as db:
        assert verify_database(db) == []
        assert db[db.start].best_move == "1"
        assert all(position in db for position in db)


def test_sets_in_moves_are_sorted(rules: Path) -> None:
    """Whatever the seed of hashes."""
    moves = [("take", frozenset(letters)) for letters in ("stuvwxyz", "abcdefgh")]
    assert in_order(moves) == tuple(moves[::-1])
    assert load_game(f"{rules}:Lamp").action_name(moves[1]) == f"take-{tuple('abcdefgh')}"


def test_states_of_different_classes_differ() -> None:
    one, other = (type(name, (), {"__init__": lambda self: setattr(self, "heap", 3)})() for name in "AB")
    assert frozen(one) == frozen(other)
    assert frozen(one, named=True) != frozen(other, named=True)
    assert frozen({"heap": 3}, named=True) == frozen({"heap": 3})


@pytest.mark.parametrize("board", ["    ", "..\n.."])
def test_untypable_boards_are_not_used_as_positions(board: str, tmp_path: Path) -> None:
    (tmp_path / "fill.py").write_text(
        "class Fill:\n"
        f"    initial = {{'board': {board!r}, 'turn': 'x'}}\n"
        "    def to_move(self, s): return s['turn']\n"
        "    def actions(self, s): return [n for n, c in enumerate(s['board']) if c in ' .']\n"
        "    def result(self, s, n):\n"
        "        board = s['board'][:n] + s['turn'] + s['board'][n + 1:]\n"
        "        return {'board': board, 'turn': 'xo'['xo'.index(s['turn']) - 1]}\n"
        "    def is_terminal(self, s): return not self.actions(s)\n"
        "    def utility(self, s, player): return 0\n"
    )
    with solving(load_game(f"{tmp_path / 'fill.py'}:Fill")) as db:
        assert verify_database(db) == []
        assert all(position.isprintable() and position == position.strip() for position in db)


def test_initial_state_may_be_terminal(tmp_path: Path) -> None:
    (tmp_path / "over.py").write_text(
        "class Over:\n"
        "    initial = ['x']\n"
        "    def to_move(self, s): return 'o'\n"
        "    def actions(self, s): return []\n"
        "    def result(self, s, n): return s\n"
        "    def is_terminal(self, s): return True\n"
        "    def utility(self, s, player): return 2 if player == 'o' else -2\n"
    )
    with solving(load_game(f"{tmp_path / 'over.py'}:Over")) as db:
        assert verify_database(db) == []
        (entry,) = db.values()
        assert (entry.to_move, entry.value, entry.outcome, db.game.players) == ("o", 2, "win", ("o", "other"))
