"""Arguments of wrong types in Python are refused in one line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver as typed
from solver.games.mnk import TicTacToe
from tests.support.solved import solved_file

solver: Any = typed
"""The package as it is to a caller who does not check types."""

GAME = TicTacToe()
RANDOM = solver.make_player("random", solver.Truth(GAME))
NOBODY = "endless play cannot go to 'nobody'; it can"
TWO = (solver.Opponent("one", RANDOM), solver.Opponent("two", RANDOM))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda db, path: solver.solve("tictactoe", path), r"load_game\(NAME\) gives, not 'tictactoe'"),
        (lambda db, path: solver.solve(TicTacToe, path), r"load_game\(NAME\) gives, not <class"),
        (lambda db, path: solver.solve(GAME, path, start=3), "a position is a text here, not 3"),
        (lambda db, path: db["\udcff"], r"the position '\\udcff' is no text in UTF-8"),
        (lambda db, path: solver.solve(GAME, path, memory="4G"), "a number of bytes, not '4G'"),
        (lambda db, path: solver.solve(GAME, path, endless="nobody"), NOBODY),
        (lambda db, path: solver.label(solver.explore(GAME), "nobody"), NOBODY),
        (lambda db, path: list(solver.play_match(GAME, TWO, endless="nobody")), NOBODY),
        (
            lambda db, path: solver.solve(GAME, path, layout="wide"),
            "no layout 'wide'; there are auto, readable",
        ),
        (lambda db, path: solver.solve(GAME, path, engine="steam"), "auto"),
        (lambda db, path: solver.explore("tictactoe"), r"load_game\(NAME\) gives, not 'tictactoe'"),
        (lambda db, path: solver.load_game(3), "not int"),
        (lambda db, path: solver.load_game("tictactoe", 3), "'int' object"),
        (lambda db, path: solver.make_plan("a.db"), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.make_plan(db, owner=0), "no player 0 in this game; it has x, o, first"),
        (lambda db, path: solver.make_plan(db, goal="lose"), "no goal 'lose'; there are win, draw"),
        (lambda db, path: solver.verify_plan("a.json"), r"read_plan\(FILE\) gives, not 'a.json'"),
        (lambda db, path: solver.verify_database("a.db"), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.make_player("perfect", db), r"Truth\(GAME\) gives, not <"),
        (lambda db, path: list(solver.play_match(GAME, ("random", "random"))), r"Opponent\(NAME, PLAYER\)"),
        (lambda db, path: list(solver.play_match(GAME, TWO, start=3)), "a position is a text here, not 3"),
        (lambda db, path: solver.label({}), r"explore\(GAME\) gives, not {}"),
        (lambda db, path: [*db.columns(["positio"])], "no column 'positio'; .* did you mean position?"),
        (lambda db, path: db.state_with(0), "has no row 0"),
        (lambda db, path: solver.make_plan(db, goal=1.5), "no goal 1.5; there are win, draw"),
        (lambda db, path: solver.make_plan(db, limit=140), "141 positions, more than 140"),
        (
            lambda db, path: solver.make_plan(db, limit=99, smallest=True, tree=True),
            "positions, more than 99",
        ),
        (lambda db, path: solver.verify_plan("ab" * 500), "'abab"),
        (lambda db, path: solver.Truth("tictactoe"), r"load_game\(NAME\) gives, not 'tictactoe'"),
        (lambda db, path: solver.Truth(GAME, "a.db"), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.Truth(GAME, endless="nobody"), NOBODY),
        (lambda db, path: list(solver.play_match("tictactoe", TWO)), r"load_game\(NAME\) gives"),
        (lambda db, path: list(solver.play_match(GAME, TWO[:1])), "between two players, not 1"),
        (lambda db, path: list(solver.play_match(GAME, TWO * 2)), "between two players, not 4"),
        (
            lambda db, path: list(solver.play_match(GAME, [solver.Opponent("one", "random"), TWO[1]])),
            r"make_player\(NAME, Truth\(GAME\)\) gives, not 'random'",
        ),
        (lambda db, path: solver.openspiel_bot("a.db"), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.pettingzoo_env("a.db"), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.annotate("a.db", [0]), r"open_database\(FILE\) gives, not 'a.db'"),
        (lambda db, path: solver.annotate(db, [0, 4]), r"play_match\(GAME, PLAYERS\) gives, not \[0, 4\]"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(
    tictactoe: typed.Database, tmp_path: Path, call: Callable[..., object], says: str
) -> None:
    with pytest.raises((TypeError, typed.SolverError), match=says) as raised:
        call(tictactoe, tmp_path / "a.db")
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400
    assert "the rules" not in str(raised.value)
    assert not [*tmp_path.iterdir()]


def test_load_game_accepts_a_path(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("from solver.games.mnk import TicTacToe as Game\n")
    assert solver.load_game(tmp_path / "rules.py:Game").players == GAME.players


def test_only_integers_have_a_column_of_states() -> None:
    path = solved_file("nim", {"heaps": (1, 2)})
    with (
        typed.open_database(path) as db,
        pytest.raises(typed.SolverError, match="no column 'state'; there are po"),
    ):
        list(db.columns(["state"]))
