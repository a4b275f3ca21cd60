"""States in rows, from the top down, with a line for each move, as SVG."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exporters.palette import MARK_COLOURS, OUTCOME_COLOURS, OutcomeColours, plain
from exporters.svg.board import UNIT, ground_path, marks_drawn, marks_shown
from exporters.svg.text import FAMILY, ROLE, escape, number, text_element, text_width, wrap
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
    width: float
    height: float
    drawn: str


def render(
    game: AnyGame,
    heading: str,
    note: str,
    rows: Sequence[Mapping[Hashable, Box]],
    moves: Iterable[tuple[Hashable, Hashable]],
) -> str:
    """The SVG of rows of boxes, each by a name, with a line for each of the `moves` from one to another."""
    drawn = [{name: _draw_box(game, box) for name, box in row.items()} for row in rows]
    across = max(360, *(sum(each[0] + BOX_GAP for each in row.values()) - BOX_GAP for row in drawn))
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
    parts += [f'<g transform="translate({number(p.x)} {number(p.y)})">{p.drawn}</g>' for p in placed.values()]
    return "\n".join([*parts, "</svg>\n"])


def _lines(text: str, size: float, across: float) -> list[str]:
    """The lines of a text above the rows."""
    return [text_element(line, MARGIN, 0, size, across) for line in wrap(text, size, across)]


def _place_boxes(
    drawn: Sequence[Mapping[Hashable, tuple[float, float, str]]], across: float, top: float
) -> tuple[dict[Hashable, _Placed], float]:
    """Returns the place of each box, each row centred, and the height of the picture."""
    found, y = {}, top
    for row in drawn:
        x = MARGIN + (across - sum(each[0] + BOX_GAP for each in row.values()) + BOX_GAP) / 2
        for name, (wide, high, svg) in row.items():
            found[name] = _Placed(x, y, wide, high, svg)
            x += wide + BOX_GAP
        y += max(each[1] for each in row.values()) + ROW_GAP
    return found, y - ROW_GAP + MARGIN


def _draw_box(game: AnyGame, box: Box) -> tuple[float, float, str]:
    """Returns the width, the height and the SVG of a box."""
    wide, high, shown = _board(game, box.state) or _text(picture_of(game, box.state))
    across = max(wide, min(text_width(box.caption, CAPTION_SIZE), 160)) + 2 * PADDING
    down = high + CAPTION_SIZE + 3 * PADDING
    caption = text_element(
        box.caption, across / 2, down - PADDING - 1, CAPTION_SIZE, across - 2 * PADDING, anchor="middle"
    )
    place = f"translate({number((across - wide) / 2)} {PADDING})"
    title = f"<title>{escape(f'{game.position(box.state)}: {box.caption}')}</title>"
    return across, down, f'{title}{_frame(box, across, down)}<g transform="{place}">{shown}</g>{caption}'


def _board(game: AnyGame, state: Any) -> tuple[float, float, str] | None:
    """Returns the width, the height and the SVG of a board; None if a state has none."""
    board = board_of(game, state)
    if not board or not all(board):
        return None
    lines = f'<path class="lines" d="{ground_path(game, board)}"/>'
    drawn = lines + marks_drawn(game, marks_shown(game, board), "mark")
    scaled = f'<g transform="scale({CELL / UNIT})">{drawn}</g>'
    return max(map(len, board)) * CELL, len(board) * CELL, scaled


def _text(shown: str) -> tuple[float, float, str]:
    """Returns the width, the height and the SVG of a state shown as text."""
    lines = [plain(line).rstrip() for line in shown.split("\n")]
    lines = [line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…" for line in lines]
    lines = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]
    wide = max(text_width("0" * len(line), CAPTION_SIZE) for line in lines)
    drawn = (
        text_element(
            line.replace(" ", "\xa0"), 0, CAPTION_SIZE + at * 16, CAPTION_SIZE, wide, look='class="mono"'
        )
        for at, line in enumerate(lines)
        if line
    )
    return wide, len(lines) * 16, "".join(drawn)


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
    x, y = above.x + above.width / 2, above.y + above.height
    to_x, to_y = below.x + below.width / 2, below.y
    if to_y <= above.y:
        x, to_x, look = x + BACK_OFFSET, to_x + BACK_OFFSET, f"{look} back"
        y, to_y = above.y + above.height / 2, below.y + below.height / 2
    numbers = [number(each) for each in (x, y, to_x, to_y)]
    return '<path class="{}" d="M{} {}L{} {}"/>'.format(look, *numbers)
