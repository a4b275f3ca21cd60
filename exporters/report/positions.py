"""Positions in a report as small boards, with the player to move and the text below."""

from exporters.palette import escape
from exporters.svg.board import UNIT, board_drawn, key_drawn
from exporters.svg.text import moved, number
from solver.analysis.report.contents import Quoted
from solver.rules.asking import board_of, is_over, mover_of
from solver.rules.notation import read_position

CELL, WIDEST = 26, 210
"""The side of a cell, and the greatest width of a board, in pixels."""

EDGE = 6
"""The margin around a board, in pixels."""


def shown(quoted: Quoted) -> str:
    """The HTML of a text of a game; a position has its board, if there is one."""
    text, game = quoted
    code = f"<code>{escape(text)}</code>"
    if game is None:
        return code
    state = read_position(game, text)
    board = board_of(game, state)
    if not board or not all(board):
        return code
    standing = (
        "the game is over" if is_over(game, state) else f"{game.players[mover_of(game, state)]} to move"
    )
    part = board_drawn(game, board, {}, named=True)
    key = key_drawn(game, [board], 12)
    scale = min(CELL / UNIT, WIDEST / part.width)
    across, down = part.width * scale + 2 * EDGE, part.height * scale + 2 * EDGE
    wide, tall = max(across, key.width + 2 * EDGE), down + (key.height + 4) * (key.width > 0)
    size = f'width="{number(wide)}" height="{number(tall)}" viewBox="0 0 {number(wide)} {number(tall)}"'
    return (
        f'<span class="position"><svg {size} role="img" aria-label="{escape(f"{text}: {standing}")}">'
        f'<rect width="100%" height="100%" rx="4" fill="#fff"/>'
        f"{moved(part.drawn, EDGE, EDGE, scale)}{moved(key.drawn, EDGE, down)}</svg>"
        f"<small>{escape(standing)}</small>{code}</span>"
    )
