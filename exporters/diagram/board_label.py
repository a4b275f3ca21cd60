"""Boards in Graphviz diagrams: as HTML-like tables in DOT text, and as SVG in rendered pictures."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from exporters import palette
from exporters.boards import Layout, coordinates_of, laid_out, names_in_cells
from exporters.svg.board import BOARD_CSS, UNIT, beside, board_drawn, key_drawn
from exporters.svg.text import Part, broken, number
from solver.game import FILLED, AnyGame, Cell
from solver.rules.asking import board_of, look_of, owner_of, picture_of

CELL, POINT, LINE = 19, 24, 12
"""The side of a cell, of a point with its ways, and of a cell of a lattice, in points."""

OPEN = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
RULED = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" ROWS="*" COLUMNS="*">'
"""The opening tags of a table without and with lines between its cells."""

FAINT = "#8A8A8A"
"""The colour of empty points and names of cells."""

MAX_LINE = 40
"""The most characters in a line of a position shown as text; longer lines are wrapped."""

MONO = "DejaVu Sans Mono,monospace"

PLACE = re.compile(r'<TD FIXEDSIZE="TRUE" WIDTH="\d+" HEIGHT="\d+" BGCOLOR="#fe0(\w{3})"></TD>')
POLYGON = re.compile(
    r'<polygon fill="#fe0(\w{3})" stroke="none" points="\S+ ([-\d.]+),([-\d.]+) ([-\d.]+),[^>]*/>'
)
"""The placeholder of a board in DOT text, and in its SVG; the colour encodes the number of the board."""

MARGIN = 2
"""The margin around a board, in points."""


class DrawnBoard(NamedTuple):
    """A board as an HTML-like table and as SVG."""

    table: str
    svg: str
    width: int
    """The width of the SVG, in points."""


class Diagram(NamedTuple):
    """A diagram as DOT text, in which coloured placeholders stand for the boards."""

    text: str
    boards: Sequence[DrawnBoard]

    @property
    def dot(self) -> str:
        """The DOT text with its boards as tables."""
        return PLACE.sub(lambda match: f"<TD>{self.boards[int(match[1], 16)].table}</TD>", self.text)

    def with_boards(self, drawn: str) -> str:
        """The SVG `drawn` by Graphviz from the text, with the boards in their places."""

        def board(match: re.Match[str]) -> str:
            shown, left = self.boards[int(match[1], 16)], match[2]
            if (spare := float(match[4]) - float(left) - shown.width) > 0.5:  # as words are wider
                left = number(float(left) + spare / 2)
            return f'<g transform="translate({left} {match[3]})">{shown.svg}</g>'

        style = f"<style>{BOARD_CSS}</style>\n" if self.boards else ""
        return POLYGON.sub(board, drawn).replace('<g id="graph0"', f'{style}<g id="graph0"', 1)


class Boards(list[DrawnBoard]):
    """The boards of a diagram."""

    def picture(
        self,
        game: AnyGame,
        state: Any,
        backgrounds: Mapping[Cell, str] = {},
        *,
        named: bool = False,
        large: bool = False,
        faded: bool = False,
    ) -> str:
        """The rows of an HTML-like table that shows `state`, with the colours behind highlighted cells.

        A `named` board has coordinates beside it or names in its empty cells, a `large` one is twice as wide,
        and a `faded` one is pale.
        """
        board = board_of(game, state)
        if not board or not any(board):
            return "".join(map(_line, lines_of(picture_of(game, state))))
        side, drawn = cell_size(game) * (1 + large), board_drawn(game, board, backgrounds, named=named)
        table = _table(game, laid_out(game, board), backgrounds, named=named)
        return f"<TR>{self.place(drawn, table, side, faded=faded)}</TR>"

    def key(self, game: AnyGame, states: Iterable[Any], size: float = UNIT) -> str:
        """The table cell with the key to the marks on the boards of `states`; "" if no player owns any.

        The font `size` is in points.
        """
        boards = [board_of(game, state) for state in states]
        drawn = key_drawn(game, boards, UNIT)
        words = "   ".join(
            " ".join([*(palette.glyph(game, mark) for mark in marks), game.players[player]])
            for player, marks in palette.whose(game, boards)
        )
        table = f"{OPEN}<TR><TD>{_letters(words, FAINT, size)}</TD></TR></TABLE>"
        return self.place(drawn, table, size) if any(boards) and drawn.width else ""

    def place(self, drawn: Part, table: str, side: float, *, faded: bool = False) -> str:
        """The placeholder of a board that is `drawn` in units of a tenth of a cell, `side` points wide."""
        pale = ' opacity="0.35"' if faded else ""
        where = f"translate({MARGIN} {MARGIN})scale({number(side / UNIT)})"
        width, height = (round(length * side / UNIT) + 2 * MARGIN for length in (drawn.width, drawn.height))
        self.append(DrawnBoard(table, f'<g transform="{where}"{pale}>{drawn.drawn}</g>', width))
        colour = f"#fe0{len(self) - 1:03x}"
        return f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}" BGCOLOR="{colour}"></TD>'


def text(of_game: str) -> str:
    """Escape the text of a game for an HTML-like label."""
    return palette.escape(of_game).replace("\\", "\\\\")


def cell_size(game: AnyGame) -> int:
    """The width of a cell of a board, in points."""
    look = look_of(game)
    return POINT if look.ways else LINE if look.ground == "lattice" else CELL


def size(game: AnyGame, states: Iterable[Any]) -> tuple[float, float]:
    """The approximate width and height of the largest board with margins, border and caption, in points."""
    layouts = [laid_out(game, board_of(game, state) or [[""] * 6] * 4) for state in states]
    width, height = (max(layout.columns for layout in layouts), max(layout.rows for layout in layouts))
    return width * cell_size(game) + 14.0, height * cell_size(game) + 18.0


def lines_of(shown: str) -> list[str]:
    """The lines of a position shown as text; long ones are wrapped."""
    return [part for line in shown.split("\n") for part in broken(line, MAX_LINE, long_words=False)]


def _line(line: str) -> str:
    unbroken = text(line).replace(" ", "\N{NO-BREAK SPACE}") or "\N{NO-BREAK SPACE}"
    return f'<TR><TD ALIGN="LEFT"><FONT FACE="{MONO}" POINT-SIZE="11">{unbroken}</FONT></TD></TR>'


def _table(game: AnyGame, layout: Layout, backgrounds: Mapping[Cell, str], *, named: bool) -> str:
    """The table of the cells of a board, for programs that draw DOT text themselves."""
    ground, side = look_of(game).ground, cell_size(game)
    colours, names = layout.placed(backgrounds), layout.placed(names_in_cells(game) if named else {})
    sides = coordinates_of(game) if named else None
    aside = {(int(y // 1), int(x // 1)): name for x, y, name in (beside(sides, layout) if sides else ())}

    def cell(at: Cell) -> str:
        mark, colour = layout.marks.get(at, ""), colours.get(at, "")
        drawn = palette.glyph(game, mark) if at in layout.marks else ""
        if drawn == FILLED:
            drawn = "" if ground == "lattice" or not colour else "■"
            colour = colour or (palette.PAINTS["neither"] if ground == "lattice" else palette.SOLID)
        if ground == "chequered" and at in layout.marks and sum(at) % 2:
            colour = colour or palette.DARK
        fill = f' BGCOLOR="{colour}"' if colour else ""
        shown = _letters(
            drawn, palette.line_colour(game, owner_of(game, mark)) if mark else FAINT, side * 0.8
        )
        if not drawn.strip() or (not mark.strip() and at in names):
            shown = _letters(aside.get(at, names.get(at, "") if not mark.strip() else ""), FAINT, 7)
        return f'<TD WIDTH="{side}" HEIGHT="{side}"{fill}>{shown}</TD>'

    left, below = (-1 if sides and sides.rows else 0), (1 if sides else 0)
    rows = (
        "".join(cell((row, at)) for at in range(left, layout.columns)) for row in range(layout.rows + below)
    )
    lines = RULED if ground == "squares" else OPEN
    return f"{lines}{''.join(f'<TR>{row}</TR>' for row in rows)}</TABLE>"


def _letters(shown: str, colour: str, size: float) -> str:
    return f'<FONT POINT-SIZE="{size:.0f}" COLOR="{colour}">{text(shown)}</FONT>' if shown.strip() else ""
