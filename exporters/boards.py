"""Positions drawn as HTML-like labels of Graphviz: the lines of a board with marks in its cells."""

import html
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from solver.plugins import AnyGame

Board: TypeAlias = Sequence[Sequence[str]]
Cell: TypeAlias = tuple[int, int]

MARK_COLOURS = ("#0072B2", "#C04A00")
"""The first and the second player's marks: a blue and a vermilion that the colour-blind tell apart."""

PLAYED = "#FFE680"
"""The background of the cell that was played last."""

GRID = (
    '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" ROWS="*" COLUMNS="*" COLOR="#666666">'
)
"""A table that has only the lines between its cells."""

CELL, MARK = 19, 16
"""The least width and height of a cell, and the size of the mark in it, in points."""


def plain(of_game: str) -> str:
    """The text of a game in one line, with nothing that cannot be printed."""
    return "".join(char if char.isprintable() else " " for char in of_game)


def text(of_game: str) -> str:
    """The text of a game fit for an HTML-like label: plain, with nothing that Graphviz would interpret."""
    return html.escape(plain(of_game)).replace("\\", "\\\\")


def picture(game: AnyGame, state: Any, played: Cell | None = None) -> str:
    """The rows of an HTML-like table that show `state`, the cell that was played last marked."""
    board = game.board(state)
    if not board or not all(board):
        return "".join(
            f'<TR><TD ALIGN="LEFT">{text(line)}</TD></TR>' for line in game.show(state).split("\n")
        )
    rows = (
        "<TR>"
        + "".join(_cell(mark, game, (row, column) == played) for column, mark in enumerate(marks))
        + "</TR>"
        for row, marks in enumerate(board)
    )
    return f"<TR><TD>{GRID}{''.join(rows)}</TABLE></TD></TR>"


def cell_played(game: AnyGame, before: Iterable[Any], state: Any) -> Cell | None:
    """The one cell whose mark is new in `state`, whichever of the states `before` led to it; else None."""
    board = game.board(state)
    found = [_new_marks(game.board(each), board) for each in before]
    if found and len(found[0]) == 1 and found.count(found[0]) == len(found):
        return found[0][0]
    return None


def _new_marks(before: Board | None, after: Board | None) -> list[Cell]:
    """The cells of `after` with a mark that is not in `before`, row by row."""
    return [
        (row, column)
        for row, (old, new) in enumerate(zip(before or (), after or (), strict=False))
        for column, (was, mark) in enumerate(zip(old, new, strict=False))
        if mark and mark != was
    ]


def _cell(mark: str, game: AnyGame, played: bool) -> str:
    background = f' BGCOLOR="{PLAYED}"' if played else ""
    start = f'<TD WIDTH="{CELL}" HEIGHT="{CELL}"{background}>'
    if not mark.strip():
        return f"{start}</TD>"
    colour = MARK_COLOURS[game.players.index(mark)] if mark in game.players else "black"
    return f'{start}<FONT POINT-SIZE="{MARK}" COLOR="{colour}">{text(mark)}</FONT></TD>'
