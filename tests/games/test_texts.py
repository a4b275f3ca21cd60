"""Positions in other spellings, and refusals of texts and parameters, for every game."""

from collections.abc import Mapping
from typing import Any

import pytest

from solver.errors import BadParameter, UnreadablePosition
from solver.game import AnyGame
from solver.rules.loading import load_game

READ = {
    "tictactoe": {
        "xo..x....": "xo..x....",
        "xo./.x./...": "xo..x....",
        "xo__x____": "xo..x....",
        "XO--X----": "xo..x....",
        "xo..x.... o": "xo..x....",
        "  xo..x....   X ": "xo..x.... x",
        "oo.ox...x": "oo.ox...x x",  # the side with fewer marks is to move unless it is said
        "oo.ox...x X": "oo.ox...x x",
        "oo./ox./..x o": "oo.ox...x o",
        "xxx......": "xxx...... o",
        "xxx...... o": "xxx...... o",
        "ooo......": "ooo...... x",
        "xo.......": "xo.......",
        ".........": ".........",
        "......... x": ".........",
        "......... o": "......... o",
    },
    "connect": {
        ".........o...xx.": "..../..../.o../.xx.",
        "----/____/.O../.XX. X": "..../..../.o../.xx. x",
        "..../..../.o../.xx. o": "..../..../.o../.xx.",
        "..../..../..../.... o": "..../..../..../.... o",
        "..../..../..../xxxx o": "..../..../..../xxxx o",
        "..../..../..../xx..": "..../..../..../xx.. o",
        "..../..../..../oo..": "..../..../..../oo.. x",
    },
    "dobutsu": dict.fromkeys(
        ["gle/1c1/1C1/ELG", "gle/.c./.C./ELG -", "gle/.c./.C./ELG FIRST"], "gle/.c./.C./ELG - first"
    ),
    "morris": {
        "xo./.../...": "xo./.../...",
        "xo./.../... o": "xo./.../... o",
        "XX_______": "xx./.../... o",
        "oxo/xox/...": "oxo/xox/... x",
    },
    "nim heaps=1,2,3": dict.fromkeys(["1,2,3", "3,2,1", "1,2,3 FIRST"], "1,2,3 first"),
    "quixo rows=2 columns=3 k=3": {"XO_...": "xo./... x", "xo-/... O": "xo./... o"},
    "teeko rows=3 columns=3": {
        "B__/___/___": "b../.../... red",
        "br./.../...": "br./.../... black",
        "brb/rbr/b.r": "brb/rbr/b.r black",
        "brb/rbr/b.r RED": "brb/rbr/b.r red",
    },
}
"""By game the texts of positions, and how the game writes these."""

