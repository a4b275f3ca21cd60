"""Annotated games: well-known ones, saved ones of every kind, and invalid ones.

Those of random rules are in `tests/whole/test_random_games.py`.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver import annotate
from solver.analysis.annotate import SIGNS
from solver.players.match import PlayedGame
from tests.players.test_match import saved
from tests.support.commandline import call, refusal, silent, succeeded
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.solved import solved, solved_file, solving


def document(*arguments: object) -> Any:
    return json.loads(silent(call("annotate", *arguments, "--json")).stdout)


def test_single_legal_move_gets_no_sign() -> None:
    """From 0 one can only go to 1, where the other player draws or, in 4 plies, loses."""
    children = ((1,), (2, 3), (7,), (4,), (5,), (6,), (), (8,), (9,), ())
    movers, utilities = (0, 1, 0, 0, 1, 0, 1, 1, 0, 1), (0,) * 6 + (1, 0, 0, 0)
    game = ExplicitGame(movers=movers, children=children, utilities=utilities)
    with solving(game) as db:
        moves = annotate(db, PlayedGame(("a", "b"), "0", (0, 0), None, None, None)).moves
    assert [move.sign for move in moves] == ["", "!"]


def test_move_names_with_commas_are_read_greedily() -> None:
    with solved("chomp", {"rows": 2, "columns": 3}) as db:
        name = str(db[db.start].moves_by_action[-1].move)
    (game,) = document(db.path, "--moves", name)["games"]
    assert [str(move["move"]) for move in game["moves"]] == [name]


def test_saved_games_are_solved_each_from_its_own_start(tmp_path: Path) -> None:
    path, every = tmp_path / "one.jsonl", tmp_path / "all.jsonl"
    for words in ("tictactoe --start xo.ox....", "nim heaps=2,3", "ponghauki", "nim misere=true"):
        name, *more = words.split()
        succeeded(call("match", name, *more, "random", "random", "--force", "--save", path))
        with every.open("a") as file:
            file.write(path.read_text())
    actual = document(every)
    assert [game["game"] for game in actual["games"]] == ["tictactoe", "nim", "ponghauki", "nim"]
    assert [game["moves"][0]["ply"] for game in actual["games"]] == [1] * 4
    assert [item["player"] for item in actual["players"]] == ["random"]
    page = tmp_path / "all.html"
    assert "games of the same rules" in refusal(2, "annotate", every, "-o", page)
    assert not page.exists()


LEFT = PlayedGame(("me", "you"), ".........", (0, 4, 8), None, None, None)


def test_unfinished_and_forfeited_games_are_annotated(tmp_path: Path, tictactoe_db_path: Path) -> None:
    forfeit = replace(LEFT, utility=1, winner=0, note="you plays 0, which is not legal")
    path = saved(tmp_path / "games.jsonl", LEFT, forfeit, replace(LEFT, moves=()))
    said = call("annotate", path, "--db", tictactoe_db_path).stdout
    one, two, three, every = said.split("\n\n")
    assert one.splitlines()[-3:] == [
        "o to move: draw",
        "x (me): no move could lose value, 1 !?",
        "o (you): accuracy 100%, 1 of 1 where some move loses value, 1 !",
    ]
    assert "you plays 0, which is not legal" in two
    assert "x to move: draw\nx (me): no move could lose value\no (you): no move could lose value" in three
    assert every.startswith("all games\nme: ")


def test_unusable_games_and_options_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "games.jsonl", LEFT, replace(LEFT, moves=(0, 0)))
    says = f"{path}: game 2: ply 2: 0 is no move in 'x........'; the moves are 1"
    assert says in refusal(1, "annotate", path)
    nim = solved_file("nim", {"heaps": [1, 2]})
    assert "game 1 of" in refusal(2, "annotate", path, "--db", nim)
    assert "--start" in refusal(2, "annotate", path, "--start", ".........")
    assert ".html" in refusal(2, "annotate", path, "-o", tmp_path / "games.svg")
    call("match", "connect", "rows=4", "columns=5", "random", "random", "--force", "--save", path)
    solve = "`perfectplay solve connect rows=4 columns=5 k=4 -o FILE` and name it by --db FILE"
    assert solve in refusal(2, "annotate", path)


@pytest.mark.parametrize("endless", ["first", "second"])
def test_endless_play_counts_as_in_the_saved_game(tmp_path: Path, endless: str) -> None:
    path, games = solved_file("ponghauki", endless=endless), tmp_path / "games.jsonl"
    call("match", path, "random", "random", "--seed", 5, "--games", 3, "--save", games)
    assert document(games) == document(games, "--db", path)
    assert f"--endless {endless}" in refusal(2, "annotate", games, "--db", solved_file("ponghauki"))


def test_every_sign_is_documented() -> None:
    from tests.support.pages import text_of

    assert all(f"| `{sign}` |" in text_of("docs/players.md") for sign in SIGNS)
