"""Players by name: their parameters, their choices, refusals."""

import io
import re
import sys
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from exporters import plan_json
from solver import Database
from solver.database import open_database
from solver.errors import BadParameter, BrokenRules, NoMove, SolverError, UnknownPlayer, Unsolved, UsageError
from solver.games.mnk import MNK, TicTacToe
from solver.players import Player, Truth, is_deterministic, make_player, maker_of, settings_of
from solver.system.plugins import entries
from tests.support.folded_plans import folded_plan

GAME = TicTacToe()
CHOOSERS = sorted({*entries("players")} - {"human", "plan"})
POSITIONS = (".........", "x...o....", "xo.ox....", "xxo.o.x..", "xoxoxxo..")
MINE = """
class Last:
    '''Play the last action.'''
    deterministic = True

    def __init__(self, game, skip=0):
        self.game, self.skip = game, skip

    def choose(self, state, random):
        return self.game.actions(state)[-1 - self.skip]


def chooser(game):
    return Last(game)


class Heir(Last):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)


def heir(game, *others, skip=1, **options):
    return Last(game, skip)


def listed(game, moves: tuple[int, ...] = (1, 2), nth: int = 0):
    return Last(game, 8 - moves[nth])
"""


@pytest.fixture
def truth(tictactoe_db_path: Path) -> Any:
    with open_database(tictactoe_db_path) as db, Truth(db.game, db) as truth:
        yield truth


@pytest.mark.parametrize("name", entries("players"))
def test_every_player_has_a_docstring(name: str) -> None:
    assert (maker_of(name).__doc__ or "").strip().endswith(".")


def quick_player(name: str, truth: Truth) -> Player:
    """The player, with few playouts if it makes any."""
    few = "(playouts=10)" if "playouts" in settings_of(maker_of(name)) else ""
    return make_player(name + few, truth)


@pytest.mark.parametrize("name", CHOOSERS)
def test_players_choose_legal_moves_reproducibly(name: str, truth: Truth) -> None:
    for state in map(GAME.parse, POSITIONS):
        one, other = (quick_player(name, truth).choose(state, Random(7)) for _ in range(2))
        assert one == other
        assert one in GAME.actions(state)


@pytest.mark.parametrize("name", CHOOSERS)
def test_deterministic_players_are_marked_as_such(name: str, truth: Truth) -> None:
    player = quick_player(name, truth)
    chosen = {player.choose(GAME.initial, Random(seed)) for seed in range(30)}
    assert is_deterministic(player) == (len(chosen) == 1)


def test_parameters_are_given_by_name_or_the_first_by_position(truth: Truth) -> None:
    for text in ("depth-limited(depth=2)", " depth-limited ( 2 ) ", "depth-limited( depth = 2 )"):
        assert make_player(text, truth).depth == 2  # type: ignore[attr-defined]
    bandit: Any = make_player("ucb1(playouts=10, exploration=0.5)", truth)
    assert (bandit.playouts, bandit.exploration) == (10, 0.5)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("nobody", UnknownPlayer, "alpha-beta, depth-limited, human"),
        ("uct(1", UnknownPlayer, "uct(playouts=1000)"),
        ("nowhere.py:Me", UnknownPlayer, "nowhere.py"),
        ("uct(plyouts=3)", BadParameter, "'plyouts'; it has playouts, exploration"),
        ("uct(playouts=3, playouts=4)", BadParameter, "'playouts' more than once"),
        ("uct(playouts=many)", BadParameter, "playouts as an integer"),
        ("uct(3, 4)", BadParameter, "an integer, not '3, 4'"),
        ("uct(playouts=0)", BadParameter, "at least 1"),
        ("depth-limited(depth=0)", BadParameter, "at least 1"),
        ("random(seed=1)", BadParameter, "'seed'; it has none"),
        ("plan", BadParameter, "needs its parameter 'file'"),
    ],
)
def test_invalid_players_are_refused(text: str, error: type[SolverError], says: str, truth: Truth) -> None:
    with pytest.raises(error, match=re.escape(says)):
        make_player(text, truth)
    assert error("x").exit_status == 2


