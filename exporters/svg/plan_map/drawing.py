"""Boards inside boards as SVG: a group for each board, with its moves as title, and the boards inside it."""

from collections.abc import Iterator

from exporters.boards import Board, marked, rows_of_k
from exporters.palette import OUTCOME_COLOURS, escape
from exporters.svg.board import BOARD_CSS, UNIT, lattice_path, marks_drawn, strikes_drawn
from exporters.svg.plan_map.nested import NestedBoard
from exporters.svg.plan_map.sheet import Sheet
from exporters.svg.text import FAMILY, number
from solver.database.wording import ending
from solver.game import OUTCOMES, outcome_of
from solver.plans.plan import Plan

GRID_COLOUR = "#9a9a9a"
"""The colour of grid lines."""

OUTERMOST_LINE, LINE_GROWTH = 0.14, 1.35
"""The line width of the outermost board in tenths of a cell, and its factor per level: on paper, lines shrink
more slowly than cells."""

MAP_CSS = (
    f"{BOARD_CSS}.map{{font-family:{FAMILY};background:#fff}}.map text{{fill:#222}}"
    ".map path.new{stroke-width:1}.map path.old{stroke:#b4b4b4;stroke-width:.9}"
    ".map path.old.stone{stroke:#b4b4b4;stroke-width:.5}.map path.old.stone:not(.white){fill:#b4b4b4}"
    ".map path.answer{stroke-width:2.1}.map text.answer{font-weight:bold}.map text.old{fill:#8a8a8a}"
    ".map path.disc{stroke-width:7}.map path.more{stroke:#222;stroke-width:1.2}"
)
"""The style of maps, the same in all, as several may be on one HTML page."""


def nested_boards(plan: Plan, nested: NestedBoard, sheet: Sheet, place: str, level: int = 0) -> Iterator[str]:
    """The SVG, line by line, of a board at its `place` and of all boards inside it."""
    width = number(OUTERMOST_LINE * LINE_GROWTH**level)
    yield f'<g transform="{place}" stroke-width="{width}"><title>{escape(_story(plan, nested))}</title>'
    yield _board(plan, nested, sheet)
    for cell, inner in nested.inside.items():
        yield from nested_boards(plan, inner, sheet, sheet.inside(cell), level + 1)
    yield "</g>"


def definitions(board: Board, sheet: Sheet) -> str:
    """The definitions that boards refer to: an empty board, and one with the ground of each outcome."""
    size = sheet.columns * UNIT, sheet.rows * UNIT
    # A style that begins with ".map" does not apply to referenced elements; the width is inherited.
    lines = (
        f'<path id="{_name("lines", sheet)}" d="{lattice_path(board)}" fill="none" stroke="{GRID_COLOUR}"/>'
    )
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
