"""The boards that all contestants play on: k in a row wins, with gravity or without."""

import sys
from typing import NamedTuple


class Board(NamedTuple):
    """What is asked for on the command line: `mnk|connect ROWS COLUMNS K`."""

    family: str
    rows: int
    columns: int
    k: int


def asked() -> Board:
    """The board that the command line names."""
    family, *numbers = sys.argv[1:]
    return Board(family, *map(int, numbers))


def lines(board: Board) -> list[tuple[int, ...]]:
    """Every row of k cells, which are numbered row by row."""
    found = []
    for row in range(board.rows):
        for column in range(board.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + step * down, column + step * right) for step in range(board.k)]
                if all(0 <= y < board.rows and 0 <= x < board.columns for y, x in cells):
                    found.append(tuple(y * board.columns + x for y, x in cells))
    return found
