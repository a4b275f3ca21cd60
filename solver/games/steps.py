"""Steps on a board of rows and columns: all cells of a board of bits moved to the next one in a direction."""

from solver.packed import Packed

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""Rows down and columns to the right."""

Step = tuple[int, int]
"""How many bits further the next cell in a direction is, and the cells that are next to one, as bits."""


def steps(rows: int, columns: int) -> list[Step]:
    """The step in each of the eight directions; cell 0, at the top left, is the lowest bit."""
    found = []
    for down, right in DIRECTIONS:
        reached = [
            cell
            for cell in range(rows * columns)
            if 0 <= cell // columns - down < rows and 0 <= cell % columns - right < columns
        ]
        found.append((down * columns + right, sum(1 << cell for cell in reached)))
    return found


def moved(board: Packed, step: Step) -> Packed:
    """The board with each bit in the next cell; those that would leave it are gone."""
    distance, reached = step
    return (board << distance if distance > 0 else board >> -distance) & reached