def test_player_is_loaded_from_a_file(tmp_path: Path, truth: Truth) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    names = {"Last": 8, "Last(skip=2)": 6, "chooser": 8, "Heir": 8, "heir": 7, "heir(2)": 6}
    names |= {"listed": 1, "listed(5, 3)": 5, "listed(moves=6,7, nth=1)": 7, "listed(nth=1,moves=2,4)": 4}
    for name, action in names.items():
        player = make_player(f"{tmp_path}/mine.py:{name}", truth)
        assert player.choose(GAME.initial, Random(0)) == action


@pytest.mark.parametrize(
    ("maker", "error", "says"),
    [
        ("", UnknownPlayer, "mine"),
        ("def mine(state): return 1", UsageError, "an object with a method choose(state, "),
        ("def mine(state, random): return 1", UsageError, "the game, and needs its parameter 'random'"),
        ("class mine: choose = None", UsageError, "made for the game: TypeError: mine() takes no arg"),
        ("class mine:\n    def __init__(self, game): pass", BrokenRules, "choose"),
        ("def mine(game): raise RuntimeError('odd')", BrokenRules, "RuntimeError: odd"),
        ("def mine(game): raise SystemExit", BrokenRules, "mine.py:mine cannot"),
        ("def mine(game, depth: Nowhere = 1): pass", BrokenRules, "mine.py:mine should take"),
    ],
)
def test_invalid_player_factories_are_refused_with_advice(
    tmp_path: Path, truth: Truth, maker: str, error: type[Exception], says: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"from __future__ import annotations\n{maker}\n")
    with pytest.raises(error, match=re.escape(says)):
        make_player(f"{path}:mine", truth)


@pytest.mark.parametrize("setting", ["skips=[1]", "skips=(1, 2)", "skips: list[int] = [1]", "skips={}"])
def test_parameter_of_a_type_that_cannot_be_typed_is_refused(
    setting: str, tmp_path: Path, truth: Truth
) -> None:
    (tmp_path / "mine.py").write_text(f"def mine(game, {setting}):\n    return __import__('mine')\n")
    with pytest.raises(BadParameter, match=r"takes skips as \w.*, which cannot be typed: use int"):
        make_player(f"{tmp_path}/mine.py:mine(skips=12)", truth)


def test_game_solved_on_demand_is_solved_from_its_start() -> None:
    with Truth(GAME, start="oo.ox...x x") as truth:  # o moved first: no play from the empty board leads here
        assert truth.entry(GAME.parse("oo.ox...x x")).to_move == "x"
        assert truth.database().start == "oo.ox...x x"


def test_large_unsolved_game_is_refused_with_the_solve_command() -> None:
    with Truth(MNK(4, 4, 3)) as truth, pytest.raises(Unsolved, match=r"solve mnk rows=4 columns=4 k=3"):
        make_player("perfect", truth)


def test_human_is_asked_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("9\nhello\n4\n"))
    with Truth(GAME) as truth:
        person = make_player("human", truth)
        assert person.choose(GAME.initial, Random(0)) == 4
        with pytest.raises(NoMove, match="left"):
            person.choose(GAME.initial, Random(0))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "'hello' is not a move here: play one of 0, 1, 2" in shown.err


def test_folded_plan_is_played_in_every_reachable_position(tictactoe: Database, tmp_path: Path) -> None:
    folded = folded_plan(tictactoe, owner="o")
    (tmp_path / "plan.json").write_text(plan_json.render(folded), "utf-8")
    player = make_player(f"plan({tmp_path / 'plan.json'})", Truth(GAME))
    met: list[Any] = [GAME.initial]
    ends = []
    for state in met:  # which grows meanwhile
        if GAME.is_terminal(state):
            ends.append(GAME.utility(state))
        elif GAME.to_move(state) == 1:
            met.append(GAME.result(state, cast(int, player.choose(state, Random(1)))))
        else:
            met += [GAME.result(state, action) for action in GAME.actions(state)]
    assert {*ends} == {0, -1}
    with pytest.raises(NoMove, match="does not go to"):
        player.choose(GAME.parse("x.o...... o"), Random(1))
