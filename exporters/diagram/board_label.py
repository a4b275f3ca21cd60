"""A board as an HTML-like label of Graphviz, drawn as the look of the game says: squares, points or text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from exporters import palette
from exporters.boards import Board, indents, step, ways
from exporters.coordinates import Coordinates, coordinates_of, names_in_cells
from solver.game import FILLED, AnyGame, Cell
from solver.rules.asking import board_of, look_of, picture_of

Backgrounds = Mapping[Cell, str]
"""Background colours by cell, for highlighted cells."""

Names = Mapping[Cell, str]
"""Names by cell, for empty cells."""

RULED = (
    '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" ROWS="*" COLUMNS="*" COLOR="#666666">'
)
"""Opens a table with lines between its cells only."""

OPEN = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
"""Opens a table without lines."""

FRAMED = OPEN.replace('BORDER="0"', 'BORDER="1" COLOR="#666666"', 1)
"""Opens a table with a frame and no lines inside."""

CELL, MARK_SIZE = 19, 16
"""The minimum width and height of a cell, and the font size of a mark, in points."""

POINT, POINT_GAP, WAY_SIZE = 16, 13, 20
"""The width and height of a point of a board with ways and of the gap between two, and a way's font size."""

LINE_WIDTH, NAMED_LINE_WIDTH = 5, 9
"""The width of a line that players draw, in points, and that with room for its name."""

NAME_SIZE = 7
"""The font size of names of cells, in points."""

DRAWN_LINES = {palette.PLAYED: "#E8A200", palette.REPLIED: "#8A8A8A"}
"""The colour of a highlighted line, by the background colour of a highlighted cell."""

FAINT = "#8A8A8A"
"""The colour of ways, empty points and names of cells."""

PALE = "#C8C8C8"
"""The colour of all that is faded."""

WAY_GLYPHS = {
    (0, 1): "─",
    (1, 0): "│",
    (1, 1): "╲",
    (1, -1): "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}",
}
"""The glyph of a piece of a way, by its direction (down, right)."""

CROSS = "\N{BOX DRAWINGS LIGHT DIAGONAL CROSS}"
"""The glyph where two ways cross."""

BESIDE_BOARD = (14.0, 18.0)
"""The width and height of margins, border and caption of a board, in points."""

LONGEST_LINE = 40
"""Characters of a position shown as text before its lines are wrapped."""

MONO = "DejaVu Sans Mono,monospace"


def text(of_game: str) -> str:
    """Escape the text of a game for an HTML-like label."""
    return palette.escape(of_game).replace("\\", "\\\\")


def size(game: AnyGame, states: Iterable[Any]) -> tuple[float, float]:
    """The approximate width and height of the largest of the boards with its caption, in points."""
    boards = [board_of(game, state) or [[""] * 6] * 4 for state in states]
    width = max(len(row) for board in boards for row in board)
    return width * CELL + BESIDE_BOARD[0], max(map(len, boards)) * CELL + BESIDE_BOARD[1]


def picture(game: AnyGame, state: Any, backgrounds: Backgrounds | None = None, *, named: bool = False) -> str:
    """The rows of an HTML-like table that show `state`, with highlighted cells.

    With `named`, there are coordinates beside the board, or names in its empty cells.
    """
    board = board_of(game, state)
    if not board or not any(board):
        return "".join(map(_line, lines_of(picture_of(game, state))))
    names = names_in_cells(game) if named else {}
    if look_of(game).ways:
        table = _points(game, board, backgrounds or {}, names)
    else:
        sides = coordinates_of(game) if named else None
        table = _cells(game, board, backgrounds or {}, names, sides)
    return f"<TR><TD>{table}</TD></TR>"


def lines_of(shown: str) -> list[str]:
    """The lines of a position shown as text; long ones are wrapped."""
    return [part for line in shown.split("\n") for part in _broken(line)]


def faded(table: str) -> str:
    """The rows of a table in grey."""
    return re.sub(r'COLOR="#\w{6}"', f'COLOR="{PALE}"', table)


def enlarged(table: str) -> str:
    """The rows of a table with names of cells as large as marks, as in pictures of many boards."""
    return table.replace(f'POINT-SIZE="{NAME_SIZE}"', f'POINT-SIZE="{MARK_SIZE}"')


def _broken(line: str) -> list[str]:
    """Wrap the line at blanks, which are kept."""
    return wrap(
        line, LONGEST_LINE, drop_whitespace=False, break_long_words=False, break_on_hyphens=False
    ) or [""]


def _line(line: str) -> str:
    """A line of monospaced text."""
    kept = text(line).replace(" ", "\N{NO-BREAK SPACE}") or "\N{NO-BREAK SPACE}"
    return f'<TR><TD ALIGN="LEFT"><FONT FACE="{MONO}" POINT-SIZE="11">{kept}</FONT></TD></TR>'


def _cells(
    game: AnyGame, board: Board, backgrounds: Backgrounds, names: Names, sides: Coordinates | None
) -> str:
    """A table of the board's cells; shorter rows are centred by whole cells."""
    lines = {"squares": RULED, "chequered": FRAMED, "open": OPEN, "lattice": OPEN}[look_of(game).ground]
    width = max(map(len, board))
    rows = []
    for row, marks in enumerate(board):
        indent = (width - len(marks)) // 2
        cells = [_blank()] * indent
        cells += [
            _cell(game, mark, (row, at), backgrounds.get((row, at)), names) for at, mark in enumerate(marks)
        ]
        rows.append("".join([*cells, *[_blank()] * (width - len(cells))]))
    return _with_sides(_table(lines, rows), len(board), width, sides) if sides else _table(lines, rows)


