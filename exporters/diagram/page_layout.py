"""The layout of a diagram on paper: rows of boards in each ply, and the size of the sheet."""

from collections.abc import Sequence
from math import ceil
from typing import TypeVar

Board = TypeVar("Board")
Dimensions = tuple[float, float]

WIDEST = 1500
"""The greatest width of a picture, in points; a wider one is shrunk. It is 2,500 pixels of a PNG."""

A3, A4 = (802, 1150), (555, 802)
"""The printable width and height of sheets, in points, with margins of 20 points."""

GAIN = 1.5
"""The least ratio of the scale with several columns to that with one for using several."""

ROW_GAP = 16
"""The distance between two rows, in points; between two plies it is three times as large."""

BOARD_GAP, ARROW_LANE = 7, 15
"""The distance between two boards of a row, and the width of an arrow between them, in points."""


def in_rows(plies: Sequence[Sequence[Board]], board: Dimensions, *, few: bool) -> list[list[Sequence[Board]]]:
    """The rows of each ply; neighbours in a ply stay near each other in different rows.

    `board` is the width and height of a board with its border, in points. A diagram of `few` boards has one
    row per ply, unless that is wider than `WIDEST`. With more boards, the number of rows is the one that
    shrinks the diagram least on A3, if possible without exceeding `WIDEST`.
    """
    widest = max(map(len, plies))
    widths = sorted({ceil(widest / rows) for rows in range(1, widest + 1)}, reverse=True)
    fitting = [limit for limit in widths if _size(plies, board, limit)[0] <= WIDEST] or widths
    best = fitting[0] if few else max(fitting, key=lambda limit: scale_on(A3, _size(plies, board, limit)))
    return [[ply[row :: ceil(len(ply) / best)] for row in range(ceil(len(ply) / best))] for ply in plies]


def columns(plies: Sequence[Sequence[Board]], board: Dimensions) -> list[int]:
    """The first plies of columns, so that a narrow diagram fills a sheet of A4; the first is ply 0.

    `board` is as in `in_rows`. There is one column unless more enlarge the picture by the factor `GAIN`.
    """
    scales = {}
    for number in range(1, len(plies) + 1):
        length = ceil(len(plies) / number)
        sizes = [_size(plies[at : at + length], board) for at in range(0, len(plies), length)]
        scales[length] = scale_on(A4, (sum(width for width, _ in sizes), max(height for _, height in sizes)))
    length = max(scales, key=scales.__getitem__)
    return [*range(0, len(plies), length if scales[length] > GAIN * scales[len(plies)] else len(plies))]


def scale_on(sheet: Dimensions, size: Dimensions) -> float:
    """The scale at which a picture of this size fits a sheet in portrait or landscape format; at most 1."""
    (width, height), (short, long) = size, sheet
    return min(1, max(min(short / width, long / height), min(long / width, short / height)))


def _size(plies: Sequence[Sequence[Board]], board: Dimensions, limit: int | None = None) -> Dimensions:
    """The approximate width and height of a diagram with at most `limit` boards per row.

    A ply is as wide as its boards and the arrows between them that lead to its other rows.
    """
    rows = [ceil(len(ply) / (limit or len(ply))) for ply in plies]
    widths = [
        ceil(len(ply) / number) * (board[0] + BOARD_GAP) + len(ply) * (number - 1) / number * ARROW_LANE
        for ply, number in zip(plies, rows, strict=True)
    ]
    return max(widths), sum(number * (board[1] + ROW_GAP) + 2 * ROW_GAP for number in rows)
