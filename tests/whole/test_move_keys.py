"""What a person sees and types for a move is told alike by `query`, `play` and pages."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import solver
from exporters.html import database_page
from solver.cli import main
from solver.players import Truth, make_player
from solver.players.match import Opponent
from solver.players.session import Dialogue


def told_by_query(path: Path, position: str) -> dict[str, str]:
    """The keys of the moves, as the table of `query` has them, or the names where it has no keys."""
    lines = CliRunner().invoke(main, ["query", str(path), position]).stdout.split("\n\n")[-1].splitlines()
    header, *rows = (re.split(r"\s{2,}", line) for line in lines)
    at = header.index("key") if "key" in header else 0
    return {row[0].removesuffix(" *"): row[at].removesuffix(" *") for row in rows}


def told_by_play(db: solver.Database, position: str) -> tuple[dict[str, str], Dialogue]:
    """The same as `why` tells it, and the game under way."""
    state = db.game.parse(position)
    with Truth(db.game, db) as truth:
        talk = Dialogue(
            db.game, state, db.game.to_move(state), Opponent("x", make_player("random", truth)), truth
        )
        header, *rows = (re.split(r"\s{2,}", line) for line in talk.answer("why").text.splitlines())
    at = header.index("move")
    return {row[at].removesuffix(" *"): row[0].removesuffix(" *") for row in rows}, talk


def told_by_page(db: solver.Database) -> dict[str, str]:
    """The same of all moves of the game, as the data of the page have it."""
    (document,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', database_page.render(db), re.S
    )
    found = json.loads(document)
    return dict(zip(map(str, found["moves"]), found["keys"], strict=True))


@pytest.mark.parametrize(
    ("game", "parameters", "position", "differ"),
    [
        ("mnk", {"rows": 2, "columns": 3, "k": 2, "misere": True}, "xo....", True),
        ("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}, "x...", True),
        ("mnk", {"rows": 2, "columns": 5, "k": 2}, "xo........", False),
        ("connect", {"rows": 3, "columns": 3, "k": 3}, ".../.../x..", False),
    ],
)
def test_query_play_and_pages_have_the_same_keys(
    game: str, parameters: dict[str, object], position: str, differ: bool, tmp_path: Path
) -> None:
    solver.solve(solver.load_game(game, parameters), tmp_path / "game.db")
    with solver.open_database(tmp_path / "game.db") as db:
        keys, (played, talk), paged = (
            told_by_query(tmp_path / "game.db", position),
            told_by_play(db, position),
            told_by_page(db),
        )
        assert keys == played == {name: paged[name] for name in keys}
        assert list(keys) == [str(move.move) for move in db[position].moves]
        assert any(name != key for name, key in keys.items()) == differ
        assert ("is the move" in talk.opening()) == differ
        for name, key in keys.items():  # what is typed leads where the move of that name does
            _, talk = told_by_play(db, position)
            talk.answer(key)
            assert db.game.position(talk.states[1]) == next(
                move.position for move in db[position].moves if str(move.move) == name
            )
