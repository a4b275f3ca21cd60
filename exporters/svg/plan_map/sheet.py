"""The geometry of a map on a sheet of A3: the places of boards inside boards, and their least size."""

from dataclasses import dataclass

from exporters.boards import Board
from exporters.svg.board import UNIT
from exporters.svg.text import number
from solver.game import Cell

PAGE = (297, 420)
"""The sides of a sheet of A3, in mm."""

MARGIN, HEADING = 6, 24
"""The margin of the page, and the height of the text above the board, in mm."""

INSET = 0.96
"""The share of a cell's side that the board inside it fills."""

SMALLEST = 0.9
"""The side of the smallest cell that is legible in print, in mm: as high as letters of 5 points."""


@dataclass(frozen=True)
class Sheet:
    """A page, portrait or landscape, with the outermost board."""

    rows: int
    columns: int
    width: int
    height: float
    """The width and the height, in mm."""
    side: float
    """The side of a cell, in mm."""

    @property
    def scale(self) -> float:
        """The scale of a board in a cell, relative to the outer board."""
        return INSET / max(self.rows, self.columns)

    @property
    def levels(self) -> int:
        """The number of levels with legible cells."""
        levels, side = 1, self.side * self.scale
        while side >= SMALLEST and self.scale < INSET:
            levels, side = levels + 1, side * self.scale
        return levels

    @property
    def outermost(self) -> str:
        """The SVG transformation of the outermost board: below the text, centred."""
        left = (self.width - self.columns * self.side) / 2
        return f"translate({number(left)} {MARGIN + HEADING})scale({number(self.side / UNIT)})"

    def inside(self, cell: Cell) -> str:
        """The SVG transformation of a board centred in a cell of another."""
        row, column = cell
        free = [(UNIT - cells * UNIT * self.scale) / 2 for cells in (self.columns, self.rows)]
        x, y = column * UNIT + free[0], row * UNIT + free[1]
        return f"translate({number(x)} {number(y)})scale({number(self.scale)})"


def sheet_for(board: Board, notes: float = 0) -> Sheet:
    """The sheet on which a board of this shape is largest, above `notes` of this height in mm."""
    rows, columns = len(board), max(map(len, board))
    sheets = []
    for width, longest in (PAGE, PAGE[::-1]):
        side = min((width - 2 * MARGIN) / columns, (longest - 2 * MARGIN - HEADING - notes) / rows)
        height = 2 * MARGIN + HEADING + rows * side + notes
        sheets.append(Sheet(rows, columns, width, height, side))
    return max(sheets, key=lambda sheet: sheet.side)
