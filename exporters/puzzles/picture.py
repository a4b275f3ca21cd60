"""A puzzle as SVG: who is to move, what is to be found, and the board, without the answer."""

from exporters.svg.position import MARGIN, POSITION_CSS, plain_board
from exporters.svg.text import escape, number, text_element, wrap
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.wording import game_title, standing_of

LEAST_WIDTH = 380
"""The minimum width of a picture, for its words."""


def render(db: Database, puzzle: Puzzle) -> str:
    """The SVG of a puzzle."""
    board, said = plain_board(db.game, puzzle.entry), standing_of(puzzle.entry)
    across = max(LEAST_WIDTH, board.width)
    lines = [(line, 20, 'class="bold"') for line in wrap(said, 20, across * 0.9)]
    lines += [(line, 14, 'class="gray"') for line in wrap(game_title(db.game), 14, across, 2)]
    lines += [(line, 14, 'class="gray"') for line in wrap(puzzle.entry.position, 14, across)]
    drawn, y = [], 0.0
    for line, size, look in lines:
        y += size * 1.35
        drawn.append(text_element(line, 0, y - size * 0.3, size, across, look=look))
    width, height = number(across + 2 * MARGIN), number(y + 14 + board.height + 2 * MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" role="img" lang="en" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<title>{escape(f'{game_title(db.game)}, {puzzle.entry.position}: {said}')}</title>\n"
        f'<style>{POSITION_CSS}</style>\n<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<g transform="translate({MARGIN} {MARGIN})">{"".join(drawn)}</g>\n'
        f'<g transform="translate({MARGIN} {number(MARGIN + y + 14)})">{board.drawn}</g>\n</svg>\n'
    )
