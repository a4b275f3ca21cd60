"""A position of each family of games with made-up values, for pictures without a solve."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import solver
from exporters.html.database_page import page_position_after
from exporters.html.page import about_game, page
from exporters.html.rows import PageMove, PagePosition, PositionRows
from exporters.svg import position as position_svg
from solver.database.entry import Entry, Move
from solver.database.wording import game_title
from solver.game import SIGNS, AnyGame
from solver.rules.asking import actions_of, mover_of
from solver.rules.notation import write_action, write_position

FAMILIES: Mapping[str, tuple[str, Mapping[str, Any], str | None]] = {
    "chess-ending": ("chess-ending", {}, "8/8/8/8/8/1k6/8/K6R w"),
    "chess-ending-of-black": ("chess-ending", {}, "8/8/8/8/8/1k6/8/K6R b"),
    "chomp": ("chomp", {}, "4,3,1 first"),
    "connect": ("connect", {"rows": 4, "columns": 4, "k": 4}, None),
    "dobutsu": ("dobutsu", {}, None),
    "domineering": ("domineering", {}, "#.../#.../.... horizontal"),
    "dots-and-boxes": ("dots-and-boxes", {"rows": 2, "columns": 2}, "-./|../../.../.. +0 second"),
    "hexapawn": ("hexapawn", {}, "bb./w.b/.ww white"),
    "kayles": ("kayles", {"n": 7}, "||.|||| second"),
    "lgame": ("lgame", {}, None),
    "mnk-wild": ("mnk", {"wild": True}, None),
    "morris": ("morris", {"variant": "tapatan"}, "xox/.../... x"),
    "morris-six": ("morris", {"variant": "six"}, None),
    "morris-tsoro-yematatu": ("morris", {"variant": "tsoro-yematatu"}, "x/ox./oox x"),
    "nim": ("nim", {"heaps": (1, 3, 3)}, None),
    "othello": ("othello", {"rows": 4, "columns": 4}, None),
    "ponghauki": ("ponghauki", {}, None),
    "quixo": ("quixo", {"rows": 3, "columns": 3, "k": 3}, None),
    "subtraction": ("subtraction", {}, None),
    "teeko": ("teeko", {"rows": 3, "columns": 4}, None),
}
"""By name: the game, its parameters, and a position; None for the start."""


GOLDEN = Path(__file__).parents[1] / "golden" / "families.txt"
"""The SHA-256 of each picture: `python -m tests.exporters.support.families FOLDER` writes it anew.

It also puts the pictures into the folder: look at each that has changed.
"""


def of_family(name: str) -> tuple[AnyGame, Entry]:
    """The rules and the position."""
    game, parameters, position = FAMILIES[name]
    rules = solver.load_game(game, parameters)
    return rules, made_up(rules, position)


def digests() -> str:
    """A line for each picture: its SHA-256 and its name."""
    pictures = {name: position_svg.render(*of_family(name)) for name in FAMILIES}
    return "".join(f"{sha256(svg.encode()).hexdigest()}  {name}\n" for name, svg in pictures.items())


def made_up(game: AnyGame, position: str | None = None) -> Entry:
    """An entry in which moves win, draw and lose by turns, ever later; the first one is the best.

    It is that of the initial state, unless a position is given.
    """
    state = game.initial if position is None else game.parse(position)
    mover, moves = mover_of(game, state), list[Move]()
    for number, action in enumerate(actions_of(game, state)):
        outcome = ("win", "draw", "loss")[number % 3]
        after = write_position(game, game.result(state, action))
        plies = None if outcome == "draw" else 1 + number % 3 + number // 3 * 11
        value = SIGNS[outcome] * (1 - 2 * mover)
        moves.append(Move(write_action(game, action), after, outcome, plies, number == 0, value))
    name, text = game.players[mover], write_position(game, state)
    return Entry(text, name, None, 1 - 2 * mover, "win", 1, moves[0].move, False, tuple(moves))


def page_of(game: AnyGame, entry: Entry | None = None, *, scored: bool = False) -> str:
    """The page of a position with such values and of those after its moves, as if play ended there."""
    rows, entry = PositionRows(game), entry or made_up(game)
    links = [PageMove(move.move, move.position, move.best) for move in entry.moves]
    state = game.parse(entry.position)
    here = PagePosition(entry.position, state, mover_of(game, state), entry.value, 1, 0, links)
    after = {move.position: replace(page_position_after(game, move), links=()) for move in entry.moves}
    rows.part([here, *after.values()])
    about = about_game("database", game, None, scored=scored, roots=1, source=None)
    return page(game, game_title(game), "Made up.", "", rows.document(**about))


if __name__ == "__main__":
    GOLDEN.write_text(digests(), "utf-8")
    for family in FAMILIES:
        Path(sys.argv[1], f"{family}.svg").write_text(position_svg.render(*of_family(family)), "utf-8")
