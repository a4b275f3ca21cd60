"""Huge parameters, for every game: refused in one line, or accepted at little cost."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from solver import load_game, open_database
from solver.errors import UnusableFile
from solver.plans.plan import SCHEMA
from solver.plans.reader import plan_from_json
from solver.players.game_record import read_games
from solver.rules.named import fingerprint
from solver.system.plugins import entries
from tests.support.commandline import run, succeeded

ASKED = """
import resource, sys
from itertools import islice, product
import psutil
from solver.errors import BadParameter
from solver.rules.parameters import parameter_types
from solver.rules.loading import game_class, load_game

most = psutil.Process().memory_info().vms + 500_000_000
resource.setrlimit(resource.RLIMIT_AS, (most, most))
INTEGERS = (-(10**400), -1, 0, 1, 2, 5, 8, 31, 62, 63, 1000, 2**62 - 1, 2**63, 10**4000)
VALUES = {
    int: INTEGERS,
    bool: (False, True),
    str: ("", "achi", "K" * 5, "K" * 1_000_000, "KQRBKQRB", "KQKNR", "\\0", "\\udfff", "9" * 100_000),
    tuple[int, ...]: [
        *([number] for number in INTEGERS),
        [5, 5],
        [1000] * 100,
        [1] * 1001,
        [],
        list(range(1, 101)),
        list(range(901, 1001)),
        list(range(1, 100_000)),
        [10**4000 + n for n in range(100)],
    ],
}
name, made = sys.argv[1], 0
types = parameter_types(game_class(name))
for values in product(*(VALUES[wanted] for wanted in types.values())):
    try:
        game = load_game(name, dict(zip(types, values)))
    except BadParameter as error:
        assert len(str(error)) < 1000, error
        continue
    made += 1
    assert max((abs(value) for value in values if type(value) is int), default=0) < 10**400
    for state in islice(game.initial_states(), 2):
        assert game.to_move(state) in (0, 1)
        actions = game.actions(state)
        assert len(actions) < 100_000
        assert game.parse(game.position(state)) == state
        game.board(state), game.show(state), game.evaluate(state), game.canonical(state)
        for action in actions[:2]:
            game.action_name(action), game.result(state, action)
    assert game.initial == next(iter(game.initial_states()))
    game.look, game.states_at_most()
print(made)
"""


@pytest.mark.parametrize("name", list(entries("games")))
def test_huge_parameters_are_refused_or_cheap(name: str) -> None:
    result = succeeded(run(name, program=ASKED))
    assert bool(int(result.stdout)) == (name != "openspiel")


LARGEST: list[tuple[str, dict[str, Any]]] = [
    ("connect", {"rows": 6, "columns": 8}),
    ("mnk", {"rows": 5, "columns": 6, "k": 5}),
    ("mnk", {"rows": 1, "columns": 31, "k": 3}),
    ("nim", {"heaps": [1000]}),
    ("nim", {"heaps": [1] * 100}),
    ("subtraction", {"heap": 2**62 - 1, "take": [2**62 - 1]}),
    ("kayles", {"n": 62}),
    ("chomp", {"rows": 2, "columns": 31}),
    ("domineering", {"rows": 7, "columns": 8}),
    ("dots-and-boxes", {"rows": 4, "columns": 5}),
    ("hexapawn", {"rows": 5, "columns": 6}),
    ("othello", {"rows": 4, "columns": 6}),
    ("chess-ending", {"pieces": "KRNKR"}),
    ("quixo", {"rows": 2, "columns": 15, "k": 15}),
    ("teeko", {"rows": 5, "columns": 6, "advanced": True}),
]


@pytest.mark.parametrize(("name", "parameters"), LARGEST)
def test_largest_parameters_that_fit_are_accepted(name: str, parameters: dict[str, Any]) -> None:
    assert load_game(name, parameters).initial is not None


HUGE: list[tuple[str, dict[str, Any]]] = [
    ("nim", {"heaps": [9999999999]}),
    ("chess-ending", {"pieces": "KQRBKQRB"}),
    ("connect", {"rows": 10**4000}),
    ("nim", {"heaps": {"1": 2}}),
    ("openspiel", {"game": "connect_four(rows=0)"}),
]


@pytest.mark.parametrize(("name", "parameters"), HUGE)
def test_files_with_huge_parameters_are_refused(
    tictactoe_db_path: Path, tmp_path: Path, name: str, parameters: dict[str, Any]
) -> None:
    path, said = tmp_path / "huge.db", json.dumps(parameters)
    shutil.copy(tictactoe_db_path, path)
    with closing(sqlite3.connect(path)) as connection:
        for key, value in {"game": name, "play": fingerprint(name).play, "parameters": said}.items():
            connection.execute("update about set value = ? where key = ?", (value, key))
        connection.commit()
    with pytest.raises(UnusableFile), open_database(path) as db:
        _ = db.game
    plan = {"schema": SCHEMA, "game": name, "parameters": parameters, "owner": "first", "goal": "win"}
    with pytest.raises(UnusableFile):
        plan_from_json({**plan, "root": "0", "value": 1, "states": {}})
    played = {"players": ["a", "b"], "start": "0", "moves": [], "utility": 0, "note": None}
    (tmp_path / "games.jsonl").write_text(json.dumps({"game": name, "parameters": parameters, **played}))
    with pytest.raises(UnusableFile):
        list(read_games(tmp_path / "games.jsonl"))
