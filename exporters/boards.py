"""The cells of boards: which have marks, and which of them a move changes."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from solver.game import AnyGame, Cell
from solver.rules.asking import board_of, look_of

Board: TypeAlias = Sequence[Sequence[str]]


def is_there(board: Board, cell: Cell) -> bool:
    """Whether a board has a cell."""
    return cell[0] < len(board) and cell[1] < len(board[cell[0]])


def mark_at(board: Board, cell: Cell) -> str:
    """The mark in a cell; "" for none, and beyond the board."""
    return board[cell[0]][cell[1]].strip() if is_there(board, cell) else ""


def marked(board: Board) -> dict[Cell, str]:
    """The marks by their cells, row by row."""
    return {
        (row, column): mark
        for row, marks in enumerate(board)
        for column, mark in enumerate(marks)
        if mark.strip()
    }


def indents(game: AnyGame, board: Board) -> list[int]:
    """By how many cells each row is moved to the right: on boards with ways short ones are centred."""
    widest = max(map(len, board), default=0)
    return [(widest - len(row)) // 2 if look_of(game).ways else 0 for row in board]


def padded(game: AnyGame, board: Board) -> Board:
    """The board with each row moved to the right by its indent, and as long as the longest."""
    if not look_of(game).ways:
        return board
    widest = max(map(len, board), default=0)
    moved = ([*[""] * indent, *row] for indent, row in zip(indents(game, board), board, strict=True))
    return [[*row, *[""] * (widest - len(row))] for row in moved]


def ways(game: AnyGame, board: Board) -> list[tuple[Cell, Cell]]:
    """The two ends of each way, in ascending order, in rows that are moved to the right by their indents."""
    right = indents(game, board)
    return [
        (start, end)
        for way in look_of(game).ways
        for start, end in [sorted((row, at + right[row] if row < len(right) else at) for row, at in way)]
    ]


def step(start: Cell, end: Cell) -> tuple[int, Cell]:
    """The steps from a cell to another in a straight line, and a single one, as (down, right)."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right), 1)
    return steps, (down // steps, right // steps)


def changes(before: Board | None, after: Board | None) -> list[Cell]:
    """The cells of `after` that differ from those of `before`, row by row."""
    return [
        (row, cell)
        for row, (old, new) in enumerate(zip_longest(before or (), after or (), fillvalue=()))
        for cell, (was, mark) in enumerate(zip_longest(old, new, fillvalue=""))
        if mark != was and row < len(after or ()) and cell < len(new)
    ]


def cell_filled(before: Board | None, after: Board | None) -> Cell | None:
    """The cell that is empty in `before` and marked in `after` if no other cell differs, else None."""
    before, after = before or (), after or ()
    if [len(row) for row in before] != [len(row) for row in after]:
        return None
    changed = changes(before, after)
    if len(changed) != 1:
        return None
    ((row, column),) = changed
    return (row, column) if after[row][column].strip() and not before[row][column].strip() else None


def cell_played(game: AnyGame, before: Iterable[Any], state: Any) -> Cell | None:
    """The only cell with a new mark in `state` if it is the same for all states `before`, else None."""
    board = board_of(game, state) or ()
    new = [
        [cell for cell in changes(board_of(game, each), board) if board[cell[0]][cell[1]]] for each in before
    ]
    return new[0][0] if new and len(new[0]) == 1 and new.count(new[0]) == len(new) else None


def cells_changed(game: AnyGame, before: Iterable[Any], state: Any) -> list[Cell]:
    """The cells that differ in `state` from the states `before`; [] unless they are the same for all."""
    board = board_of(game, state)
    found = [changes(board_of(game, each), board) for each in before]
    return found[0] if found and found.count(found[0]) == len(found) else []
