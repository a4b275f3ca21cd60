"""Plans and saved matches of strangers are used or refused in one line."""

import json
import shutil
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from exporters import plan_json
from solver import Database, load_game, make_plan, open_database, solve
from solver.games.mnk import TicTacToe
from solver.players import Truth, make_player
from solver.players.game_record import as_line
from solver.players.match import Opponent, play_match
from tests.support.commandline import call, run_one_by_one
from tests.support.folded_plans import folded_plan
from tests.support.hostile_files.plans_and_matches import everywhere, huge, mutants
from tests.support.solved import solved

Document = dict[str, Any]

FILE = "sent.json"

GAMES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("tictactoe", {}),
    ("hexapawn", {"rows": 3, "columns": 3}),
    ("nim", {"heaps": [1, 2, 3]}),
    ("kayles", {"n": 5}),
    ("chomp", {"rows": 3, "columns": 3}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ("domineering", {"rows": 3, "columns": 3}),
    ("ponghauki", {}),
)

MOST_MEMORY = 500_000
"""In kB, of a process that reads one file after another."""


def documents(db: Database) -> Iterator[Document]:
    """JSON of a plan, and of a folded one, for who has the better of it."""
    owner = "first" if db[db.start].value >= 0 else "second"
    for make in (make_plan, folded_plan):
        yield plan_json.document(make(db, owner=owner))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    solve(TicTacToe(), folder / "game.db", start="xoxo..x..")
    return folder


@pytest.fixture(scope="module")
def small(folder: Path) -> list[Document]:
    """Two small plans, the second a folded one."""
    with open_database(folder / "game.db") as db:
        return list(documents(db))


@pytest.fixture(scope="module")
def plans(small: list[Document]) -> list[Document]:
    actual = list(small)
    for name, parameters in GAMES[1:]:
        with solved(name, parameters) as db:
            actual += documents(db)
    return actual


@pytest.fixture(scope="module")
def games() -> list[Document]:
    seen = []
    for game in (load_game(name, parameters) for name, parameters in GAMES):
        side = Opponent("random", make_player("random", Truth(game)))
        seen += [json.loads(as_line(game, item)) for item in play_match(game, (side, side))]
    return seen


def hold(folder: Path, data: bytes, *command: str, typed: str = "") -> int:
    """What comes of a file: the status of a command that has used it, or refused it in one line."""
    (folder / FILE).unlink(missing_ok=True)  # to write over a file is slow
    (folder / FILE).write_bytes(data)
    result = call(*command, cwd=folder, input=typed)
    about = (command, data[:2000], result.output[-2000:], result.exception)
    assert isinstance(result.exception, SystemExit | None), about
    assert result.exit_code in range(5), about
    answers = [line for line in result.stdout.splitlines() if line.startswith(f"{FILE}: ")]
    said = result.stderr.splitlines()
    if result.exit_code:
        assert len(said + answers) == 1, about
        assert result.stderr.startswith("Error: ") == (not answers), about
    elif command[0] in ("verify", "replay"):
        assert (len(answers), said) == (1, []), about
    return result.exit_code


def test_valid_files_are_accepted(folder: Path, plans: list[Document], games: list[Document]) -> None:
    for data in (json.dumps(document).encode() for document in plans):
        assert hold(folder, data, "verify", FILE) == hold(folder, data, "play", FILE, typed="quit") == 0
    lines = b"".join(json.dumps(game).encode() + b"\n" for game in games)
    assert hold(folder, lines, "replay", FILE, "--show", "2") == 0


@pytest.mark.parametrize("folded", [False, True])
def test_verify_handles_wrong_values_in_plans(folder: Path, small: list[Document], folded: bool) -> None:
    for data in list(everywhere(small[folded]))[folded::3]:
        hold(folder, data, "verify", FILE)


@pytest.mark.parametrize("number", [300, pytest.param(900, marks=pytest.mark.slow)])
def test_verify_handles_mutated_plans(folder: Path, plans: list[Document], number: int) -> None:
    statuses = {hold(folder, data, "verify", FILE) for data in mutants(plans, 1, number)}
    assert statuses == {0, 1, 4}


@pytest.mark.parametrize("number", [100, pytest.param(250, marks=pytest.mark.slow)])
def test_play_match_and_grade_handle_mutated_plans(
    folder: Path, plans: list[Document], small: list[Document], number: int
) -> None:
    for data in mutants(plans, 2, number):
        hold(folder, data, "play", FILE, typed="why\n4\n1\n5\nundo\nquit\n")
    for data in mutants(small, 3, number):
        hold(folder, data, "match", "tictactoe", f"plan({FILE})", "random", "--games", "2", "--swap")
    for data in mutants(small, 4, number):
        hold(folder, data, "grade", "game.db", f"plan({FILE})")


def test_replay_handles_wrong_values_in_saved_games(folder: Path, games: list[Document]) -> None:
    for data in everywhere(games[0]):
        hold(folder, data, "replay", FILE)


@pytest.mark.parametrize("number", [300, pytest.param(900, marks=pytest.mark.slow)])
def test_altered_saved_games_are_used_or_refused(folder: Path, games: list[Document], number: int) -> None:
    whole = json.dumps(games[2]).encode() + b"\n"  # of nim, which `annotate` solves each time
    statuses = set()
    for at, data in enumerate(mutants(games, 5, number)):
        lines = data if at % 2 else whole + data
        statuses.add(hold(folder, lines, "replay", FILE, "--show", "1"))
        if at % 3 == 0:
            hold(folder, lines, "annotate", FILE)
    assert statuses == {0, 1, 4}


def test_huge_files_use_limited_memory(tmp_path: Path, small: list[Document], games: list[Document]) -> None:
    plans, saved = huge(small[0], "states"), islice(huge(games[0], "moves"), 4)
    commands = list[tuple[str, str]]()
    for command, hostile in (("verify", plans), ("replay", saved)):
        for what, data in hostile:
            commands.append((command, f"{command} {what}.json"))
            (tmp_path / commands[-1][1]).write_bytes(data)
    actual = run_one_by_one(*commands, cwd=tmp_path)
    shutil.rmtree(tmp_path)
    for (command, what), item in zip(commands, actual, strict=True):
        assert item.status in ((1, 4) if command == "verify" else (4,)), (what, item)
        assert len([*item.stdout.splitlines(), *item.stderr.splitlines()]) == 1, (what, item)
        assert item.memory < MOST_MEMORY, what


ALL_BUT_CLOSED = "...../||||||/-----/.||||./-----/.||||./-----/||||||/..... -6 second"
"""Fourteen lines that the second player can draw in any order, as each of them closes a box."""


def test_verify_limits_the_moves_it_follows(
    folder: Path, small: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.proof.plan.reachable.MIN_MOVES", 2_000)
    rules = {"game": "dots-and-boxes", "parameters": {"rows": 4, "columns": 5}, "root": ALL_BUT_CLOSED}
    plan = {"schema": small[0]["schema"], "owner": "first", "goal": -20, "value": -20, "states": {}, **rules}
    assert hold(folder, json.dumps(plan).encode(), "verify", FILE) == 2
    said = call("verify", folder / FILE).stderr
    assert "more than 2,000 moves can follow the 0 choices of the plan" in said


def test_verify_limits_renamings_by_symmetries(
    folder: Path, small: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.dumps(small[1]).encode()
    monkeypatch.setattr("solver.proof.plan.executors.MAX_RENAMINGS", 7)
    assert hold(folder, data, "verify", FILE) == 1
    monkeypatch.setattr("solver.proof.plan.executors.MAX_RENAMINGS", 8)
    assert hold(folder, data, "verify", FILE) == 0
