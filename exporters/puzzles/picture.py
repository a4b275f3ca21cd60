"""A puzzle as SVG: who is to move, what is to be found, and the board, without the answer."""

from exporters.svg.position import MARGIN, heading, opened, plain_board, title_of
from exporters.svg.text import number
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database

LEAST_WIDTH = 380
"""The minimum width of a picture, for its words."""


def render(db: Database, puzzle: Puzzle) -> str:
    """The SVG of a puzzle."""
    board = plain_board(db.game, puzzle.entry)
    across = max(LEAST_WIDTH, board.width)
    head = heading(db.game, puzzle.entry, across)
    top = MARGIN + head.height + 14
    lines = [
        *opened(across + 2 * MARGIN, top + board.height + MARGIN, title_of(db.game, puzzle.entry)),
        f'<g transform="translate({MARGIN} {MARGIN})">{head.drawn}</g>',
        f'<g transform="translate({MARGIN} {number(top)})">{board.drawn}</g>',
        "</svg>\n",
    ]
    return "\n".join(lines)