def _with_sides(table: str, rows: int, columns: int, sides: Coordinates) -> str:
    """The table of a board with the names of its rows beside it, and those of its columns below it."""
    beside = "".join(f"<TR>{_name(sides.rows, row)}</TR>" for row in range(rows))
    below = "".join(_name(sides.columns, column) for column in range(columns))
    left = f"<TD>{OPEN}{beside}</TABLE></TD>" if sides.rows else ""
    corner = "<TD></TD>" if sides.rows else ""
    below = f"<TD>{OPEN}<TR>{below}</TR></TABLE></TD>"
    return f"{OPEN}<TR>{left}<TD>{table}</TD></TR><TR>{corner}{below}</TR></TABLE>"


def _name(names: Sequence[str], at: int) -> str:
    """A cell beside a board with the name of a row or column."""
    shown = _named(names[at]) if at < len(names) and names[at] else ""
    return f'<TD WIDTH="{CELL}" HEIGHT="{CELL}">{shown}</TD>'


def _named_cell(name: str, background: str | None, side: int = CELL) -> str:
    fill = f' BGCOLOR="{background}"' if background else ""
    return f'<TD WIDTH="{side}" HEIGHT="{side}"{fill}>{_named(name)}</TD>'


def _named(name: str) -> str:
    return f'<FONT POINT-SIZE="{NAME_SIZE}" COLOR="{FAINT}">{text(name)}</FONT>'


def _cell(game: AnyGame, mark: str, cell: Cell, background: str | None, names: Names) -> str:
    ground, drawn = look_of(game).ground, palette.glyph(game, mark)
    if ground == "lattice":
        return _lattice_cell(drawn, cell, background, names)
    if not mark.strip() and cell in names:
        return _named_cell(names[cell], background)
    if drawn == FILLED:
        background, drawn = (background, "■") if background else (palette.SOLID, "")
    if ground == "chequered" and sum(cell) % 2:
        background = background or palette.DARK
    colour = palette.colour(game, mark) if mark else FAINT
    return _square(drawn, colour, background)


def _lattice_cell(drawn: str, cell: Cell, background: str | None, names: Names) -> str:
    """A cell of a lattice: a box, or low or narrow for a line, or both for a dot."""
    line = NAMED_LINE_WIDTH if names else LINE_WIDTH
    height, width = (line if part % 2 == 0 else CELL for part in cell)
    dot = height == width == line
    colour = (palette.NEUTRAL if dot or not background else DRAWN_LINES[background]) if drawn else background
    fill = f' BGCOLOR="{colour}"' if colour else ""
    name = _named(names[cell]) if cell in names and not drawn else ""
    return f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}"{fill}>{name}</TD>'


def _points(game: AnyGame, board: Board, backgrounds: Backgrounds, names: Names) -> str:
    """A table of the points of a board with the ways between them."""
    right, strokes = indents(game, board), pieces(ways(game, board))
    ends = {cell for way in look_of(game).ways for cell in way}
    rows: list[list[str]] = [
        [_between(strokes, row, at) for at in range(2 * max(map(len, board)) - 1)]
        for row in range(2 * len(board) - 1)
    ]
    for row, marks in enumerate(board):
        for at, mark in enumerate(marks):
            drawn = palette.glyph(game, mark) or ("•" if (row, at) in ends else "")
            background = backgrounds.get((row, at))
            if not mark and (row, at) in names:
                rows[2 * row][2 * (at + right[row])] = _named_cell(names[row, at], background, POINT)
            elif drawn or background:
                colour = palette.colour(game, mark) if mark else FAINT
                rows[2 * row][2 * (at + right[row])] = _square(drawn, colour, background, POINT)
    return _table(OPEN, map("".join, rows))


def pieces(lines: Sequence[tuple[Cell, Cell]]) -> dict[Cell, str]:
    """The glyphs of the ways between their ends, by table cell: point (r, c) is at (2r, 2c)."""
    found: dict[Cell, str] = {}
    for start, end in map(sorted, lines):
        steps, (down, right) = step(start, end)
        glyph = WAY_GLYPHS[down, right]
        for nth in range(1, 2 * steps):
            place = (2 * start[0] + nth * down, 2 * start[1] + nth * right)
            found[place] = CROSS if found.get(place, glyph) != glyph else glyph
    return found


def _between(pieces: Mapping[Cell, str], row: int, at: int) -> str:
    height, width = (POINT_GAP if part % 2 else POINT for part in (row, at))
    piece = pieces.get((row, at), "")
    drawn = f'<FONT COLOR="{FAINT}" POINT-SIZE="{WAY_SIZE}">{piece}</FONT>' if piece else ""
    return f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}">{drawn}</TD>'


def _square(drawn: str, colour: str, background: str | None, side: int = CELL) -> str:
    fill = f' BGCOLOR="{background}"' if background else ""
    shown = f'<FONT POINT-SIZE="{MARK_SIZE}" COLOR="{colour}">{text(drawn)}</FONT>' if drawn.strip() else ""
    return f'<TD WIDTH="{side}" HEIGHT="{side}"{fill}>{shown}</TD>'


def _blank() -> str:
    return f'<TD WIDTH="{CELL}" HEIGHT="{CELL}"></TD>'


def _table(opening: str, rows: Iterator[str] | Sequence[str]) -> str:
    return f"{opening}{''.join(f'<TR>{row}</TR>' for row in rows)}</TABLE>"
