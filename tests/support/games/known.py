"""Packed games in layers with options to solve them, for tests of packed files."""

from typing import Any

from solver import load_game
from tests.support.games.packed import Ladder, Sums

SMALL: list[tuple[Any, dict[str, Any]]] = [
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {}),
    (load_game("mnk", {"rows": 3, "columns": 3, "k": 2, "misere": True}), {"fold": True}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2, "wild": True}), {"fold": True}),
    (load_game("tictactoe"), {"start": "xo.ox....", "fold": True}),
    (load_game("connect", {"rows": 3, "columns": 3, "k": 3}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {"fold": True}),
    (load_game("domineering", {"rows": 3, "columns": 3}), {}),
    (Ladder(130), {}),
    (Ladder(7, prize=200), {}),
    (Sums(), {}),
    (Sums(lie=1), {}),
]
"""Games with symmetries, margins, moves in a row, many starts, a start other than that of the rules, more
plies than fit into a byte, and rules that tell the ply, do not tell it or tell a wrong one."""

LARGE: list[tuple[Any, dict[str, Any]]] = [
    (load_game("mnk", {"rows": 3, "columns": 3, "k": 2}), {}),
    (load_game("mnk", {"rows": 3, "columns": 3, "k": 2, "wild": True}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 3}), {}),
    (load_game("connect", {"rows": 3, "columns": 3, "k": 3}), {}),
    (load_game("tictactoe"), {}),
    (load_game("tictactoe", {"misere": True}), {"fold": True}),
    (load_game("tictactoe", {"wild": True}), {"fold": True}),
    (load_game("connect", {"rows": 4, "columns": 3}), {}),
    (load_game("connect", {"rows": 3, "columns": 4, "k": 3}), {"fold": True}),
    (Ladder(300), {}),
]
"""Games for tests marked `slow`."""

SMALLEST: dict[str, dict[str, Any]] = {
    "chess-ending": {"pieces": "KK"},
    "chomp": {},
    "connect": {"rows": 3, "columns": 3, "k": 3},
    "dobutsu": {},
    "domineering": {"rows": 3, "columns": 3},
    "dots-and-boxes": {"rows": 2, "columns": 1},
    "hexapawn": {},
    "kayles": {"n": 5},
    "lgame": {},
    "mnk": {"rows": 2, "columns": 3, "k": 2},
    "morris": {"variant": "tsoro-yematatu"},
    "nim": {"heaps": (1, 2, 3)},
    "openspiel": {"game": "nim(pile_sizes=1;2)"},
    "othello": {"rows": 2, "columns": 6},
    "ponghauki": {},
    "quixo": {"rows": 2, "columns": 3, "k": 2},
    "subtraction": {},
    "teeko": {"rows": 3, "columns": 3},
    "tictactoe": {},
}
"""Parameters of small variants of every game that comes along, but for those that have none."""
