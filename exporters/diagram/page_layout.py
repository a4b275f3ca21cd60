"""How the plies of a picture are spread over a sheet: a ply with many boards takes several rows."""

from collections.abc import Sequence
from math import ceil, sqrt

Ply = Sequence[str]
Dimensions = tuple[float, float]

SHORT, LONG = 802, 1150
"""What can be printed on a sheet of size A3, in points: its sides less 20 points at each edge."""

READABLE = 5
"""The size of the smallest text on paper, in points."""

ROW_GAP = 16
"""The height between two rows, in points; between two plies it is three times that."""

BOARD_GAP, ARROW_LANE = 7, 15
"""The width between two boards of a row, and what an arrow takes that passes between them, in points."""


def in_rows(plies: Sequence[Ply], board: Dimensions) -> list[list[Ply]]:
    """For each ply its rows; boards that belong together lie near each other, whatever their rows.

    `board` is the width and height of a board with its border, in points. What fits a sheet of size A3
    has one row a ply; anything larger as many rows as make it largest when it is shrunk to fit.
    """
    widest = max(map(len, plies))
    widths = sorted({ceil(widest / rows) for rows in range(1, widest + 1)}, reverse=True)
    best = max(widths, key=lambda width: _scale(plies, board, width))
    return [[ply[row :: ceil(len(ply) / best)] for row in range(ceil(len(ply) / best))] for ply in plies]


def paper(width: float, height: float, text: float) -> str:
    """What a picture should be shrunk to for printing, in inches, "" where it fits a sheet of size A3.

    It is the smallest sheet on which `text`, the size of the smallest text, can still be read; all are in
    points.
    """
    for times in (1, sqrt(2), 2, 2 * sqrt(2)):
        sides = (SHORT * times, LONG * times)
        across, down = sides if width < height else sides[::-1]
        scale = min(across / width, down / height)
        if scale >= 1 or scale * text >= READABLE:
            break
    return "" if scale >= 1 else f"{across / 72:.2f},{down / 72:.2f}"


def _scale(plies: Sequence[Ply], board: Dimensions, most: int) -> float:
    """How large a picture with so many boards a row would be on A3, at most in its natural size."""
    width = max(_width(len(ply), ceil(len(ply) / most), board[0]) for ply in plies)
    height = sum(ceil(len(ply) / most) * (board[1] + ROW_GAP) + 2 * ROW_GAP for ply in plies)
    upright, level = min(SHORT / width, LONG / height), min(LONG / width, SHORT / height)
    return min(1, max(upright, level))


def _width(boards: int, rows: int, board: float) -> float:
    """About how wide a ply is: its boards, and the arrows to and from those of its other rows."""
    passing = boards * (rows - 1) / rows
    return ceil(boards / rows) * (board + BOARD_GAP) + passing * ARROW_LANE
