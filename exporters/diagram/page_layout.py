"""The layout of a diagram on paper: rows of boards in each ply, and the size of the sheet."""

from collections.abc import Sequence
from math import ceil, sqrt

Ply = Sequence[str]
Dimensions = tuple[float, float]

SHORT, LONG = 802, 1150
"""The printable sides of an A3 sheet, in points: 20 points are left at each edge."""

READABLE = 5
"""The smallest legible font size on paper, in points."""

ROW_GAP = 16
"""The distance between two rows, in points; between two plies it is three times that."""

BOARD_GAP, ARROW_LANE = 7, 15
"""The distance between two boards of a row, and the width of an arrow between them, in points."""


def in_rows(plies: Sequence[Ply], board: Dimensions) -> list[list[Ply]]:
    """The rows of each ply; neighbours in a ply stay near each other in different rows.

    `board` is the width and height of a board with its border, in points. A diagram that fits on A3 has one
    row a ply; a larger one has the number of rows at which it is shrunk least.
    """
    widest = max(map(len, plies))
    widths = sorted({ceil(widest / rows) for rows in range(1, widest + 1)}, reverse=True)
    best = max(widths, key=lambda width: _scale(plies, board, width))
    return [[ply[row :: ceil(len(ply) / best)] for row in range(ceil(len(ply) / best))] for ply in plies]


def scale_on_paper(width: float, height: float, text: float) -> float:
    """The scale to which a picture is shrunk for printing; 1 if it fits on A3.

    The smallest sheet on which the smallest `text` is still legible. The arguments are in points.
    """
    for times in (1, sqrt(2), 2, 2 * sqrt(2)):
        sides = (SHORT * times, LONG * times)
        across, down = sides if width < height else sides[::-1]
        scale = min(across / width, down / height)
        if scale >= 1 or scale * text >= READABLE:
            break
    return min(1, scale)


def _scale(plies: Sequence[Ply], board: Dimensions, limit: int) -> float:
    """The scale of a diagram on A3, at most 1, with at most `limit` boards a row."""
    width = max(_width(len(ply), ceil(len(ply) / limit), board[0]) for ply in plies)
    height = sum(ceil(len(ply) / limit) * (board[1] + ROW_GAP) + 2 * ROW_GAP for ply in plies)
    upright, level = min(SHORT / width, LONG / height), min(LONG / width, SHORT / height)
    return min(1, max(upright, level))


def _width(boards: int, rows: int, board: float) -> float:
    """The approximate width of a ply: its boards, and the arrows that pass them to its other rows."""
    passing = boards * (rows - 1) / rows
    return ceil(boards / rows) * (board + BOARD_GAP) + passing * ARROW_LANE
