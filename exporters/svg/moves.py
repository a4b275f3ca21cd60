"""The moves of a position: as labels or arrows in the colours of their outcomes, and as a list.

A label has W3 for a win in 3 plies, D for a draw, and L4 for a loss in 4 plies.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, hypot

from exporters.palette import OUTCOME_COLOURS, OutcomeColours, plain
from exporters.svg.text import Part, moved, number, shorten, text_element, text_width
from solver.database import wording as words
from solver.database.entry import Entry, Move
from solver.game import SIGNS

LOW_BORDER = 3.5
"""The border width of a best move in a low label."""

DASHES: dict[str, tuple[float, ...]] = {"win": (), "draw": (1, 0.7), "loss": (3, 1)}
"""The dashes by outcome, in pen widths."""

Point = tuple[float, float]

ROW_HEIGHT = 32
"""The height of a row of the list or the legend."""

LABEL = LABEL_WIDTH, _ = 58, ROW_HEIGHT - 4
"""The width and the height of a label."""

MAX_LISTED = 100
"""The most moves in the list, best first."""


def outcome_code(move: Move) -> str:
    """The code of a move: the letter of its outcome and its remoteness, which a draw may lack."""
    endless = "" if move.outcome == "draw" else "∞"
    return f"{move.outcome[0].upper()}{endless if move.remoteness is None else move.remoteness}"


def outcome_label(move: Move, width: float, height: float) -> str:
    """A rectangle that shows the outcome of a move by its colours, its border and its code."""
    border = (LOW_BORDER if height < 40 else 5) if move.best else 2
    colours, size = OUTCOME_COLOURS[SIGNS[move.outcome]], min(24, height * 0.62)
    look = f'class="bold" style="fill:{colours.border}"'
    middle, room = height / 2 + size * 0.36, width - 2 * (border + (7 if move.outcome == "loss" else 4))
    code = text_element(outcome_code(move), width / 2, middle, size, room, anchor="middle", look=look)
    return _border(colours, width, height, border, move.outcome) + code


def _border(colours: OutcomeColours, width: float, height: float, thick: float, outcome: str) -> str:
    """The background and the border: solid for a win, dotted for a draw, double for a loss."""
    around = 2 * (width + height - 2 * thick)
    apart = around / (4 * round(around / (8 * thick)))  # a square has a dot in each corner
    dots = f' stroke-dasharray=".1 {number(apart - 0.1)}" stroke-linecap="round"' if outcome == "draw" else ""
    look = f'fill="{colours.ground}" stroke-width="{thick}"{dots}'
    outer = _rect(width, height, thick / 2, look, colours.border)
    if outcome != "loss":
        return outer
    return outer + _rect(width, height, thick + 2, 'fill="none" stroke-width="1"', colours.border)


def _rect(width: float, height: float, inset: float, attributes: str, stroke: str) -> str:
    return (
        f'<rect x="{number(inset)}" y="{number(inset)}" width="{number(width - 2 * inset)}" '
        f'height="{number(height - 2 * inset)}" stroke="{stroke}" {attributes}/>'
    )


def arrow(move: Move, start: Point, end: Point) -> str:
    """The arrow of a move between two distinct points: solid (win), dotted (draw) or dashed (loss)."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    along, aside = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)

    def at(far: float, off: float) -> str:
        return " ".join(number(start[axis] + along[axis] * far + aside[axis] * off) for axis in (0, 1))

    width, colour = 7 if move.best else 3, OUTCOME_COLOURS[SIGNS[move.outcome]].border
    head, tip = 11 + 2 * width, length - 8
    back = tip - head
    shaft = f"M{at(24, 0)}L{at(back, 0)}"
    dashes = " ".join(number(dash * width) for dash in DASHES[move.outcome])
    dashed = f";stroke-dasharray:{dashes}" if dashes else ""
    butt = "stroke-linecap:butt;stroke"
    return (
        f'<path style="{butt}:#fff;stroke-width:{width + 3};stroke-opacity:.8" d="{shaft}"/>'
        f'<path style="{butt}:{colour};stroke-width:{width}{dashed}" d="{shaft}"/>'
        f'<path style="fill:{colour};stroke:#fff;stroke-width:1.5" '
        f'd="M{at(tip, 0)}L{at(back, head * 0.45)}L{at(back, -head * 0.45)}z"/>'
    )


def move_list(moves: Sequence[Move], height: float) -> Part:
    """The list of the moves, in several columns if it would be higher than `height`."""
    shown = moves[:MAX_LISTED]
    rows = max(4, int(height / ROW_HEIGHT), ceil(len(shown) / 4))  # in four columns at most
    said = [", ".join([plain(str(move.move)), *remarks(move)]) for move in shown]
    column = min(320, LABEL_WIDTH + 24 + max((text_width(text, 14) for text in said), default=0))
    drawn = []
    for at, move in enumerate(shown):
        x, y = at // rows * column, at % rows * ROW_HEIGHT
        drawn.append(moved(outcome_label(move, *LABEL), x, y + 2))
        room, after = column - LABEL_WIDTH - 16, "".join(f", {remark}" for remark in remarks(move))
        name = shorten(plain(str(move.move)), 14, room - text_width(after, 14)) + after
        drawn.append(text_element(name, x + LABEL_WIDTH + 8, y + ROW_HEIGHT * 0.65, 14, room))
    if more := len(moves) - len(shown):
        drawn.append(text_element(f"and {more} more", 0, rows * ROW_HEIGHT + 20, 14, column))
    down = min(rows, len(shown)) + (more > 0)
    return Part(column * ceil(len(shown) / rows), down * ROW_HEIGHT, "".join(drawn))


def remarks(move: Move) -> list[str]:
    """The remarks on a move: its margin if the game is scored, and "best"."""
    return ([f"by {move.margin}"] if move.margin else []) + (["best"] if move.best else [])


def legend_of(entry: Entry, across: float, arrows: Sequence[Move]) -> Part:
    """The legend of the labels that occur, and of the `arrows`, if there are any."""
    moves = {move.outcome: replace(move, best=False) for move in reversed(entry.moves)}
    samples = [
        (outcome_label(moves[outcome], *LABEL), words.result(outcome, moves[outcome].remoteness))
        for outcome in SIGNS
        if outcome in moves
    ]
    best = _border(OutcomeColours("#222222", "none"), *LABEL, LOW_BORDER, "win")
    samples.append((best, "thick border: a best move"))
    drawn_as = {move.outcome: arrow(move, (-24, 14), (66, 14)) for move in reversed(arrows)}
    samples += [(drawn_as[outcome], f"to a {outcome}") for outcome in SIGNS if outcome in drawn_as]
    drawn, x, y = [], 0.0, 0.0
    for sample, meaning in samples:
        room = LABEL_WIDTH + 8 + text_width(meaning, 14)
        if x and x + room > across:
            x, y = 0, y + ROW_HEIGHT + 4
        drawn.append(moved(sample, x, y))
        drawn.append(
            text_element(meaning, x + LABEL_WIDTH + 8, y + ROW_HEIGHT * 0.6, 14, across - LABEL_WIDTH - 8)
        )
        x += room + 16
    return Part(across, y + ROW_HEIGHT, "".join(drawn))
