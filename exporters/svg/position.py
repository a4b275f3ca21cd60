"""A position as SVG: its board, with the outcome and remoteness of each legal move.

The only move that lands in a cell is shown there; all others are listed beside the board, and moves from one
cell to another are also shown as arrows.
"""

from collections.abc import Iterator
from dataclasses import replace

from exporters.boards import Board
from exporters.palette import escape
from exporters.svg.board import BOARD_CSS, key_drawn
from exporters.svg.moves import legend_of, move_list
from exporters.svg.text import FAMILY, Part, moved, number, text_block, text_element, wrap
from exporters.svg.value_board import ValueBoard, value_board
from solver.database.entry import Entry
from solver.database.wording import game_title, result_of, standing_of
from solver.game import AnyGame
from solver.rules.asking import board_of, picture_of
from solver.rules.notation import read_position

MARGIN, PART_GAP = 20, 24
"""The margin of the picture, and the gap between its parts."""

MIN_WIDTH = 400
"""The least width of a picture, for its words."""

NARROW, LEGEND_WIDTH = 280, 270
"""The width below which a board has its legend beside it, and the width of such a legend."""

POSITION_CSS = (
    f"{BOARD_CSS}.value{{font-family:{FAMILY}}}.value text{{fill:#222}}.value .bold{{font-weight:bold}}"
    ".value .gray{fill:#595959}.value .mono{font-family:'DejaVu Sans Mono',monospace}"
)


def render(game: AnyGame, entry: Entry) -> str:
    """The SVG of the position of `entry`."""
    placed, across, down = _layout(game, entry)
    drawn = (moved(part.drawn, x, y) for part, x, y in placed)
    moves = "; ".join(
        f"{move.move}: {result_of(move)}{', best' if move.best else ''}" for move in entry.moves
    )
    title = f"{game_title(game)}, {entry.position}: {standing_of(entry)}"
    begin = opened(across + 2 * MARGIN, down + MARGIN, title, moves or "There are no moves.")
    return "\n".join([*begin, *drawn, "</svg>\n"])


def _layout(game: AnyGame, entry: Entry) -> tuple[list[tuple[Part, float, float]], float, float]:
    """The parts of the picture with their places, the total width, and the bottom of the last part."""
    board = board_of(game, read_position(game, entry.position))
    shown, in_cells, arrows = _shown(game, board, entry)
    listed = [move for move in entry.moves if move not in in_cells]
    narrow = bool(entry.moves) and not listed and shown.width < NARROW
    beside = legend_of(entry, LEGEND_WIDTH, arrows) if narrow else move_list(listed, shown.height)
    key = key_drawn(game, [board], 14)
    across = max(MIN_WIDTH, key.width, shown.width + (PART_GAP + beside.width if listed or narrow else 0))
    head = _head(game, entry, key, across)
    placed: list[tuple[Part, float, float]] = [(head, MARGIN, MARGIN), (shown, MARGIN, MARGIN + head.height)]
    down: float = MARGIN + head.height + max(shown.height, beside.height)
    if listed or narrow:
        placed.append((beside, MARGIN + shown.width + PART_GAP, MARGIN + head.height))
    if entry.moves and not narrow:
        legend = legend_of(entry, across, arrows)
        placed.append((legend, MARGIN, down + PART_GAP))
        down += PART_GAP + legend.height
    return placed, across, down


def _shown(game: AnyGame, board: Board | None, entry: Entry) -> ValueBoard:
    """The board with its moves, or the text of a position without a board."""
    if board and all(board):
        return value_board(game, board, entry)
    block = text_block(picture_of(game, read_position(game, entry.position)))
    return ValueBoard(replace(block, height=block.height + 6), (), ())


def opened(across: float, down: float, title: str, description: str = "") -> Iterator[str]:
    """The first lines of the SVG of a picture of this size."""
    width, height = number(across), number(down)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" role="img" lang="en" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    )
    yield f"<title>{escape(title)}</title>"
    if description:
        yield f"<desc>{escape(description)}</desc>"
    yield f"<style>{POSITION_CSS}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'


def heading(game: AnyGame, entry: Entry, summary: str, across: float) -> Part:
    """The `summary` of a position, the game and the position, wrapped to a width."""
    # Bold letters are wider, hence 0.9.
    lines = [(line, 20, "bold") for line in wrap(summary, 20, across * 0.9)]
    lines += [(line, 14, "gray") for line in wrap(game_title(game), 14, across, 2)]
    lines += [(line, 14, "gray") for line in wrap(entry.position, 14, across)]
    drawn, y = [], 0.0
    for line, size, look in lines:
        y += size * 1.35
        drawn.append(text_element(line, 0, y - size * 0.3, size, across, look=f'class="{look}"'))
    return Part(across, y, "".join(drawn))


def _head(game: AnyGame, entry: Entry, key: Part, across: float) -> Part:
    head = heading(game, entry, standing_of(entry), across)
    drawn = head.drawn + moved(key.drawn, 0, head.height + 3)
    return Part(across, head.height + (33 if key.width else 14), drawn)


def plain_board(game: AnyGame, entry: Entry, lettering: float = 1) -> Part:
    """The board with the key to its marks, or the text of a position without a board.

    The letters beside and below the board are scaled by `lettering`.
    """
    state = read_position(game, entry.position)
    board = board_of(game, state)
    if not board or not all(board):
        return text_block(picture_of(game, state))
    shown = value_board(game, board, replace(entry, moves_by_action=(), game=game), lettering).drawn
    key = key_drawn(game, [board], 14 * lettering)
    drawn = shown.drawn + moved(key.drawn, 0, shown.height + 8)
    return Part(max(shown.width, key.width), shown.height + (key.height + 10) * (key.width > 0), drawn)


def framed_board(game: AnyGame, entry: Entry) -> str:
    """The SVG of `plain_board`, with a margin."""
    board = plain_board(game, entry)
    width, height = number(board.width + 2 * MARGIN), number(board.height + 2 * MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{POSITION_CSS}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{moved(board.drawn, MARGIN, MARGIN)}</svg>'
    )
