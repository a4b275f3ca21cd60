"""What a board has to show: whose marks there are, what is drawn for them, which cells a move changes."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from solver.game import AnyGame, Cell
from solver.rules.asking import board_of, look_of

__all__ = [
    "MARK_COLOURS",
    "NOBODYS",
    "PLAYED",
    "REPLIED",
    "Board",
    "Cell",
    "cell_played",
    "cells_changed",
    "changes",
    "colour",
    "glyph",
    "owner",
    "plain",
]

Board: TypeAlias = Sequence[Sequence[str]]

MARK_COLOURS = ("#0072B2", "#C04A00")
"""The first and the second player's marks: a blue and a vermilion that the colour-blind tell apart."""

NOBODYS = "#333333"
"""The colour of a mark that belongs to neither player."""

PLAYED = "#FFE680"
"""The background of the cells that the owner's move changes."""

REPLIED = "#BDBDBD"
"""The background of the cells that the other player has changed last."""


def plain(of_game: str) -> str:
    """The text of a game in one line, with nothing that cannot be printed."""
    return "".join(char if char.isprintable() else " " for char in of_game)


def owner(game: AnyGame, mark: str) -> int | None:
    """Whose `mark` it is, 0 or 1; None where it belongs to neither player."""
    return look_of(game).owners.get(mark, game.players.index(mark) if mark in game.players else None)


def colour(game: AnyGame, mark: str) -> str:
    """The colour of a mark, its owner's."""
    player = owner(game, mark)
    return NOBODYS if player is None else MARK_COLOURS[player]


def glyph(game: AnyGame, mark: str) -> str:
    """What is drawn for a mark, or for "", an empty cell."""
    return look_of(game).glyphs.get(mark, mark)


def cell_played(game: AnyGame, before: Iterable[Any], state: Any) -> Cell | None:
    """The one cell whose mark is new in `state`, whichever of the states `before` led to it; else None."""
    board = board_of(game, state)
    found = [_new_marks(board_of(game, each), board) for each in before]
    if found and len(found[0]) == 1 and found.count(found[0]) == len(found):
        return found[0][0]
    return None


def cells_changed(game: AnyGame, before: Iterable[Any], state: Any) -> list[Cell]:
    """The cells that differ in `state` from each of the states `before`; none where they are not the same."""
    board = board_of(game, state)
    found = [changes(board_of(game, each), board) for each in before]
    return found[0] if found and found.count(found[0]) == len(found) else []


def _new_marks(before: Board | None, after: Board | None) -> list[Cell]:
    """The cells of `after` with a mark that is not in `before`, row by row."""
    return [(row, cell) for row, cell in changes(before, after) if after and after[row][cell]]


def changes(before: Board | None, after: Board | None) -> list[Cell]:
    """The cells of `after` that differ from those of `before`, row by row."""
    return [
        (row, cell)
        for row, (old, new) in enumerate(zip_longest(before or (), after or (), fillvalue=()))
        for cell, (was, mark) in enumerate(zip_longest(old, new, fillvalue=""))
        if mark != was and row < len(after or ()) and cell < len(new)
    ]
