"""The cells of boards: where they are drawn, which have marks, and which of them a move changes."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from exporters.tiles import tiles_of
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


class Layout(NamedTuple):
    """A board as it is drawn."""

    places: Mapping[Cell, Cell]
    """The row and column in the picture of each cell."""
    marks: Mapping[Cell, str]
    """The mark of each cell, by its place in the picture."""
    rows: int
    columns: int
    ground: Board
    """The cells with lines between them, which begin in the corner."""


def laid_out(game: AnyGame, board: Board) -> Layout:
    """The layout of a board: on boards with ways short rows are centred, and hands are beside the board."""
    cells = [(row, at) for row, marks in enumerate(board) for at in range(len(marks))]
    columns, ground = max(map(len, board), default=0), board
    if tiles_of(game):
        ground = board[1:-1]
        hands = {(0, 0): (0, columns), (len(board) - 1, 0): (len(ground) - 2, columns)}
        places = {cell: hands.get(cell, (cell[0] - 1, cell[1])) for cell in cells}
        columns += 1
    elif look_of(game).ways:
        places = {(row, at): (row, at + (columns - len(board[row])) // 2) for row, at in cells}
    else:
        places = {cell: cell for cell in cells}
    marks = {places[row, at]: board[row][at] for row, at in cells}
    return Layout(places, marks, len(ground), columns, ground)


def ways(game: AnyGame, layout: Layout) -> list[tuple[Cell, Cell]]:
    """The two ends of each way, in ascending order, by their places in the picture."""
    ends = ([layout.places.get((row, at), (row, at)) for row, at in way] for way in look_of(game).ways)
    return [(start, end) for start, end in map(sorted, ends)]


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
    changed = changes(before, after)
    if [*map(len, before)] != [*map(len, after)] or len(changed) != 1:
        return None
    return changed[0] if mark_at(after, changed[0]) and not mark_at(before, changed[0]) else None


def cell_played(game: AnyGame, before: Iterable[Any], state: Any) -> Cell | None:
    """The only cell with a new mark in `state` if it is the same for all states `before`, else None."""
    board = board_of(game, state) or ()
    boards = (board_of(game, earlier) for earlier in before)
    new = [[cell for cell in changes(earlier, board) if board[cell[0]][cell[1]]] for earlier in boards]
    return new[0][0] if new and len(new[0]) == 1 and new.count(new[0]) == len(new) else None


def cells_changed(game: AnyGame, before: Iterable[Any], state: Any) -> list[Cell]:
    """The cells that differ in `state` from the states `before`; [] unless they are the same for all."""
    board = board_of(game, state)
    changed = [changes(board_of(game, earlier), board) for earlier in before]
    return changed[0] if changed and changed.count(changed[0]) == len(changed) else []
