"""Parts of a board as SVG, in tenths of a cell: marks, grid lines, and lines through winning rows."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from exporters.boards import Board, indents, ways
from exporters.palette import DARK, SOLID, glyph
from exporters.svg.text import text_element
from solver.game import FILLED, AnyGame, Cell
from solver.rules.asking import look_of, owner_of

UNIT = 10
"""The side of a cell."""

RING = "M{x8} {y5}a3 3 0 1 1-6 0a3 3 0 1 1 6 0z"

STROKES = {
    "x": "M{x2} {y2}l6 6m0-6l-6 6",
    "o": RING,
    "○": RING,
    "◎": RING + "M{x5} {y5}m1 0a1 1 0 1 1-2 0a1 1 0 1 1 2 0z",
    "●": "M{x5} {y5}h0",
}
"""The paths of the marks that are drawn rather than written."""

DISC = ' style="stroke-width:7"'
"""The pen width with which a point becomes a disc."""

OWNERS = {0: "first", 1: "second", None: "neither"}
"""The CSS classes of marks, by owner."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of rows of k, as (down, right)."""


def marks_drawn(game: AnyGame, marks: Mapping[Cell, str], look: str) -> str:
    """The SVG of the marks in their cells; all cells with the same drawn mark are one path.

    Each element has the class `look`, and `first`, `second` or `neither` by the mark's owner.
    """
    parts = []
    for mark, found in groupby(sorted(marks, key=lambda cell: (marks[cell], cell)), key=marks.__getitem__):
        cells, shown = list(found), glyph(game, mark)
        names = f'class="{OWNERS[owner_of(game, mark)]} {look}"'
        if shown in STROKES:
            path = "".join(_stroke(shown, cell) for cell in cells)
            parts.append(f'<path {names} d="{path}"{DISC if shown == "●" else ""}/>')
        elif shown == FILLED and look_of(game).ground == "lattice":
            parts.append(f'<path {names} d="{"".join(map(_bar, cells))}"/>')
        elif shown == FILLED:
            parts.append(f'<path {names} style="fill:{SOLID};stroke:none" d="{"".join(map(_full, cells))}"/>')
        else:
            parts += [_word(shown, cell, names) for cell in cells if shown.strip()]
    return "".join(parts)


def marks_shown(game: AnyGame, board: Board) -> dict[Cell, str]:
    """The cells with a glyph: marked ones, and empty ones if the game has a glyph for them.

    Rows are moved to the right by their indents.
    """
    return {
        (row, at + right): mark
        for row, (marks, right) in enumerate(zip(board, indents(game, board), strict=True))
        for at, mark in enumerate(marks)
        if glyph(game, mark).strip()
    }


def ground_drawn(game: AnyGame, board: Board) -> str:
    """The SVG of what is below the marks: dark cells, and lines."""
    lines = f'<path class="lines" d="{ground_path(game, board)}"/>'
    if look_of(game).ground != "chequered":
        return lines
    cells = ((row, at) for row, marks in enumerate(board) for at in range(len(marks)) if (row + at) % 2)
    dark = "".join(f"M{at * UNIT} {row * UNIT}h{UNIT}v{UNIT}h-{UNIT}z" for row, at in cells)
    return f'<path style="fill:{DARK};stroke:none" d="{dark}"/>{lines}'


def ground_path(game: AnyGame, board: Board) -> str:
    """The path of the lines below the marks: around and between cells, or from point to point."""
    if look_of(game).ways:
        return "".join(_way(begin, end) for begin, end in ways(game, board))
    return lattice_path(board) if look_of(game).ground in ("squares", "chequered") else ""


def lattice_path(board: Board) -> str:
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
    for down, right in DIRECTIONS:
        ends = [_end(board, last, down * way, right * way) for way in (-1, 1)]
        length = max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1)) + 1
        if length >= k:
            found.append((ends[0], ends[1]))
    return found


def strike_path(rows: Iterable[tuple[Cell, Cell]]) -> str:
    """The path of lines through rows of cells, a little longer than the rows."""
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
    """The last cell with the same mark as `cell` in a direction, without a gap."""
    (row, column), mark = cell, board[cell[0]][cell[1]]
    while 0 <= row + down < len(board) and 0 <= column + right < len(board[row + down]):
        if board[row + down][column + right] != mark:
            break
        row, column = row + down, column + right
    return row, column


def _bar(cell: Cell) -> str:
    """The path of a dot of a lattice, where two lines meet, or of the line between two dots."""
    (y, x), (down, right) = ((at + 0.5) * UNIT for at in cell), ((at % 2) * 0.4 * UNIT for at in cell)
    return f"M{x - right:g} {y - down:g}L{x + right:g} {y + down:g}"


def _full(cell: Cell) -> str:
    """The path of a square that all but fills a cell."""
    return f"M{cell[1] * UNIT + 0.2:g} {cell[0] * UNIT + 0.2:g}h9.6v9.6h-9.6z"


def _way(begin: Cell, end: Cell) -> str:
    """The path from the middle of a cell to that of another."""
    (y1, x1), (y2, x2) = (((row + 0.5) * UNIT, (column + 0.5) * UNIT) for row, column in (begin, end))
    return f"M{x1:g} {y1:g}L{x2:g} {y2:g}"


def _stroke(mark: str, cell: Cell) -> str:
    row, column = cell
    return STROKES[mark].format(
        x2=column * UNIT + 2,
        y2=row * UNIT + 2,
        x5=column * UNIT + 5,
        y5=row * UNIT + 5,
        x8=column * UNIT + 8,
    )


def _word(mark: str, cell: Cell, look: str) -> str:
    x, y = cell[1] * UNIT + UNIT / 2, cell[0] * UNIT + UNIT * 0.74
    return text_element(mark, x, y, UNIT * 0.7, UNIT * 0.9, anchor="middle", look=look, least_scale=0.3)
