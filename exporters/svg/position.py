"""A position as SVG: its board, with the outcome and remoteness of each legal move.

A move that only fills a cell is shown in that cell; all others are listed beside the board.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from exporters.boards import Board, cell_filled, marked
from exporters.palette import MARK_COLOURS
from exporters.svg.board import UNIT, ground_path, marks_drawn, marks_shown, rows_of_k, strike_path
from exporters.svg.move_list import legend_of, move_list, remarks
from exporters.svg.outcome_label import outcome_label
from exporters.svg.text import FAMILY, Part, escape, number, text_block, text_element, wrap
from solver.database import wording as words
from solver.database.entry import Entry, Move
from solver.database.wording import game_title
from solver.game import AnyGame, Cell
from solver.rules.asking import board_of, picture_of
from solver.rules.notation import read_position

CELL, MARGIN, PART_GAP = 72, 20, 24
"""The side of a cell, the margin of the picture, and the gap between its parts."""

LEAST_WIDTH = 400
"""The minimum width of a picture, for its words."""

LONGEST_LINE, MOST_LINES = 80, 40
"""The characters of a line, and the lines, that are shown of a position without a board."""

POSITION_CSS = (
    f".value{{font-family:{FAMILY}}}.value text{{fill:#222}}.value .bold{{font-weight:bold}}"
    ".value .gray{fill:#595959}.value .mono{font-family:'DejaVu Sans Mono',monospace}"
    ".value path{fill:none;stroke:#222;stroke-width:1.2;stroke-linecap:round}"
    f".value path.first{{stroke:{MARK_COLOURS[0]}}}.value path.second{{stroke:{MARK_COLOURS[1]}}}"
    f".value text.first{{fill:{MARK_COLOURS[0]}}}.value text.second{{fill:{MARK_COLOURS[1]}}}"
    ".value path.lines{stroke:#777;stroke-width:.2}.value path.strike{stroke-width:.7}"
)


def render(game: AnyGame, entry: Entry) -> str:
    """The SVG of the position of `entry`."""
    state = read_position(game, entry.position)
    board = board_of(game, state)
    cells = _cells(game, board, entry) if board and all(board) else {}
    shown = _board(game, board, cells, entry) if board and all(board) else _text(picture_of(game, state))
    listed = [move for move in entry.moves if move not in cells.values()]
    beside = move_list(listed, shown.height, scored=_scored(entry))
    across = max(LEAST_WIDTH, shown.width + (PART_GAP + beside.width if listed else 0))
    head, tall = _head(game, entry, across), max(shown.height, beside.height)
    placed: list[tuple[Part, float, float]] = [(head, MARGIN, MARGIN), (shown, MARGIN, MARGIN + head.height)]
    down: float = MARGIN + head.height + tall
    if listed:
        placed.append((beside, MARGIN + shown.width + PART_GAP, MARGIN + head.height))
    if entry.moves:
        placed.append((legend_of(entry, across), MARGIN, down + PART_GAP))
        down += PART_GAP + placed[-1][0].height
    drawn = (f'<g transform="translate({number(x)} {number(y)})">{each.drawn}</g>' for each, x, y in placed)
    return "\n".join([*_opened(game, entry, across + 2 * MARGIN, down + MARGIN), *drawn, "</svg>\n"])


def standing(entry: Entry) -> str:
    """The outcome for the player to move, in words."""
    margin = abs(entry.value) if _scored(entry) else None
    return words.standing(entry.to_move, entry.outcome, entry.remoteness, margin)


def _opened(game: AnyGame, entry: Entry, across: float, down: float) -> Iterator[str]:
    said = "; ".join(
        f"{move.move}: {_result(entry, move)}{', best' if move.best else ''}" for move in entry.moves
    )
    size = f"{number(across)} {number(down)}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" role="img" lang="en" '
        f'width="{number(across)}" height="{number(down)}" viewBox="0 0 {size}">'
    )
    yield f"<title>{escape(f'{game_title(game)}, {entry.position}: {standing(entry)}')}</title>"
    yield f"<desc>{escape(said or 'There are no moves.')}</desc>"
    yield f"<style>{POSITION_CSS}</style>"
    yield f'<rect width="{number(across)}" height="{number(down)}" fill="#fff"/>'


def _head(game: AnyGame, entry: Entry, across: float) -> Part:
    """The heading: the outcome for the player to move, the game and the position."""
    # Bold letters are wider than others.
    lines = [(line, 20, ' class="bold"') for line in wrap(standing(entry), 20, across * 0.9)]
    lines += [(line, 14, ' class="gray"') for line in wrap(game_title(game), 14, across, 2)]
    lines += [(line, 14, ' class="gray"') for line in wrap(entry.position, 14, across)]
    drawn, y = [], 0.0
    for line, size, look in lines:
        y += size * 1.35
        drawn.append(text_element(line, 0, y - size * 0.3, size, across, look=look.strip()))
    return Part(across, y + 14, "".join(drawn))


def _cells(game: AnyGame, board: Board, entry: Entry) -> dict[Cell, Move]:
    """The moves that only fill a cell, by that cell, unless several moves fill it."""
    found: dict[Cell, list[Move]] = {}
    for move in entry.moves_by_action:
        cell = cell_filled(board, board_of(game, read_position(game, move.position)))
        if cell is not None:
            found.setdefault(cell, []).append(move)
    return {cell: moves[0] for cell, moves in found.items() if len(moves) == 1}


def _board(game: AnyGame, board: Board, moves: Mapping[Cell, Move], entry: Entry) -> Part:
    """The board with its marks, and the labels of moves in the cells that they fill."""
    filled = marked(board)
    seen = {cell: mark for cell, mark in marks_shown(game, board).items() if cell not in moves}
    parts = [f'<path class="lines" d="{ground_path(game, board)}"/>', marks_drawn(game, seen, "mark")]
    if entry.is_terminal and entry.value:
        rows = dict.fromkeys(row for cell in filled for row in rows_of_k(game, board, cell))
        parts += [f'<path class="strike" d="{strike_path(rows)}"/>'] if rows else []
    drawn = f'<g transform="scale({CELL / UNIT})">{"".join(parts)}</g>'
    drawn += "".join(_cell(entry, cell, move) for cell, move in moves.items())
    return Part(max(map(len, board)) * CELL, len(board) * CELL, drawn)


def _cell(entry: Entry, cell: Cell, move: Move) -> str:
    """The label of a move in the cell that it fills, with its name and remarks."""
    y, x = (at * CELL for at in cell)
    below = ", ".join(remarks(move, scored=_scored(entry)))
    return (
        f"<g><title>{escape(f'{move.move}: {_result(entry, move)}')}</title>"
        f'<g transform="translate({x + 3} {y + 3})">{outcome_label(move, CELL - 6, CELL - 6)}</g>'
        + text_element(str(move.move), x + 13, y + 21, 11, CELL - 26, look='class="gray"')
        + (text_element(below, x + CELL / 2, y + CELL - 14, 11, CELL - 24, anchor="middle") if below else "")
        + "</g>"
    )


def _text(shown: str) -> Part:
    """A position without a board, as lines of text."""
    block = text_block(shown, 15, 20, LONGEST_LINE, MOST_LINES)
    return replace(block, height=block.height + 6)


def _result(entry: Entry, move: Move) -> str:
    """The outcome of a move, in words."""
    return words.result(move.outcome, move.remoteness, abs(move.value) if _scored(entry) else None)


def _scored(entry: Entry) -> bool:
    """Return whether margins matter here: some value is neither 1, 0 nor -1."""
    return any(abs(value) > 1 for value in (entry.value, *(move.value for move in entry.moves)))
