"""`perfectplay play`: worked examples, and every kind of input."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exporters.plan_json import render
from solver import Database
from solver.games.mnk import MNK, TicTacToe
from solver.plans.selection import make_plan
from solver.players import Truth, make_player
from solver.players.game_record import read_games, replay
from solver.players.match import Opponent, PlayedGame, play_match
from solver.players.session import Dialogue
from solver.rules.loading import load_game
from tests.support.commandline import call, refused, succeeded
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.solved import solved_file

GAME = TicTacToe()


def play(typed: str, *arguments: object) -> Any:
    """What the command does when these words are typed, one a line."""
    return call("play", *arguments, input="\n".join(typed.split()) + "\n")


def answers(output: str) -> list[str]:
    return re.findall(r" plays (\w+)\.$", output, re.MULTILINE)


@pytest.mark.parametrize(
    ("typed", "answered", "ending"),
    [("0 1 3", "4 2 6", "o wins; minimax wins"), ("4 5 6 1 8", "0 3 2 7", "The game is over: a draw")],
)
def test_minimax_plays_the_worked_examples(typed: str, answered: str, ending: str) -> None:
    result = succeeded(play(typed, "tictactoe", "--as", "x", "--against", "minimax"))
    assert result.stderr == ""
    assert answers(result.stdout) == answered.split()
    assert ending in result.stdout


def dialogue_in(truth: Truth, state: Any, side: int, player: str = "random") -> Dialogue:
    return Dialogue(truth.game, state, side, Opponent(player, make_player(player, truth)), truth)


@pytest.fixture
def dialogue() -> Any:
    with Truth(GAME) as truth:
        yield dialogue_in(truth, GAME.initial, 0, "minimax")


@pytest.mark.parametrize(
    ("name", "parameters", "position"),
    [
        ("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}, "x..."),
        ("mnk", {"rows": 2, "columns": 5, "k": 2}, "xo........"),
        ("hexapawn", {}, "bbb/w../.ww black"),
    ],
)
def test_moves_have_their_database_names(name: str, parameters: dict[str, Any], position: str) -> None:
    game = load_game(name, parameters)
    state = game.parse(position)
    with Truth(game) as truth:
        for move in truth.entry(state).moves:
            talk = dialogue_in(truth, state, game.to_move(state))
            talk.answer(str(move.move))
            assert game.position(talk.states[1]) == move.position


MOVES = ["Qc1", "bc3", "Bc3", "Hint"]


class Cased(ExplicitGame):
    """A game of one move; two of its names differ in letter case only."""

    def action_name(self, action: int) -> str:
        return MOVES[action]


@pytest.mark.parametrize(
    ("typed", "move"),
    [("Qc1", "Qc1"), ("qC1", "Qc1"), ("bc3", "bc3"), ("Bc3", "Bc3"), ("BC3", None), ("hint", "Hint")],
)
def test_letter_case_counts_only_where_moves_differ_in_nothing_else(
    typed: str, move: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{typed}\nHint\n"))
    with Truth(Cased(((1, 1, 1, 1), ()), (0, 0), (0, 1))) as truth:
        talk = dialogue_in(truth, 0, 0)
        assert talk.answer(typed).refused == (move is None)
        assert talk.moves == ([] if move is None else [move])
        assert make_player("human", truth).choose(0, Random(0)) == MOVES.index(move or "Hint")


@pytest.mark.parametrize("typed", ["9", "10", "one", "5 6", "-1", "x", "", "0", "4"])
def test_illegal_move_is_refused_and_changes_nothing(typed: str, dialogue: Dialogue) -> None:
    dialogue.answer("0")
    answer = dialogue.answer(typed)
    assert answer.refused
    assert f"{typed!r} is not a move here: play one of 1, 2, 3, 5, 6, 7, 8" in answer.text
    assert len(dialogue.states) == 3


def test_undo_takes_back_a_move_and_its_answer(dialogue: Dialogue) -> None:
    dialogue.answer("0")
    for typed, position in (("1", "xxo.o...."), ("undo", "x...o...."), ("undo", ".........")):
        dialogue.answer(typed)
        assert GAME.position(dialogue.states[-1]) == position
    assert dialogue.answer("undo").refused


def test_undo_leaves_the_opening_move_of_the_opponent() -> None:
    with Truth(GAME) as truth:
        talk = dialogue_in(truth, GAME.initial, 1, "minimax")
        talk.opening()
        assert talk.answer("undo").refused
        talk.answer("4")
        talk.answer("undo")
    assert GAME.position(talk.states[-1]) == "x........"


def test_help_lists_the_words_and_the_moves(dialogue: Dialogue) -> None:
    text = dialogue.answer("help").text
    assert all(word in text for word in ("hint", "why", "undo", "board", "quit"))
    assert text.endswith("your moves: 0, 1, 2, 3, 4, 5, 6, 7, 8")


def test_quit_and_end_of_input_leave_the_game() -> None:
    for typed in ("0 quit 1", "0"):
        result = succeeded(play(typed, "tictactoe"))
        assert "You left the game." in result.stdout
        assert len(answers(result.stdout)) == 1


def test_plan_opponent_forfeits_outside_its_positions(tictactoe: Database, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(render(make_plan(tictactoe, "xo..x....", owner="x")), "utf-8-sig")  # as on Windows
    result = play("8 6", path)
    assert "You are o; x is the plan." in result.stdout
    assert "x wins; the plan wins." in result.stdout
    assert "the plan plays x" in refused(2, play("", path, "--as", "x"))
    assert play("", path, "--as", "x", "--against", "random").exit_code == 0
    forfeit = play("", path, "--as", "o", "--start", "xo.......").stdout
    assert "does not go to 'xo.......'" in forfeit
    assert "You win." in forfeit


def test_plan_of_a_scored_game_wins_by_a_margin(tmp_path: Path) -> None:
    db, plan = solved_file("dots-and-boxes", {"rows": 1, "columns": 3}), tmp_path / "plan.json"
    assert call("plan", "--for", "second", "-o", plan, "--", db, "---/||||/--. +0 second").exit_code == 0
    assert "The game is over: second wins by 1; the plan wins." in play("", plan).stdout


@pytest.mark.parametrize(
    ("typed", "words", "says"),
    [
        ("2", "tictactoe --start xx.oo.... --as x --against random", ["The game is over: x wins; you win."]),
        ("", "tictactoe --start xxxoo....", ["The game is over: x wins"]),
        ("hint", "DB --start xo..x....", ["You are o;", "hint: 8 (loss in 4 plies)"]),  # the side to move
        ("", "DB --as o", ["You are o; x is perfect.", "perfect plays 0."]),
        ("", "DB --as second", ["You are o; x is perfect.", "perfect plays 0."]),
    ],
)
def test_typed_words_are_answered(typed: str, words: str, says: list[str], tictactoe_db_path: Path) -> None:
    result = succeeded(play(typed, *words.replace("DB", str(tictactoe_db_path)).split()))
    assert all(text in result.stdout for text in says), result.stdout


def test_moves_are_listed_if_no_board_shows_them() -> None:
    game = ExplicitGame(((1, 2), (), ()), (0, 0, 0), (0, 1, -1))
    with Truth(game) as truth:
        talk = dialogue_in(truth, 0, 0)
        assert talk.opening().endswith("\n\n0\nmoves: 0, 1")
        assert talk.answer("0").text.endswith("The game is over: first wins; you win.\n\n1")


def test_large_game_is_played_but_not_explained_without_database() -> None:
    result = play("WHY 15", "mnk", "rows=4", "columns=4", "k=4", "--against", "mc(playouts=20)", "--seed", 1)
    assert result.exit_code == 0
    assert "build its database" in result.stderr
    assert len(answers(result.stdout)) == 1
    assert MNK(4, 4, 4).show(MNK(4, 4, 4).initial) in result.stdout


@pytest.mark.parametrize(
    ("endless", "says"),
    [
        ("draw", "The game is over: a draw, as '0' occurred 3 times."),
        ("first", "The game is over: won by first, as '0' occurred 3 times; you win."),
        ("second", "The game is over: won by second, as '0' occurred 3 times; random wins."),
    ],
)
def test_endless_play_ends_with_its_declared_result(endless: str, says: str) -> None:
    game = ExplicitGame(((1,), (0,)), (0, 1), (0, 0))
    with Truth(game, endless=endless) as truth:
        talk = dialogue_in(truth, 0, 0)
        talk.opening()
        assert not talk.answer("0").text.startswith("The game")
        assert says in talk.answer("0").text
        assert talk.finished


def test_finished_and_abandoned_games_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play("0 1 undo 3 undo 1 3", "tictactoe", "--against", "minimax", "--save", path)
    ((game, played),) = read_games(path)
    assert (played.players, played.moves, played.winner) == (("human", "minimax"), (0, 4, 1, 2, 3, 6), 1)
    assert len(replay(game, played)) == 7
    assert "--force" in refused(2, play("0", "tictactoe", "--save", path))
    play("0 quit", "tictactoe", "--as", "o", "--against", "minimax", "--save", path, "--force")
    ((game, played),) = read_games(path)
    assert (played.players, played.utility, played.winner) == (("minimax", "human"), None, None)
    assert len(replay(game, played)) == len(played.moves) + 1
    path.write_text(path.read_text().replace('"moves": [', '"moves": [9, '))
    assert "ply 1: 9 is no move in '.........'; the moves are 0, 1" in call("replay", path).stdout


def test_interrupted_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["4"]

    def typed(prompt: str) -> str:
        if words:
            return words.pop()
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.commands.play._typed", typed)
    path = tmp_path / "game.jsonl"
    assert call("play", "tictactoe", "--against", "minimax", "--save", path).exit_code == 130
    ((_, played),) = read_games(path)
    assert (played.moves, played.utility) == ((4, 0), None)


def test_match_with_a_human_shows_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = list[Any]()
    progress = nullcontext(lambda *report: reports.append(report))
    monkeypatch.setattr("solver.commands.match.terminal_progress", lambda unit: progress)
    for player, reported in [("human", 0), ("random", 2)]:
        assert call("match", "tictactoe", player, "random", "--games", "2", input="").exit_code == 0
        assert len(reports) == reported


def test_interrupted_match_saves_its_finished_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"

    def interrupted(*arguments: Any, **options: Any) -> Iterator[PlayedGame]:
        yield from islice(play_match(*arguments, **options), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.players.match.play_match", interrupted)
    words = ("match", "tictactoe", "random", "random", "--games", 5, "--save", path)
    assert call(*words).exit_code == 130
    assert len(path.read_text().splitlines()) == 2
    assert call("replay", path).exit_code == 0
