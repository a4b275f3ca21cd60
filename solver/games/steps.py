"""Steps on a bitboard of rows and columns: every bit moves to the next cell in a direction."""

from solver.packed import Packed

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""The eight directions, as rows down and columns to the right."""

Step = tuple[int, int]
"""The distance in bits to the next cell in a direction, and the mask of the cells that can be entered."""


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
    """The board with each bit in the next cell; bits that would leave the board are dropped."""
    distance, reached = step
    return (board << distance if distance > 0 else board >> -distance) & reached
