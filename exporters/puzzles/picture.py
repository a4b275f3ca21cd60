"""A puzzle as SVG: who is to move, what is to be found, and the board, without the answer."""

from dataclasses import replace

from exporters.palette import plain, whose
from exporters.svg.board import OWNERS
from exporters.svg.position import LONGEST_LINE, MARGIN, MOST_LINES, POSITION_CSS
from exporters.svg.text import Part, escape, number, text_block, text_element, text_width, wrap
from exporters.svg.value_board import value_board
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.wording import game_title, standing_of
from solver.rules.asking import board_of, picture_of
from solver.rules.notation import read_position

LEAST_WIDTH = 380
"""The minimum width of a picture, for its words."""


def render(db: Database, puzzle: Puzzle) -> str:
    """The SVG of a puzzle."""
    board, said = board_part(db, puzzle), standing_of(puzzle.entry)
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


def board_part(db: Database, puzzle: Puzzle, lettering: float = 1) -> Part:
    """The board of a puzzle and whose its marks are, or the lines of text that show it without a board.

    What is written beside and below the board has letters of the scale `lettering`.
    """
    game, state = db.game, read_position(db.game, puzzle.entry.position)
    board = board_of(game, state)
    if not board or not all(board):
        return text_block(picture_of(game, state), 15, 20, LONGEST_LINE, MOST_LINES)
    shown = value_board(game, board, replace(puzzle.entry, moves_by_action=(), game=game), lettering).drawn
    size = 14 * lettering
    x, y, parts = 0.0, shown.height + 22 * lettering, [shown.drawn]
    for player, said in whose(game, [board]):
        if said == " ".join(2 * [plain(game.players[player])]):
            continue  # a mark that is named after its player
        parts.append(text_element(said, x, y, size, text_width(said, size), look=f'class="{OWNERS[player]}"'))
        x += text_width(said, size) + 16 * lettering
    return Part(max(shown.width, x), y + 8 if x else shown.height, "".join(parts))
