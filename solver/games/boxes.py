"""Boxes in rows and columns, with the lines around them and dots in the corners.

Lines are numbered from the top, a row of level ones and a row of upright ones in turn:

     +-0-+-1-+
     2   3   4      two boxes, rows=1 columns=2
     +-5-+-6-+
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.games.grid import by_row


@dataclass(frozen=True)
class Boxes:
    """A board of so many rows and columns of boxes."""

    rows: int
    columns: int

    @cached_property
    def lines(self) -> int:
        """The number of lines."""
        return (self.rows + 1) * self.columns + self.rows * (self.columns + 1)

    @cached_property
    def boxes(self) -> int:
        """The number of boxes."""
        return self.rows * self.columns

    @cached_property
    def width(self) -> int:
        """The cells in a row of the picture: dots and level lines, or upright lines and boxes."""
        return 2 * self.columns + 1

    @cached_property
    def places(self) -> list[int]:
        """The cell of each line in the picture, in which dots, lines and boxes are cells, row by row."""
        return [place for place in range((2 * self.rows + 1) * self.width) if place % 2]

    @cached_property
    def boxes_at(self) -> list[list[int]]:
        """By line: the boxes on its sides, each as the bits of its four lines, bit 1 for line 0."""
        around = (-self.width, -1, 1, self.width)
        boxes = [
            [(2 * row + 1) * self.width + 2 * column + 1 + step for step in around]
            for row in range(self.rows)
            for column in range(self.columns)
        ]
        return [
            [sum(2 << self.places.index(at) for at in box) for box in boxes if place in box]
            for place in self.places
        ]

    @cached_property
    def marks(self) -> list[str]:
        """The mark of each line: `-` for a level one, `|` for an upright one."""
        return ["-" if place // self.width % 2 == 0 else "|" for place in self.places]

    def written(self, marks: Sequence[str]) -> str:
        """The lines row by row, `.` for one that is not drawn."""
        picture = self.picture([mark or "." for mark in marks], "")
        return "/".join("".join(row[at % 2 == 0 :: 2]) for at, row in enumerate(picture))

    def picture(self, texts: Sequence[str], dot: str) -> list[Sequence[str]]:
        """The picture by rows, with the text of each line."""
        cells = [
            dot if place // self.width % 2 == 0 else "" for place in range((2 * self.rows + 1) * self.width)
        ]
        for place, text in zip(self.places, texts, strict=True):
            cells[place] = text
        return by_row(cells, self.width)
