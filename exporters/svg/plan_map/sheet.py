"""A sheet of A3 with boards inside the cells of boards: where each is and how small one can be."""

from dataclasses import dataclass

from exporters.boards import Board
from exporters.svg.board import UNIT
from exporters.svg.text import number
from solver.game import Cell

PAGE = (297, 420)
"""The sides of a sheet of A3, in mm."""

MARGIN, HEADING = 6, 24
"""What is left free around the page, and what the words above the board take, in mm."""

INSET = 0.96
"""The part of a cell that the board inside it fills."""

SMALLEST = 0.9
"""The side of the smallest cell that can be read in print, in mm: as high as letters of 5 points."""


@dataclass(frozen=True)
class Sheet:
    """A page, upright or not, and the outermost board on it."""

    rows: int
    columns: int
    width: int
    """In mm."""
    side: float
    """That of a cell, in mm."""

    @property
    def height(self) -> float:
        """What the words and the board need, in mm."""
        return 2 * MARGIN + HEADING + self.rows * self.side

    @property
    def scale(self) -> float:
        """How much smaller the board in a cell is than the board that the cell is of."""
        return INSET / max(self.rows, self.columns)

    @property
    def levels(self) -> int:
        """How many levels of boards have cells that can be read."""
        levels, side = 1, self.side * self.scale
        while side >= SMALLEST and self.scale < INSET:
            levels, side = levels + 1, side * self.scale
        return levels

    @property
    def outermost(self) -> str:
        """The transformation that puts the outermost board below the words, in the middle."""
        left = (self.width - self.columns * self.side) / 2
        return f"translate({number(left)} {MARGIN + HEADING})scale({number(self.side / UNIT)})"

    def inside(self, cell: Cell) -> str:
        """The transformation that puts a board into the middle of a cell of another one."""
        row, column = cell
        free = [(UNIT - cells * UNIT * self.scale) / 2 for cells in (self.columns, self.rows)]
        x, y = column * UNIT + free[0], row * UNIT + free[1]
        return f"translate({number(x)} {number(y)})scale({number(self.scale)})"


def sheet_for(board: Board) -> Sheet:
    """The sheet on which a board like this one is largest."""
    rows, columns = len(board), max(map(len, board))
    sheets = []
    for width, height in (PAGE, PAGE[::-1]):
        side = min((width - 2 * MARGIN) / columns, (height - 2 * MARGIN - HEADING) / rows)
        sheets.append(Sheet(rows, columns, width, side))
    return max(sheets, key=lambda sheet: sheet.side)
