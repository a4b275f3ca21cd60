"""Boards of morris: points, the lines of three that count, and the ways along which stones move.

Boards and rules: H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), and C. Zaslavsky,
*Tic Tac Toe* (1982).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from solver.game import Cell
from solver.games.grid import turns
from solver.packed import Packed

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
FAN = ((0, 1, 4), (0, 2, 5), (0, 3, 6), (1, 2, 3), (4, 5, 6))
ANYWHERE = tuple((a, b) for a in range(9) for b in range(a))
SQUARE = tuple(turns(3, 3))

OUTER = ((0, 1, 2), (0, 6, 13), (2, 9, 15), (13, 14, 15))
INNER = ((3, 4, 5), (3, 7, 10), (5, 8, 12), (10, 11, 12))
SPOKES = ((1, 4), (6, 7), (8, 9), (11, 14))
COLUMNS = ((0, 2, 4), (1, 2, 3), (0, 1, 3, 4), (1, 2, 3), (0, 2, 4))
INSIDE_OUT = (3, 4, 5, 0, 1, 2, 7, 6, 9, 8, 13, 14, 15, 10, 11, 12)
"""Two squares, one in the other, the middles of their sides joined; each is turned into the other."""


def _turns_of_squares() -> tuple[tuple[int, ...], ...]:
    cells = [5 * row + column for row, columns in enumerate(COLUMNS) for column in columns]
    turned = [tuple(cells.index(turn[cell]) for cell in cells) for turn in turns(5, 5)]
    kept = [tuple(range(len(cells))), *turned]
    return (*turned, *(tuple(INSIDE_OUT[point] for point in image) for image in kept))


@dataclass(frozen=True)
class Points:
    """A board of points."""

    widths: tuple[int, ...]
    """The number of points in each row."""
    lines: tuple[tuple[int, int, int], ...]
    """The lines of three that win or are mills, each as three points."""
    ways: tuple[tuple[int, ...], ...]
    """The ways: a stone moves from a point to the next one of a way, or back."""
    stones: int
    """The number of stones of each player."""
    turns: tuple[tuple[int, ...], ...]
    """By symmetry: the image of each point."""
    columns: tuple[tuple[int, ...], ...] = ()
    """By row: the column of each point in pictures; none if these are 0, 1, 2 ..."""

    @cached_property
    def size(self) -> int:
        """The number of points."""
        return sum(self.widths)

    @cached_property
    def moves(self) -> list[tuple[int, int]]:
        """The moves of a stone, as pairs of the point left and the point entered."""
        steps = {step for way in self.ways for a, b in pairwise(way) for step in ((a, b), (b, a))}
        return sorted(steps)

    @cached_property
    def drawn(self) -> list[tuple[Cell, Cell]]:
        """The steps of the ways as cells of the board, by row; none where a stone may go anywhere."""
        if self.ways is ANYWHERE:
            return []
        columns = self.columns or [range(width) for width in self.widths]
        cells = [(row, column) for row, found in enumerate(columns) for column in found]
        return [(cells[a], cells[b]) for way in self.ways for a, b in pairwise(way)]

    def held(self, stones: Packed) -> Packed:
        """Whether there are stones, the lowest bit for point 0, in all three points of a line."""
        found = False
        for line in self.lines:
            bits = sum(1 << point for point in line)
            found = found | (stones & bits == bits)
        return found

    def by_row(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """The marks at the points, row by row."""
        ends = accumulate(self.widths)
        return [texts[end - width : end] for width, end in zip(self.widths, ends, strict=True)]

    def as_drawn(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """The marks at the points as rows of a picture, "" in columns without a point."""
        rows = self.by_row(texts)
        if not self.columns:
            return rows
        width = 1 + max(map(max, self.columns))
        marks = [
            dict(zip(columns, row, strict=True)) for columns, row in zip(self.columns, rows, strict=True)
        ]
        return [[row.get(column, "") for column in range(width)] for row in marks]


BOARDS = {
    "tapatan": Points((3, 3, 3), ROWS + DIAGONALS, ROWS + DIAGONALS, 3, SQUARE),
    "three-mens-morris": Points((3, 3, 3), ROWS + DIAGONALS, ROWS, 3, SQUARE),
    "nine-holes": Points((3, 3, 3), ROWS, ANYWHERE, 3, SQUARE),
    "achi": Points((3, 3, 3), ROWS + DIAGONALS, ROWS + DIAGONALS, 4, SQUARE),
    "tsoro-yematatu": Points((1, 3, 3), FAN, FAN, 3, ((0, 3, 2, 1, 6, 5, 4),)),
}
"""The boards on which three in a line win."""

MILL_BOARDS = {
    "six": Points((3, 3, 4, 3, 3), OUTER + INNER, OUTER + INNER + SPOKES, 6, _turns_of_squares(), COLUMNS),
}
"""The boards on which three in a line are a mill, which takes a stone."""
