"""Files of earlier sources of built-in games with the same play are still read."""

import json
from pathlib import Path
from random import Random

import pytest

from solver import load_game, open_database, solve, verify_database
from solver.errors import ChangedRules
from solver.rules.asking import actions_of
from solver.rules.named import fingerprint
from solver.rules.notation import write_position
from solver.rules.source import modules
from solver.system.plugins import entries
from tests.support.games.known import SMALLEST
from tests.support.hostile_files.databases import set_about

TABLE = json.loads(Path(modules.__file__).with_name(modules.EARLIER).read_text())

LARGE = {"chess-ending", "dobutsu", "lgame", "teeko"}
"""Games without small variants."""


def small_file(name: str, path: Path) -> Path:
    """A small solved game, folded; where play leads to millions of states, from the end of a random game."""
    game, start = load_game(name, SMALLEST[name]), None
    if name in LARGE:
        random, state = Random(0), game.initial
        while actions := actions_of(game, state):
            state = game.result(state, random.choice(actions))
        start = write_position(game, state)
    solve(game, path, start=start, fold=True)
    return path


def as_written_before(path: Path, code: str) -> None:
    """Make a file one that a version wrote which knew rules by all their code."""
    set_about(path, "play", None)
    set_about(path, "rules", code)


def test_every_built_in_game_is_in_the_table() -> None:
    assert TABLE.keys() == SMALLEST.keys() == {*entries("games")}
    assert all(fingerprint(name).code in TABLE[name]["code"] for name in TABLE)


@pytest.mark.parametrize("name", SMALLEST)
def test_files_of_earlier_sources_with_the_same_play_are_proved(name: str, tmp_path: Path) -> None:
    assert fingerprint(name).play == TABLE[name]["play"]  # if play changes, these files are of another game
    path = small_file(name, tmp_path / "small.db")
    for code in TABLE[name]["code"]:
        as_written_before(path, code)
        with open_database(path) as db:
            assert verify_database(db) == []


def test_file_of_an_earlier_source_with_other_play_is_refused(tmp_path: Path) -> None:
    path = small_file("nim", tmp_path / "nim.db")
    as_written_before(path, TABLE["chomp"]["code"][-1])
    with open_database(path) as db, pytest.raises(ChangedRules, match="the source of nim has changed"):
        db.game  # noqa: B018 - raises
