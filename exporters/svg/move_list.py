"""The moves of a position with their outcomes as a list, and the legend of their labels."""

from collections.abc import Sequence
from math import ceil

from exporters.palette import plain
from exporters.svg.arrow import arrow
from exporters.svg.outcome_label import outcome_label
from exporters.svg.text import Part, number, shorten, text_element, text_width
from solver.database import wording as words
from solver.database.entry import Entry, Move
from solver.game import SIGNS

ROW_HEIGHT = 32
"""The height of a row of the list or legend."""

MOST_COLUMNS, WIDEST_COLUMN = 4, 320
"""The maximum number of columns, and the maximum width of one."""

LABEL = LABEL_WIDTH, _ = 58, ROW_HEIGHT - 4
"""The width and the height of a label."""

MOST_LISTED = 100
"""Moves that are listed, the best first."""


def move_list(moves: Sequence[Move], height: float) -> Part:
    """The list of the moves, in several columns if it is longer than `height`."""
    shown = moves[:MOST_LISTED]
    rows = max(4, int(height / ROW_HEIGHT), ceil(len(shown) / MOST_COLUMNS))
    said = [", ".join([plain(str(move.move)), *remarks(move)]) for move in shown]
    column = min(WIDEST_COLUMN, LABEL_WIDTH + 24 + max((text_width(each, 14) for each in said), default=0))
    drawn = []
    for at, move in enumerate(shown):
        x, y = at // rows * column, at % rows * ROW_HEIGHT
        label = outcome_label(move, *LABEL)
        drawn.append(f'<g transform="translate({number(x)} {y + 2})">{label}</g>')
        drawn.append(_named(move, x + LABEL_WIDTH + 8, y + ROW_HEIGHT * 0.65, column - LABEL_WIDTH - 16))
    if len(moves) > len(shown):
        drawn.append(
            text_element(f"and {len(moves) - len(shown)} more", 0, rows * ROW_HEIGHT + 20, 14, column)
        )
    down = min(rows, len(shown)) + (len(moves) > len(shown))
    return Part(column * ceil(len(shown) / rows), down * ROW_HEIGHT, "".join(drawn))


def _named(move: Move, x: float, y: float, room: float) -> str:
    said = "".join(f", {each}" for each in remarks(move))
    name = shorten(plain(str(move.move)), 14, room - text_width(said, 14))
    return text_element(name + said, x, y, 14, room)


def remarks(move: Move) -> list[str]:
    """The remarks on a move: its margin if the game is scored, and "best"."""
    margin = [f"by {move.margin}"] if move.margin else []
    return [*margin, *(["best"] if move.best else [])]


def legend_of(entry: Entry, across: float, arrows: Sequence[Move] | None) -> Part:
    """The legend of the labels, and of the `arrows` if there are any, that occur."""
    moves = {move.outcome: move for move in reversed(entry.moves)}
    samples = [
        (outcome_label(moves[outcome], *LABEL, best=False), words.result(outcome, moves[outcome].remoteness))
        for outcome in SIGNS
        if outcome in moves
    ]
    samples.append((outcome_label(None, *LABEL), "thick border: a best move"))
    drawn_as = {move.outcome: arrow(move, (-24, 14), (66, 14)) for move in reversed(arrows or ())}
    samples += [(drawn_as[outcome], f"to a {outcome}") for outcome in SIGNS if outcome in drawn_as]
    drawn, x, y = [], 0.0, 0.0
    for sample, meaning in samples:
        room = LABEL_WIDTH + 8 + text_width(meaning, 14)
        if x and x + room > across:
            x, y = 0, y + ROW_HEIGHT + 4
        drawn.append(f'<g transform="translate({number(x)} {number(y)})">{sample}</g>')
        drawn.append(
            text_element(meaning, x + LABEL_WIDTH + 8, y + ROW_HEIGHT * 0.6, 14, across - LABEL_WIDTH - 8)
        )
        x += room + 16
    return Part(across, y + ROW_HEIGHT, "".join(drawn))
