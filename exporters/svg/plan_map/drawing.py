"""Boards inside boards as SVG, on a sheet of A3; each board is a group with its moves as title."""

from collections.abc import Iterator
from dataclasses import dataclass

from exporters.boards import Board, marked, rows_of_k
from exporters.palette import OUTCOME_COLOURS, escape
from exporters.svg.board import BOARD_CSS, UNIT, lattice_path, marks_drawn, strikes_drawn
from exporters.svg.plan_map.nested import NestedBoard
from exporters.svg.text import FAMILY, number
from solver.database.wording import ending
from solver.game import OUTCOMES, Cell, outcome_of
from solver.plans.plan import Plan

PAGE = (297, 420)
"""The sides of a sheet of A3, in mm."""

MARGIN, HEADING = 6, 24
"""The margin of the page, and the height of the text above the board, in mm."""

INSET = 0.96
"""The share of a cell's side that the board inside it fills."""

SMALLEST = 0.9
"""The side of the smallest cell that is legible in print, in mm: as high as letters of 5 points."""

MAP_CSS = (
    f"{BOARD_CSS}.map{{font-family:{FAMILY};background:#fff}}.map text{{fill:#222}}"
    ".map path.new{stroke-width:1}.map path.old{stroke:#b4b4b4;stroke-width:.9}"
    ".map path.old.stone{fill:#b4b4b4;stroke:#b4b4b4;stroke-width:.5}.map path.old.stone.white{fill:#fff}"
    ".map path.answer{stroke-width:2.1}.map text.answer{font-weight:bold}.map text.old{fill:#8a8a8a}"
    ".map path.disc{stroke-width:7}.map path.more{stroke:#222;stroke-width:1.2}"
)
"""The style of maps, the same in all, as several may be on one HTML page."""


@dataclass(frozen=True)
class Sheet:
    """A page, portrait or landscape, with the outermost board."""

    rows: int
    columns: int
    width: int
    height: float
    """The width and the height, in mm."""
    side: float
    """The side of a cell, in mm."""

    @property
    def scale(self) -> float:
        """The scale of a board in a cell, relative to the outer board."""
        return INSET / max(self.rows, self.columns)

    @property
    def levels(self) -> int:
        """The number of levels with legible cells."""
        levels, side = 1, self.side * self.scale
        while side >= SMALLEST and self.scale < INSET:
            levels, side = levels + 1, side * self.scale
        return levels

    @property
    def outermost(self) -> str:
        """The SVG transformation of the outermost board: below the text, centred."""
        left = (self.width - self.columns * self.side) / 2
        return f"translate({number(left)} {MARGIN + HEADING})scale({number(self.side / UNIT)})"

    def inside(self, cell: Cell) -> str:
        """The SVG transformation of a board centred in a cell of another."""
        row, column = cell
        free = [(UNIT - cells * UNIT * self.scale) / 2 for cells in (self.columns, self.rows)]
        x, y = column * UNIT + free[0], row * UNIT + free[1]
        return f"translate({number(x)} {number(y)})scale({number(self.scale)})"


def sheet_for(board: Board, notes: float = 0) -> Sheet:
    """The sheet on which a board of this shape is largest, above `notes` of this height in mm."""
    rows, columns = len(board), max(map(len, board))
    sheets = []
    for width, longest in (PAGE, PAGE[::-1]):
        side = min((width - 2 * MARGIN) / columns, (longest - 2 * MARGIN - HEADING - notes) / rows)
        height = 2 * MARGIN + HEADING + rows * side + notes
        sheets.append(Sheet(rows, columns, width, height, side))
    return max(sheets, key=lambda sheet: sheet.side)


def nested_boards(plan: Plan, nested: NestedBoard, sheet: Sheet, place: str, level: int = 0) -> Iterator[str]:
    """The SVG, line by line, of a board at its `place` and of all boards inside it."""
    width = number(0.14 * 1.35**level)  # so that on paper, lines shrink more slowly than cells
    yield f'<g transform="{place}" stroke-width="{width}"><title>{escape(_story(plan, nested))}</title>'
    yield _board(plan, nested, sheet)
    for cell, inner in nested.inside.items():
        yield from nested_boards(plan, inner, sheet, sheet.inside(cell), level + 1)
    yield "</g>"


def definitions(board: Board, sheet: Sheet) -> str:
    """The definitions that boards refer to: an empty board, and one with the ground of each outcome."""
    size = sheet.columns * UNIT, sheet.rows * UNIT
    # A style that begins with ".map" does not apply to referenced elements; the width is inherited.
    lines = f'<path id="{_name("lines", sheet)}" d="{lattice_path(board)}" fill="none" stroke="#9a9a9a"/>'
    use = f'<use href="#{_name("lines", sheet)}"/>'
    ended = (
        f'<g id="{_name(OUTCOMES[sign], sheet)}">{outcome_ground(sign, *size, use)}</g>'
        for sign in OUTCOME_COLOURS
    )
    return "".join([lines, *ended])


def outcome_ground(sign: int, width: float, height: float, lines: str = "") -> str:
    """A rectangle with the background and border of the outcome `sign`, and `lines` between the two."""
    colours, size = OUTCOME_COLOURS[sign], f'width="{number(width)}" height="{number(height)}"'
    border = f'fill="none" stroke="{colours.border}" stroke-width'
    parts = [f'<rect {size} fill="{colours.ground}"/>', lines]
    if sign == 0:
        parts.append(f'<rect {size} {border}="1.3" stroke-dasharray=".1 2.4" stroke-linecap="round"/>')
    else:
        parts.append(f'<rect {size} {border}="1"/>')
    if sign < 0:
        size = f'width="{number(width - 2.6)}" height="{number(height - 2.6)}"'
        parts.append(f'<rect x="1.3" y="1.3" {size} {border}=".7"/>')
    return "".join(parts)


def _board(plan: Plan, nested: NestedBoard, sheet: Sheet) -> str:
    marks = marked(nested.board)
    old = {cell: mark for cell, mark in marks.items() if cell not in (*nested.reply, *nested.answer)}
    ground = "lines" if nested.gain is None else outcome_of(nested.gain)
    parts = [f'<use href="#{_name(ground, sheet)}"/>']
    if nested.gain and nested.last:
        parts.append(strikes_drawn(rows_of_k(plan.game, nested.board, nested.last)))
    for look, cells in (("old", old), ("new", nested.reply), ("new answer", nested.answer)):
        parts.append(marks_drawn(plan.game, {cell: marks[cell] for cell in cells}, look))
    dots = "".join(
        f"M{column * UNIT + 2.5} {row * UNIT + 5}h0m2.5 0h0m2.5 0h0" for row, column in nested.goes_on
    )
    return "".join([*parts, f'<path class="more" d="{dots}"/>' if dots else ""])


def _story(plan: Plan, nested: NestedBoard) -> str:
    """The moves and the result of a board in words: "o plays 4, x answers 8: x wins"."""
    if nested.gain is None:
        return nested.story or f"{plan.game.players[1 - plan.owner]} moves first"
    margin = abs(nested.gain) if plan.scored else None
    end = ending(plan.game, plan.gain(nested.gain), margin) if nested.gain else "a draw"
    return f"{nested.story}: {end}" if nested.story else end


def _name(of: str, sheet: Sheet) -> str:
    """An id with the same meaning in all maps, as several may be on one HTML page."""
    return f"map-{of}-{sheet.rows}-{sheet.columns}"
