"""Lines through winning rows, in tenths of a cell."""

from collections.abc import Iterable

from exporters.boards import Board
from exporters.svg.board import UNIT
from solver.game import AnyGame, Cell

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of rows of k, as (down, right)."""


def rows_of_k(game: AnyGame, board: Board, last: Cell) -> list[tuple[Cell, Cell]]:
    """The first and last cell of each row of at least k equal marks through the cell `last`.

    There are none in games that have no `k`.
    """
    k = getattr(game, "k", None)
    if not isinstance(k, int):
        return []
    rows = []
    for down, right in DIRECTIONS:
        ends = [_end(board, last, down * way, right * way) for way in (-1, 1)]
        length = max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1)) + 1
        if length >= k:
            rows.append((ends[0], ends[1]))
    return rows


def strike_path(rows: Iterable[tuple[Cell, Cell]]) -> str:
    """The path of lines through rows of cells, a little longer than the rows."""
    path = []
    for first, last in rows:
        steps = [(b > a) - (b < a) for a, b in zip(first, last, strict=True)]
        (top, left), (bottom, right) = (
            [at * UNIT + UNIT / 2 + sign * 3.6 * step for at, step in zip(cell, steps, strict=True)]
            for cell, sign in ((first, -1), (last, 1))
        )
        path.append(f"M{left:g} {top:g}L{right:g} {bottom:g}")
    return "".join(path)


def _end(board: Board, cell: Cell, down: int, right: int) -> Cell:
    """The last cell with the same mark as `cell` in a direction, without a gap."""
    (row, column), mark = cell, board[cell[0]][cell[1]]
    while 0 <= row + down < len(board) and 0 <= column + right < len(board[row + down]):
        if board[row + down][column + right] != mark:
            break
        row, column = row + down, column + right
    return row, column