UNREADABLE = {
    "chess-ending pieces=KRK": {
        r"a legal position of KRK in FEN, such as '.* w'": [
            "8/8/8/3k4/8/8/8/KR6",  # no side
            "8/8/8/3k4/8/8/8/KR6 white",
            "8/8/8/3k4/8/8/8/KR5 w",
            "8/8/8/3k4/8/8/KR6 w",
            "8/8/8/3k4/8/8/8/KQ6 w",  # another piece
            "8/8/8/8/8/8/8/KR6 w",  # no black king
            "8/8/8/8/8/8/8/KRk5 w",  # black is in check already
            "8/8/8/8/8/8/k7/K1R5 b",  # kings side by side
            "8/8/8/3k4/8/8/8/KR6 w KQ - 0 1",  # nothing to castle with
            "9/8/8/3k4/8/8/8/KR6 w",
        ]
    },
    "chomp rows=3 columns=4": {
        "first or second": ["4,4", "4,4,5", "2,3,1", "4,4,4,4", "4,4,-1", "4,4,x", "4,4,4 third"]
    },
    "connect": {
        "o, to move, has not won before": ["..../..../..../oooo o"],
        "x, to move, has not won before": ["..../..../ooo./xxxx x"],
        "no stone above a gap": ["..../.o../..../.xx."],
        "4 rows of 4": ["..../..../.o../.xx", "..../..../.o../.xy."],
        "the side to move is x or o": ["..../..../.o../.xx. z"],
    },
    "dobutsu": {
        "8 pieces in all": [
            "gle/.c./.C./EL. - first",  # a giraffe is missing
            "gle/.c./.C./ELG C first",  # three chicks
            "gle/.c./.C./EgG L first",  # a lion in hand
            "gle/.../.../ELG Hc first",  # a hen in hand
            "gLe/.c./.C./ELG - first",
            "gle/.c./.C./ELG - third",
            "gle/.c./.C./ELG - - first",
            "gle/.c./.C./ELG. - first",
        ]
    },
    "domineering rows=2 columns=3": {
        "vertical or horizontal": ["#../#.", "#../#.x", "#../#... vertical", "#../#.. first"]
    },
    "dots-and-boxes rows=1 columns=2": {
        "net boxes": ["../.../..", "../.../.. first"],
        "first or second": ["../.../.. +0 third"],
        r"\.\./\.\.\./\.\.": ["../.../. +0 first"],
        r"- or \|": ["../.x./.. +0 first"],
        r"such as \+1": ["../.../.. 0.5 first", "../.../.. +3 first"],
        r"0 closed boxes do not make a net of \+1": ["../.../.. +1 first"],
        r"1 closed boxes do not make a net of \+0": ["-./||./-. +0 second"],
    },
    "hexapawn": {
        "white or black": [
            *("bbb/.../ww", "bbb/.../wwx", "bbb/.../www x", "wbb/.../.ww white", ".bb/.../bww black")
        ]
    },
    "kayles n=4": {"first or second": ["|||", "|||||", "||x|", "|||| third", "|| ||"]},
    "lgame": {
        "x or o": [
            *("nxx./.ox./.ox./.oo. x", "nxx./.ox./.ox./noon x", "nxxx/.o../.ox./.oon x"),
            *("nxx./.ox./.ox./.oon z", "nxx./.ox."),
        ]
    },
    "morris": {
        "9 points": ["xo./.../..", "xo./.../..z", "xxo/oox/x.. "],
        "at most 3 of each": ["xxx/xo./.oo o"],
        "has not won before": ["xxx/oo./... x"],
        "the side to move is x or o": ["xo./.../... z"],
    },
    "morris variant=six": {
        r"16 points of x, o or ., .* stones are left to place": [
            "xxo/.oo/..../.../... o 7",  # o has three after five stones
            "xx./.../.oo./.../...",  # no side
            "xx./.../.oo./.../... o 8",  # x is to move after four stones
            "xx./.../.oo./.../... x 13",
            "xx./.../.oo./.../... x 8 takes",  # no mill
            "xxx/.../..../.../... x 9 takes",  # nothing to take
            "xx./.../.oo/.../... x 8",
            "xx./.../.oo./.../... x takes 8",
        ]
    },
    "nim heaps=1,2,3": {
        "first or second": ["1,2", "1,2,4", "1,2,3,0", "3,3,0", "1,,3", "1,2,-3", "1,2,3 third"]
    },
    "othello": {"black or white": ["..../.wb./.bw./...", "..../.wb./.bx./....", "..../.wb./.bw./.... first"]},
    "ponghauki": {"x or o": ["oo/x/x", "oo/x/xx", "oo/./xxx", "oo/x/x. z", "ooxz."]},
    "quixo rows=2 columns=3 k=3": {
        "2 rows of 3": ["xo./.."],
        "x, o or .": ["xoz..."],
        "x or o": ["...... z"],
    },
    "subtraction heap=10": {"first or second": ["11", "-1", "x", "3 third", "3.0", "1e1"]},
    "teeko rows=3 columns=3": {
        "with 4 of each, or fewer as placed in turn": [
            *("br./.../..", "br./.../..x", "bb./.../...", "b.r/.../... red", "b../.../... black"),
            *("bbb/bbr/rrr black", "bb./bbr/rrr black"),
        ]
    },
    "tictactoe": {
        "9 cells": ["", "   ", "xo..x...", "xo..x....."],
        "x, o or .": ["xo..x...z", "❌o..x...."],
        "the side to move is x or o": ["xo..x.... z", "xo..x.... xo"],
        "3 rows of 3": ["xo..x.... x o", "xo. .x. ..."],
    },
}
"""By game and by what is said of them, texts that are no positions."""

