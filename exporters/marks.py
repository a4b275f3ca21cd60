"""Parts of a board as SVG, in tenths of a cell: marks, lines between cells, what strikes them through."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from exporters.boards import MARK_COLOURS, Board, Cell
from exporters.lettering import written
from solver.plugins import AnyGame

UNIT = 10
"""The side of a cell."""

STROKES = {"x": "M{x2} {y2}l6 6m0-6l-6 6", "o": "M{x8} {y5}a3 3 0 1 1-6 0a3 3 0 1 1 6 0z"}
"""The marks that are drawn rather than written, and how."""

BLACK = "#222222"
"""The colour of marks that are nobody's."""

OWNERS = ("first", "second")
"""The classes of the players' marks."""

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of rows, as rows down and columns to the right."""


def colour(game: AnyGame, mark: str) -> str:
    """The colour of a mark: its player's, or black."""
    return MARK_COLOURS[game.players.index(mark)] if mark in game.players else BLACK


def drawn(game: AnyGame, marks: Mapping[Cell, str], look: str) -> str:
    """The marks in their cells; those that are drawn in one path a mark.

    Each has the class `look`, and the class `first`, `second` or `neither`, by whose it is.
    """
    parts = []
    for mark, found in groupby(sorted(marks, key=lambda cell: (marks[cell], cell)), key=marks.__getitem__):
        cells = list(found)
        owner = OWNERS[game.players.index(mark)] if mark in game.players else "neither"
        if mark in STROKES:
            path = "".join(_stroke(mark, cell) for cell in cells)
            parts.append(f'<path class="{owner} {look}" d="{path}"/>')
        else:
            parts += [_word(mark, cell, f'class="{owner} {look}"') for cell in cells if mark.strip()]
    return "".join(parts)


def lattice(board: Board) -> str:
    """The path of the lines around and between the cells."""
    path = []
    for row, cells in enumerate(board):
        above = len(board[row - 1]) if row else 0
        path.append(f"M0 {row * UNIT}h{max(len(cells), above) * UNIT}")
        path += [f"M{column * UNIT} {row * UNIT}v{UNIT}" for column in range(len(cells) + 1)]
    path.append(f"M0 {len(board) * UNIT}h{len(board[-1]) * UNIT}")
    return "".join(path)


def rows_of_k(game: AnyGame, board: Board, last: Cell) -> list[tuple[Cell, Cell]]:
    """The first and last cell of each row of at least k equal marks through the cell `last`.

    There are none in games that have no `k`.
    """
    k = getattr(game, "k", None)
    if not isinstance(k, int):
        return []
    found = []
    for down, right in WAYS:
        ends = [_end(board, last, down * way, right * way) for way in (-1, 1)]
        length = max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1)) + 1
        if length >= k:
            found.append((ends[0], ends[1]))
    return found


def strike(rows: Iterable[tuple[Cell, Cell]]) -> str:
    """The path that strikes rows of cells through, from before the first to after the last."""
    path = []
    for first, last in rows:
        steps = [(b > a) - (b < a) for a, b in zip(first, last, strict=True)]
        (top, left), (bottom, right) = (
            (
                cell[0] * UNIT + UNIT / 2 + sign * 3.6 * steps[0],
                cell[1] * UNIT + UNIT / 2 + sign * 3.6 * steps[1],
            )
            for cell, sign in ((first, -1), (last, 1))
        )
        path.append(f"M{left:g} {top:g}L{right:g} {bottom:g}")
    return "".join(path)


def _end(board: Board, cell: Cell, down: int, right: int) -> Cell:
    """The last cell from `cell` on in a direction that has the same mark."""
    (row, column), mark = cell, board[cell[0]][cell[1]]
    while 0 <= row + down < len(board) and 0 <= column + right < len(board[row + down]):
        if board[row + down][column + right] != mark:
            break
        row, column = row + down, column + right
    return row, column


def _stroke(mark: str, cell: Cell) -> str:
    row, column = cell
    return STROKES[mark].format(
        x2=column * UNIT + 2, y2=row * UNIT + 2, x8=column * UNIT + 8, y5=row * UNIT + 5
    )


def _word(mark: str, cell: Cell, look: str) -> str:
    x, y = cell[1] * UNIT + UNIT / 2, cell[0] * UNIT + UNIT * 0.74
    return written(mark, x, y, UNIT * 0.7, UNIT * 0.9, anchor="middle", look=look, least=0.3)
