import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver import open_database, solve
from solver.database.wording import game_title, plies, result, standing, winners
from solver.games.quixo import Quixo
from solver.plans.plan import Plan
from solver.plans.wording import guarantee
from solver.proof.plan import Guarantee
from solver.proof.plan.guarantee import promise, tally
from solver.rules.loading import load_game
from tests.exporters.support import page_rules
from tests.support.commandline import call, succeeded
from tests.support.exchanged_files import exchanged_file


def test_game_title_falls_back_to_the_name_and_parameters() -> None:
    assert game_title(load_game("connect", {"rows": 6, "columns": 5})) == "Connect 4 on 6 x 5"
    assert game_title(load_game("tictactoe", {"misere": True})) == "Tic-tac-toe, misère"
    untitled = load_game(f"{page_rules.__file__}:Countdown", {"most": 4})
    assert game_title(untitled) == "Countdown most=4"


def test_plies_uses_singular_and_plural() -> None:
    assert [*map(plies, (0, 1, 2, 1234))] == ["0 plies", "1 ply", "2 plies", "1,234 plies"]


def test_winners_names_the_mover_if_all_files_are_exchanged(tmp_path: Path) -> None:
    solve(Quixo(2, 2, 2), tmp_path / "plain.db", fold=True)
    path = exchanged_file(Quixo(2, 2, 2), tmp_path)
    with open_database(path) as exchanged, open_database(tmp_path / "plain.db") as plain:
        x_or_o = {1: "x wins", 0: "draw", -1: "o wins"}
        mover = {1: "the player to move wins", 0: "draw", -1: "the other player wins"}
        assert (winners(plain), winners(plain, exchanged), winners(exchanged, plain)) == (x_or_o,) * 3
        assert winners(exchanged) == winners(exchanged, exchanged) == mover


def test_result_states_the_remoteness() -> None:
    assert result("win", 1) == "win in 1 ply"
    assert result("loss", 4) == "loss in 4 plies"
    assert result("draw", None) == result("draw", 0) == "draw"
    assert result("win", None) == "win in endless play"


@pytest.mark.parametrize(
    ("outcome", "remoteness", "words"),
    [
        ("win", 3, "o to move: win in 3 plies"),
        ("draw", None, "o to move: draw"),
        ("loss", 0, "the game is over: x has won"),
        ("win", 0, "the game is over: o has won"),
        ("draw", 0, "the game is over: a draw"),
    ],
)
def test_standing_names_the_mover_or_the_winner(outcome: str, remoteness: int | None, words: str) -> None:
    winner = {"win": "o", "loss": "x"}.get(outcome)
    assert standing("o", outcome, remoteness, winner=winner) == words


def test_commands_use_the_singular_for_one(tmp_path: Path) -> None:
    one, two, texts = tmp_path / "one.db", tmp_path / "two.db", list[str]()
    for path, words in ((one, "tictactoe --fold --start xxxoo...."), (two, "subtraction heap=2 take=1")):
        texts.append(call("solve", *words.split(), "-o", path).stdout)
    for line in (f"export {one} -o - --as datasette", f"report {one}", f"certify {two} --checker coq -o -"):
        texts.append(succeeded(call(*line.split())).stdout)
    assert [re.findall(r"\b1 [a-z]+s\b(?<!class)", text) for text in texts] == [[]] * len(texts)


@pytest.mark.parametrize(
    ("gain", "longest", "scored", "words"),
    [
        (1, 0, False, "x wins"),
        (1, 5, False, "x wins in at most 5 plies"),
        (1, 5, True, "x wins by at least 1 in at most 5 plies"),
        (2, 5, True, "x wins by at least 2 in at most 5 plies"),
        (0, None, True, "x never loses"),
        (-1, 3, False, "x may lose"),
        (-1, 3, True, "x loses by at most 1"),
    ],
)
def test_guarantee_states_the_owners_gain(gain: int, longest: int | None, scored: bool, words: str) -> None:
    assert guarantee("x", gain, longest, scored=scored) == words


PROVED = Guarantee(
    0, 9, 20, 0, best=1, ends={1: 5, 0: 1}, replies=20, errors=15, soonest=5, latest=7, after_error=3
)
"""It guarantees a gain of 0 within 9 plies, in 20 positions, and has no choice that is not needed."""

SOON = "x never loses; wins in at most 7 plies, 5 at the soonest,"

LOSE = " if o errs (15 of 20 replies lose)"


@pytest.mark.parametrize(
    ("changes", "scored", "words"),
    [
        ({}, False, f"{SOON}{LOSE}"),
        ({"soonest": 7}, False, f"x never loses; wins in at most 7 plies{LOSE}"),
        ({"errors": 1}, False, f"{SOON} if o errs (1 of 20 replies loses)"),
        ({"plies": None, "latest": None}, False, f"x never loses; wins at most 3 plies later{LOSE}"),
        (dict.fromkeys(("plies", "soonest", "latest", "after_error")), False, f"x never loses; wins{LOSE}"),
        ({"plies": None, "latest": None, "after_error": 0}, False, f"x never loses; wins at once{LOSE}"),
        ({"best": 0}, False, "x never loses and never wins, whatever o does"),
        ({"gain": 1}, False, "x wins in at most 9 plies"),
        ({"gain": 2, "best": 2}, True, "x wins by at least 2 in at most 9 plies"),
        ({"gain": 2, "best": 6}, True, "x wins by at least 2 in at most 9 plies, and by up to 6 if o errs"),
        ({"best": 4, "soonest": 7}, True, f"x never loses; wins by up to 4 in at most 7 plies{LOSE}"),
        ({"gain": -3, "soonest": 7}, True, f"x loses by at most 3; wins by up to 1 in at most 7 plies{LOSE}"),
        ({"gain": -3, "best": 0}, True, "x loses by at most 3; draws if o errs"),
        ({"gain": -3, "best": -1}, True, "x loses by at most 3; if o errs, by 1 at best"),
        ({"gain": -3, "best": -3}, True, "x loses by at most 3"),
        ({"gain": -1, "best": -1}, False, "x may lose"),
    ],
)
def test_promise_states_the_gain_from_errors(changes: dict[str, Any], scored: bool, words: str) -> None:
    plan = Plan(load_game("tictactoe"), 0, "draw", ".........", 0, {}, ".........", scored=scored)
    assert promise(plan, replace(PROVED, **changes)) == words


@pytest.mark.parametrize(
    ("ends", "scored", "words"),
    [
        ({1: 52, 0: 2}, False, "54 ends: 52 won, 2 drawn"),
        ({1: 1}, False, "1 end: 1 won"),
        ({3: 1, 1: 2, 0: 1, -2: 1000}, True, "1,004 ends: 1 won by 3, 2 won by 1, 1 drawn, 1,000 lost by 2"),
        ({0: 1, -1: 4}, False, "5 ends: 1 drawn, 4 lost"),
        ({0: 1, -1: 4}, True, "5 ends: 1 drawn, 4 lost by 1"),
        ({}, True, "no ends"),
    ],
)
def test_tally_counts_the_ends(ends: dict[int, int], scored: bool, words: str) -> None:
    assert tally(ends, scored=scored) == words
