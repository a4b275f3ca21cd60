"""States in rows, from the top down, with a line for each move, as SVG."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exporters.palette import MARK_COLOURS, OUTCOME_COLOURS, OutcomeColours
from exporters.svg.board import UNIT, ground_drawn, marks_drawn, marks_shown
from exporters.svg.text import FAMILY, ROLE, Part, escape, number, text_block, text_element, text_width, wrap
from solver.game import AnyGame
from solver.rules.asking import board_of, picture_of

CELL, LONGEST_LINE, MOST_LINES = 18, 24, 12
"""The side of a cell; the characters of a line, and the lines, that are shown of a state without a board."""

PADDING, BOX_GAP, ROW_GAP, MARGIN = 6, 12, 46, 16
"""The padding of a box, the gaps between boxes and between rows, and the margin of the picture."""

BACK_OFFSET = 10
"""The horizontal distance of upward lines from downward ones."""

CAPTION_SIZE = 12
"""The font size of captions."""

ROWS_CSS = (
    f".rows{{font-family:{FAMILY}}}.rows text{{fill:#222}}"
    ".rows .mono{font-family:'DejaVu Sans Mono',monospace}"
    ".rows path{fill:none;stroke:#222;stroke-width:1.2;stroke-linecap:round}"
    f".rows path.first{{stroke:{MARK_COLOURS[0]}}}.rows path.second{{stroke:{MARK_COLOURS[1]}}}"
    f".rows text.first{{fill:{MARK_COLOURS[0]}}}.rows text.second{{fill:{MARK_COLOURS[1]}}}"
    ".rows path.lines{stroke:#777;stroke-width:.4}.rows path.move{stroke:#777}"
    ".rows path.chosen{stroke:#222;stroke-width:2.4}.rows path.back{stroke-dasharray:4 4}"
)


@dataclass(frozen=True)
class Box:
    """A state with its caption."""

    state: Any
    caption: str
    sign: int | None = None
    """The sign of its value for the player of interest; None to draw it neutral."""
    chosen: bool = False
    """Whether its moves are the plan's."""


@dataclass(frozen=True)
class _Placed:
    x: float
    y: float
    part: Part


def render(
    game: AnyGame,
    heading: str,
    note: str,
    rows: Sequence[Mapping[Hashable, Box]],
    moves: Iterable[tuple[Hashable, Hashable]],
) -> str:
    """The SVG of rows of boxes, each by a name, with a line for each of the `moves` from one to another."""
    drawn = [{name: _draw_box(game, box) for name, box in row.items()} for row in rows]
    across = max(360, *(sum(each.width + BOX_GAP for each in row.values()) - BOX_GAP for row in drawn))
    head = [*_lines(heading, 16, across), *_lines(note, 12, across)]
    placed, down = _place_boxes(drawn, across, MARGIN + 22 * len(head) + 12)
    boxes = {name: box for row in rows for name, box in row.items()}
    size = f'width="{number(across + 2 * MARGIN)}" height="{number(down)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rows" role="{ROLE}" lang="en" {size} '
        f'viewBox="0 0 {number(across + 2 * MARGIN)} {number(down)}">',
        f"<title>{escape(heading)}</title>",
        f"<desc>{escape(note)}</desc>",
        f"<style>{ROWS_CSS}</style>",
        f'<rect {size} fill="#fff"/>',
        *(f'<g transform="translate(0 {MARGIN + 14 + 22 * at})">{line}</g>' for at, line in enumerate(head)),
    ]
    parts += [
        _move_line(placed[a], placed[b], chosen=boxes[a].chosen) for a, b in moves if {a, b} <= placed.keys()
    ]
    parts += [
        f'<g transform="translate({number(p.x)} {number(p.y)})">{p.part.drawn}</g>' for p in placed.values()
    ]
    return "\n".join([*parts, "</svg>\n"])


def _lines(text: str, size: float, across: float) -> list[str]:
    """The lines of a text above the rows."""
    return [text_element(line, MARGIN, 0, size, across) for line in wrap(text, size, across)]


def _place_boxes(
    drawn: Sequence[Mapping[Hashable, Part]], across: float, top: float
) -> tuple[dict[Hashable, _Placed], float]:
    """Returns the place of each box, each row centred, and the height of the picture."""
    found, y = {}, top
    for row in drawn:
        x = MARGIN + (across - sum(each.width + BOX_GAP for each in row.values()) + BOX_GAP) / 2
        for name, part in row.items():
            found[name] = _Placed(x, y, part)
            x += part.width + BOX_GAP
        y += max(each.height for each in row.values()) + ROW_GAP
    return found, y - ROW_GAP + MARGIN


def _draw_box(game: AnyGame, box: Box) -> Part:
    """A box with the state and its caption."""
    shown = _board(game, box.state) or text_block(
        picture_of(game, box.state), CAPTION_SIZE, 16, LONGEST_LINE, MOST_LINES
    )
    across = max(shown.width, min(text_width(box.caption, CAPTION_SIZE), 160)) + 2 * PADDING
    down = shown.height + CAPTION_SIZE + 3 * PADDING
    caption = text_element(
        box.caption, across / 2, down - PADDING - 1, CAPTION_SIZE, across - 2 * PADDING, anchor="middle"
    )
    place = f"translate({number((across - shown.width) / 2)} {PADDING})"
    title = f"<title>{escape(f'{game.position(box.state)}: {box.caption}')}</title>"
    frame = _frame(box, across, down)
    return Part(across, down, f'{title}{frame}<g transform="{place}">{shown.drawn}</g>{caption}')


def _board(game: AnyGame, state: Any) -> Part | None:
    """The board of a state; None if it has none."""
    board = board_of(game, state)
    if not board or not all(board):
        return None
    drawn = ground_drawn(game, board) + marks_drawn(game, marks_shown(game, board), "mark")
    scaled = f'<g transform="scale({CELL / UNIT})">{drawn}</g>'
    return Part(max(map(len, board)) * CELL, len(board) * CELL, scaled)


def _frame(box: Box, wide: float, high: float) -> str:
    """The frame of a box: solid for a positive sign, dotted for 0, double for a negative one."""
    colours = OutcomeColours("#777777", "#FFFFFF") if box.sign is None else OUTCOME_COLOURS[box.sign]
    dashes = ' stroke-dasharray="2 3"' if box.sign == 0 else ""
    size = f'width="{number(wide)}" height="{number(high)}" rx="3"'
    thick = 1 if box.sign is None else 2
    outer = f'<rect {size} fill="{colours.ground}" stroke="{colours.border}" stroke-width="{thick}"{dashes}/>'
    if box.sign != -1:
        return outer
    size = f'width="{number(wide - 6)}" height="{number(high - 6)}"'
    return f'{outer}<rect x="3" y="3" {size} fill="none" stroke="{colours.border}"/>'


def _move_line(above: _Placed, below: _Placed, *, chosen: bool) -> str:
    """The line of a move: solid to a lower row, dashed to any other."""
    look = "move chosen" if chosen else "move"
    x, y = above.x + above.part.width / 2, above.y + above.part.height
    to_x, to_y = below.x + below.part.width / 2, below.y
    if to_y <= above.y:
        x, to_x, look = x + BACK_OFFSET, to_x + BACK_OFFSET, f"{look} back"
        y, to_y = above.y + above.part.height / 2, below.y + below.part.height / 2
    numbers = [number(each) for each in (x, y, to_x, to_y)]
    return '<path class="{}" d="M{} {}L{} {}"/>'.format(look, *numbers)
