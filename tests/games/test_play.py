"""Moves, ends and pictures of single positions, as the rules of each game say."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.games.test_texts import game_of, rows_of
from tests.support.games.misbehaving import Fork

MOVES = {
    "domineering rows=2 columns=3": {".../... vertical": "v0 v1 v2", "#../#.. horizontal": "h1 h4"},
    "dots-and-boxes rows=1 columns=2": {"-./||./-. +1 first": "1 4 6"},
    "hexapawn": {
        "bbb/.../www": "a1-a2 b1-b2 c1-c2",
        "bbb/w../.ww black": "b3xa2 b3-b2 c3-c2",
        "bbb/.w./w.w white": "b2xa3 b2xc3 a1-a2 c1-c2",
    },
    "kayles n=4": {"||.|": "0 1 3 0+1"},
    "morris": {
        "xo./.../...": "2 3 4 5 6 7 8",
        "xo./xox/o.. x": "5-2 5-8",
        "xo./xox/o.. o": "1-2 4-2 4-7 4-8 6-7",
    },
    "morris variant=achi": {"xo./xox/o..": "2 7 8", "o.o/xox/xox o": "0-1 2-1 4-1"},
    "morris variant=nine-holes": {"xo./xox/o.. x": "0-2 0-7 0-8 3-2 3-7 3-8 5-2 5-7 5-8"},
    "morris variant=six": {
        "xx./.../.oo./.../... x 8": "2 3 4 5 6 9 10 11 12 13 14 15",
        "xxx/.../.oo./.../... x 7 takes": "x7 x8",
        "xxx/ooo/.o../.../... x 3 takes": "x7",  # not from the mill
        "xxx/ooo/..../.../... x 5 takes": "x3 x4 x5",  # all are in mills
        "xx./.../.x.o/oo./... x": "0-6 1-2 1-4 7-3 7-6",  # nobody flies
        "xx./.../.o.o/oo./... o": "7-3 7-6 9-2 9-8 9-15 11-12 11-14",
    },
    "morris variant=three-mens-morris": {"xo./xox/o.. o": "1-2 4-7 6-7"},
    "morris variant=tsoro-yematatu": {"x/oo./xxo x": "0-3"},
    "nim heaps=1,3,3": {"1,3,3 first": "1-1 3-3 3-2 3-1"},
    "othello": {"bw../..../..../.... white": "pass", "bw../..../..../.... black": "c1"},
    "ponghauki": {
        "oo/./xx x": "3-2 4-2",
        "oo/./xx o": "0-2 1-2",
        ".o/o/xx o": "2-0",
        "o./o/xx x": "4-1",
        "o./x/ox x": "2-1 4-1",
    },
    "quixo rows=4 columns=4 k=4": {  # a cube of the other player is not taken
        "xooo/o..o/o.oo/ooox x": "a1-d1 a1-a4 d4-d1 d4-a4"
    },
    "subtraction heap=9 take=5,2": {"9 first": "5 2"},
    "teeko rows=3 columns=3": {
        "b.b/rr./b.r black": "b1 c2 b3",
        "bbr/rr./brb black": "b1-c2 c3-c2",
        "bbr/rr./brb red": "c1-c2 b2-c2 b3-c2",
        ".rb/rrb/bbr red": "b1-a1 a2-a1 b2-a1",
    },
}
"""By game and position, the names of all moves."""

AFTER: dict[str, dict[tuple[str, str], str]] = {
    "chomp rows=3 columns=4": {("4,4,4 first", "1,2"): "4,2,2 second"},
    "domineering rows=2 columns=3": {(".../... vertical", "v0"): "#../#.. horizontal"},
    "dots-and-boxes rows=1 columns=2": {
        ("../||./-. +0 second", "0"): "-./||./-. -1 second",  # who closes a box moves again
        ("../||./-. +0 second", "1"): ".-/||./-. +0 first",
        ("--/|.|/-- +0 first", "3"): "--/|||/-- +2 first",  # one line can close two boxes
    },
    "hexapawn": {("bbb/w../.ww black", "b3xa2"): "b.b/b../.ww white"},
    "lgame": {
        ("nxx./.ox./.ox./.oon x", "bcdh"): "nxxx/.o.x/.o../.oon o",
        ("nxx./.ox./.ox./.oon x", "bcdh+a-k"): ".xxx/.o.x/.on./.oon o",
    },
    "morris variant=six": {  # one stone is taken even when two mills are closed
        (".xx/o../x..o/..o/x.o x 4", "0"): "xxx/o../x..o/..o/x.o x 3 takes",
        ("xxx/o../x..o/..o/x.o x 3 takes", "x3"): "xxx/.../x..o/..o/x.o o 3",
    },
    "nim heaps=1,3,3": {("1,3,3 first", "3-2"): "1,1,3 second"},
    "quixo rows=3 columns=3 k=3": {
        (".xx/o.o/..o x", "a1-a3"): "oxx/..o/x.o o",
        ("xx./o.o/..o x", "c1-a1"): "xxx/o.o/..o o",
        (".ox/o../.xo x", "a3-a1"): "xox/.../oxo o",
        ("xoo/o../xo. x", "a1-a3"): "ooo/x../xo. o",
        ("xoo/o.x/x.x x", "a1-a3"): "ooo/x.x/x.x o",
        ("xoo/oxx/x.. x", "a1-a3"): "ooo/xxx/x.. o",
    },
    "subtraction heap=9 take=5,2": {("9 first", "5"): "4 second"},
    "tictactoe wild=true": {("......... first", "o4"): "....o.... second"},
}
"""By game, position and move, the position that comes of it."""

ENDS: dict[str, dict[str, int | None]] = {
    "chomp rows=1 columns=1": {"0 second": -1},
    "domineering rows=1 columns=2": {".. vertical": -1},
    "domineering rows=1 columns=2 misere=true": {".. vertical": 1},
    "dots-and-boxes rows=1 columns=2": {"--/|||/-- +2 first": 2},
    "hexapawn": {
        "wbb/.../.ww black": 1,  # white has arrived
        "bb./.../b.. white": -1,  # black has arrived
        ".b./.w./... black": 1,  # black is blocked
        ".b./.w./... white": -1,  # white is blocked
        ".../.w./... black": 1,  # black has nothing left
    },
    "morris": {"xxx/oo./... o": 1, "oxx/xo./..o x": -1, "xo./ox./... x": None},
    "morris variant=achi": {"o.o/xox/xox x": -1},  # blocked
    "morris variant=nine-holes": {"xxx/oo./... o": 1, "oxx/xo./..o x": None},
    "morris variant=tsoro-yematatu": {"x/x.o/xo. o": 1, "x/xoo/.xo x": None},
    "ponghauki": {"x./o/xo x": -1},  # blocked
    "subtraction heap=9 take=5,2": {"1 second": 1},  # something is left, but less than one may take
}
"""By game and position, what the end is worth; None where play goes on."""

SHOWN = {
    "chess-ending pieces=KQK": {
        "8/8/8/8/8/3k4/8/K7 w": "".join(f"{row} . . . . . . . .\n" for row in "87654")
        + "3 . . . k . . . .\n2 . . . . . . . .\n1 K . . . . . . .\n  a b c d e f g h"
    },
    "chomp rows=3 columns=4": {
        "4,2,2 second": " ! | # | # | #\n---+---+---+---\n # | # | . | .\n---+---+---+---\n # | # | . | ."
    },
    "dobutsu": {"gle/.../.C./ELG C second": "1 g l e\n2 . . .\n3 . C .\n4 E L G  C\n  a b c"},
    "domineering rows=2 columns=3": {"#../#.. horizontal": " # | 1 | 2\n---+---+---\n # | 4 | 5"},
    "dots-and-boxes rows=1 columns=2": {
        "--/|||/-- +2 first": "+ - + - +\n|   |   |\n+ - + - +",
        "--/|.|/-- +0 first": "+ - + - +\n|   3   |\n+ - + - +",
    },
    "hexapawn": {
        "bbb/w../.ww black": "  b |  b |  b\n----+----+----\n  w | b2 | c2\n----+----+----\n a1 |  w |  w"
    },
    "kayles n=4": {"||.|": " | | . |\n 0 1 2 3"},
    "nim heaps=1,3,3": {"1,3,3 first": "1  o\n3  o o o\n3  o o o"},
    "ponghauki": {"x./o/xo x": "x   1\n|\\ /|\n| o |\n|/ \\|\nx---o"},
    "quixo rows=2 columns=4 k=3": {"x..o/.x.. o": "1 x . . o\n2 . x . .\n  a b c d"},
    "subtraction heap=9 take=5,2": {"1 second": "1 left; nothing may be taken"},
}
"""By game and position, the picture in a terminal."""


@pytest.mark.parametrize(("game", "text", "names"), rows_of(MOVES))
def test_legal_moves(game: str, text: str, names: str) -> None:
    rules = game_of(game)
    actual = [str(rules.action_name(action)) for action in rules.actions(rules.parse(text))]
    assert actual == names.split()


@pytest.mark.parametrize(("game", "begun", "after"), rows_of(AFTER))
def test_result_of_a_move(game: str, begun: tuple[str, str], after: str) -> None:
    rules, (text, move) = game_of(game), begun
    state = rules.parse(text)
    actions = {str(rules.action_name(action)): action for action in rules.actions(state)}
    assert rules.result(state, actions[move]) == rules.parse(after)


@pytest.mark.parametrize(("game", "text", "utility"), rows_of(ENDS))
def test_terminal_positions_and_utilities(game: str, text: str, utility: int | None) -> None:
    rules = game_of(game)
    state = rules.parse(text)
    assert rules.is_terminal(state) == (not rules.actions(state)) == (utility is not None)
    if utility is not None:
        assert rules.utility(state) == utility


@pytest.mark.parametrize(("game", "text", "picture"), rows_of(SHOWN))
def test_show_of_a_position(game: str, text: str, picture: str) -> None:
    rules = game_of(game)
    assert rules.show(rules.parse(text)) == picture


@dataclass(frozen=True)
class Drawn(Fork):
    """A game with a board and no `show`."""

    rows: tuple[tuple[str, ...], ...]
    cell_names: tuple[tuple[str, ...], ...] = ()

    def board(self, state: str) -> Any:
        return self.rows


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (Drawn((("x", "", "o"), ("", "king", ""))), "x .    o\n. king ."),
        (Drawn((("x", ""), ("", " ", "o")), (("a1", "b1", "c1"), ("a2",))), "x  b1\na2 .  o"),
        (Drawn(()), "root"),
    ],
    ids=["dots in empty cells", "names of empty cells", "without a board the position"],
)
def test_show_aligns_columns(drawn: Drawn, shown: str) -> None:
    assert drawn.show("root") == shown