IMPOSSIBLE: dict[str, list[tuple[Mapping[str, object], str]]] = {
    "chess-ending": [
        *(({"pieces": pieces}, "such as KQK") for pieces in ("KPK", "KQ", "kqk", "")),
        ({"pieces": "KQRBKQRB"}, "pieces can be at most 5, not 8"),
    ],
    "connect": [
        ({"rows": 0}, "rows must be at least 1"),
        ({"columns": -1}, "columns must be at least 1"),
        ({"k": 0}, "k must be at least 1"),
        ({"k": 10**9}, "k must be at least 1 and at most 62, not 1000000000"),
        ({"rows": 7, "columns": 8}, "at most 62, not 64"),
        ({"rows": 62, "columns": 1}, "at most 62, not 63"),
        ({"misere": True}, "rows, columns, k"),
    ],
    "dots-and-boxes": [
        ({"rows": 0}, "rows must be"),
        ({"columns": -1}, "columns"),
        ({"rows": 5, "columns": 5}, "67 bits"),
    ],
    "hexapawn": [
        ({"rows": 1}, "rows must be at least 2"),
        ({"columns": 0}, "columns"),
        ({"columns": 11}, "31"),
    ],
    "kayles": [
        ({"n": 0}, "at least 1"),
        ({"n": 63}, "at most 62"),
        ({"n": "few"}, "an integer"),
        ({"n": 10**4000}, "n must be at least 1 and at most 62, not 1000000"),
    ],
    "mnk": [
        ({"rows": 0}, "rows must be at least 1"),
        ({"columns": 0}, "columns must be at least 1"),
        ({"k": 0}, "k must be at least 1"),
        ({"rows": -3}, "rows must be at least 1"),
        ({"k": -1}, "k must be at least 1"),
        ({"k": 4}, "k can be at most 3"),
        ({"rows": 4, "columns": 8}, "32 cells"),
        ({"rows": 10**12, "columns": 10**12, "k": 10**9}, "rows must be at least 1 and at most 62, not 1"),
        *(({"rows": rows}, "an integer") for rows in ("three", "3.5", 3.0, True, None)),
        *(({"misere": misere}, "true or false") for misere in ("perhaps", 1)),
        ({"height": 3}, "rows, columns, k, misere"),
    ],
    "morris": [({"variant": "chess"}, "there are tapatan, three-mens-morris, .*tsoro-yematatu")],
    "nim": [
        *(({"heaps": heaps}, "heaps") for heaps in ("0", "1,0", "-1", "", "x", "1,,2")),
        ({"heaps": []}, "heaps=1,2,3"),
        ({"heaps": "9999999999"}, "heaps must be at least 1 and at most 1,000, not 9999999999"),
        ({"heaps": [1] * 101}, "heaps must be one heap to 100 heaps"),
    ],
    "othello": [
        ({"rows": 3}, "rows must be even"),
        ({"columns": 5}, "columns must be even"),
        ({"rows": 0}, "rows must be at least 2"),
        ({"rows": 6, "columns": 6}, "36 cells"),
    ],
    "quixo": [
        ({"rows": 1}, "rows must be at least 2"),
        ({"columns": 1}, "columns must be at least 2"),
        ({"rows": 4, "columns": 4}, "k can be at most 4"),
        ({"rows": 6, "columns": 6, "k": 6}, "room for 31"),
    ],
    "subtraction": [
        ({"heap": -1}, "heap must be at least 0"),
        ({"heap": 2**62}, "heap must be at least 0 and at most 4,611,686,018,427,387,903, not 46116860"),
        ({"take": "0"}, "take must be at least 1"),
        ({"take": [2**62]}, "take must be at least 1 and at most 4,611,686,018,427,387,903"),
        ({"take": list(range(1, 1002))}, "different numbers, at most 1,000"),
        ({"take": "1,1"}, "take must be different numbers"),
        ({"take": ()}, "take must be different numbers"),
        ({"take": "one"}, "a list with commas"),
    ],
    "teeko": [
        ({"rows": 2}, "rows must be at least 3"),
        ({"columns": 2}, "columns must be at least 3"),
        ({"rows": 4, "columns": 8}, "room for 30"),
    ],
    "tictactoe": [({"rows": "4"}, "it has misere")],
    **{
        name: [
            ({"rows": 0}, "rows must be"),
            ({"columns": -2}, "columns must be"),
            ({"rows": 8, "columns": 8}, "62"),
        ]
        for name in ("chomp", "domineering")
    },
}
"""By game, parameters that it cannot have, and what is said of them."""


def game_of(words: str) -> AnyGame:
    """The game and its parameters, as a person types them."""
    name, *parameters = words.split()
    return load_game(name, dict(parameter.split("=") for parameter in parameters))


def rows_of(table: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of all games, each after its game."""
    lists = {game: rows.items() if isinstance(rows, dict) else rows for game, rows in table.items()}
    return [(game, *row) for game, rows in lists.items() for row in rows]


@pytest.mark.parametrize(("game", "text", "written"), rows_of(READ))
def test_positions_are_read_in_other_spellings(game: str, text: str, written: str) -> None:
    rules = game_of(game)
    assert rules.position(rules.parse(text)) == written


@pytest.mark.parametrize(("game", "hint", "texts"), rows_of(UNREADABLE))
def test_unreadable_positions_are_refused_with_a_hint(game: str, hint: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(UnreadablePosition, match=hint):
            game_of(game).parse(text)


@pytest.mark.parametrize(("game", "parameters", "hint"), rows_of(IMPOSSIBLE))
def test_impossible_parameters_are_refused(game: str, parameters: Mapping[str, object], hint: str) -> None:
    with pytest.raises(BadParameter, match=hint) as caught:
        load_game(game, parameters)
    assert len(str(caught.value)) < 300
