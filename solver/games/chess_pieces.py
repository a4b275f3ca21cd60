"""The moves of chess pieces on an empty board, and boards in Forsyth-Edwards Notation (FEN)."""

from collections.abc import Sequence
from itertools import groupby

FILES = "abcdefgh"

TAKEN = 64
"""The square of a piece that is no longer on the board; the squares are 0 (a1) to 63 (h8)."""

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

WAYS = {"K": STRAIGHT + DIAGONAL, "Q": STRAIGHT + DIAGONAL, "R": STRAIGHT, "B": DIAGONAL, "N": LEAPS}
"""The steps of each piece, in rows and files: the king and the knight take one, the others several."""


def _ray(square: int, way: tuple[int, int], reach: int) -> tuple[int, ...]:
    """The squares from `square` in one direction, at most `reach` of them, the nearest first."""
    cells = [(square // 8 + way[0] * nth, square % 8 + way[1] * nth) for nth in range(1, reach + 1)]
    return tuple(row * 8 + file for row, file in cells if 0 <= row < 8 and 0 <= file < 8)


RAYS = {
    piece: [
        [ray for way in ways if (ray := _ray(square, way, 1 if piece in "KN" else 7))] for square in range(64)
    ]
    for piece, ways in WAYS.items()
}
"""By piece and square: the squares within reach, as rays with the nearest square first."""

BETWEEN = {
    piece: [
        {target: sum(1 << each for each in ray[:nth]) for ray in rays for nth, target in enumerate(ray)}
        for rays in (*by_square, ())
    ]
    for piece, by_square in RAYS.items()
}
"""By piece, square (also `TAKEN`) and square within reach: the squares in between, one bit a square."""


def fen_board(marks: Sequence[str]) -> str:
    """The board in FEN, from the letters of the squares, "" where there is none."""
    rows = [marks[row * 8 : row * 8 + 8] for row in reversed(range(8))]
    return "/".join(map(_fen_row, rows))


def fen_marks(board: str) -> list[str] | None:
    """The letters of the squares of a board in FEN; None when it is not one."""
    rows = [_row_marks(row) for row in board.split("/")]
    if [len(row) for row in rows] != [8] * 8:
        return None
    return [mark for row in reversed(rows) for mark in row]


def _fen_row(row: Sequence[str]) -> str:
    parts = [(mark, len(list(group))) for mark, group in groupby(row)]
    return "".join(mark * count or str(count) for mark, count in parts)


def _row_marks(row: str) -> list[str]:
    marks: list[str] = []
    for letter in row:
        marks += [""] * int(letter) if letter in "12345678" else [letter]
    return marks
