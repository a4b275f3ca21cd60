"""The arrow of a move from one cell to another, with the colour of its outcome."""

from math import hypot

from exporters.palette import OUTCOME_COLOURS
from exporters.svg.text import number
from solver.database.entry import Move
from solver.game import SIGNS

WIDTH, BEST_WIDTH = 3, 7
"""The pen widths of arrows, and of those of best moves."""

BUTT = "stroke-linecap:butt"

SHORTER = (24, 8)
"""By how much an arrow is shorter at its start and at its end."""

DASHES: dict[str, tuple[float, ...]] = {"win": (), "draw": (1, 0.7), "loss": (3, 1)}
"""The dashes by outcome, in pen widths."""

Point = tuple[float, float]


def arrow(move: Move, start: Point, end: Point) -> str:
    """The arrow of a move between two points that differ: solid for a win, dotted for a draw, else dashed."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    along, aside = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)

    def at(far: float, off: float) -> str:
        return " ".join(number(start[axis] + along[axis] * far + aside[axis] * off) for axis in (0, 1))

    width = BEST_WIDTH if move.best else WIDTH
    head, colour = 11 + 2 * width, OUTCOME_COLOURS[SIGNS[move.outcome]].border
    tip, back = length - SHORTER[1], length - SHORTER[1] - head
    shaft = f"M{at(SHORTER[0], 0)}L{at(back, 0)}"
    dashes = " ".join(number(each * width) for each in DASHES[move.outcome])
    dashed = f";stroke-dasharray:{dashes}" if dashes else ""
    return (
        f'<path style="{BUTT};stroke:#fff;stroke-width:{width + 3};stroke-opacity:.8" d="{shaft}"/>'
        f'<path style="{BUTT};stroke:{colour};stroke-width:{width}{dashed}" d="{shaft}"/>'
        f'<path style="fill:{colour};stroke:#fff;stroke-width:1.5" '
        f'd="M{at(tip, 0)}L{at(back, head * 0.45)}L{at(back, -head * 0.45)}z"/>'
    )
