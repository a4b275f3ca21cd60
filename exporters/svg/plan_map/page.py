"""The map of a plan: one page of SVG on which every reply is a smaller board inside the board.

The idea is Randall Munroe's: "Tic-Tac-Toe", https://xkcd.com/832, 2010.
"""

from collections.abc import Iterator
from itertools import chain

from exporters.boards import marked
from exporters.palette import OUTCOME_COLOURS, escape
from exporters.svg.board import key_drawn, marks_drawn
from exporters.svg.plan_map import drawing
from exporters.svg.plan_map.drawing import MARGIN, Sheet
from exporters.svg.plan_map.nested import NestedBoards, drawable_board, nest
from exporters.svg.rendering import rendered
from exporters.svg.text import ROLE, moved, number, text_element, text_width
from solver.analysis.certificates.mark import lines_of
from solver.database import wording as words
from solver.errors import NotLegible
from solver.game import outcome_sign
from solver.plans.plan import Plan, unfold
from solver.plans.wording import plan_title

MAX_BOARDS = 5000
"""The most boards of a map, as browsers are slow with more."""

TEXT_SIZE = 4
"""The font size of the text below the heading, in mm."""

NOTE_LEADING = 4.5
"""The distance of lines about certificates, below the board, in mm."""


def written(plan: Plan, depth: int | None = None, ending: str = "svg") -> bytes:
    """The map for a file: PNG or PDF by its `ending`, else SVG; raises what `render` and `rendered` raise."""
    return rendered(render(plan, depth), ending if ending in ("png", "pdf") else "svg")


def render(plan: Plan, depth: int | None = None) -> str:
    """The SVG of the map of `plan`, cut `depth` plies below the root, if given.

    It fits on a sheet of A3. Raises `NotLegible`, with advice, if it would be too small to read, or if boards
    cannot show the moves.
    """
    sheet, grown = _nested(plan, depth)
    if grown.beyond is not None:
        cut = f"--depth {grown.beyond - 1}, " if len(grown.levels) > 1 else ""
        raise NotLegible(
            f"on a sheet of A3 the boards from {words.plies(grown.beyond)} below the root on cannot be read: "
            f"use {cut}a later position, or --format json"
        )
    return "\n".join([*_page(plan, grown, sheet), "</svg>\n"])


def legible_depth(plan: Plan) -> int | None:
    """The depth in plies at which to cut the map of `plan` to make it legible; None if it is legible uncut.

    Raises `NotLegible` if boards cannot show the moves.
    """
    beyond = _nested(plan, None)[1].beyond
    return None if beyond is None else beyond - 1


def _nested(plan: Plan, depth: int | None) -> tuple[Sheet, NestedBoards]:
    """The sheet for the map, and the boards, nested as far as they are legible on it."""
    board = drawable_board(plan, plan.game.parse(plan.root))
    sheet = drawing.sheet_for(board, len(lines_of(plan.marks)) * NOTE_LEADING)
    return sheet, nest(plan, depth, sheet.levels, MAX_BOARDS)


def _page(plan: Plan, grown: NestedBoards, sheet: Sheet) -> Iterator[str]:
    heading, room = plan_title(plan, unfold(plan)), sheet.width - 2 * MARGIN
    size = f"{sheet.width} {number(sheet.height)}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board map" role="{ROLE}" lang="en" '
        f'width="{sheet.width}mm" height="{number(sheet.height)}mm" viewBox="0 0 {size}">'
    )
    yield f"<title>{escape(heading)}</title>"
    yield f"<desc>{escape(_manual(plan))}</desc>"
    yield f"<style>{drawing.MAP_CSS}</style>"
    yield f"<defs>{drawing.definitions(grown.levels[0][0].board, sheet)}</defs>"
    yield f'<rect width="{sheet.width}" height="{number(sheet.height)}" fill="#fff"/>'
    yield text_element(heading, MARGIN, MARGIN + 6.5, 7, room)
    yield text_element(_manual(plan), MARGIN, MARGIN + 13, TEXT_SIZE, room)
    yield "".join(_key(plan, grown, MARGIN + 19.5, sheet.width - MARGIN))
    yield from drawing.nested_boards(plan, grown.levels[0][0], sheet, sheet.outermost)
    for above, line in enumerate(reversed(lines_of(plan.marks))):
        yield text_element(line, MARGIN, sheet.height - MARGIN - above * NOTE_LEADING, 3, room)


def _manual(plan: Plan) -> str:
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    return (
        f"Look for the move of {other} (AND). In that cell is the whole board after it and after the "
        f"answer of {owner} (OR), which is thick. Go on in that board."
    )


def _key(plan: Plan, grown: NestedBoards, y: float, right: float) -> Iterator[str]:
    """The key to the backgrounds, dots and marks that occur, in a row with its baseline at `y`.

    Players' marks are explained if there is room to the left of `right`.
    """
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    meanings = {1: f"{owner} wins", 0: "a draw", -1: f"{other} wins"}
    boards = list(chain.from_iterable(grown.levels))
    gains = {outcome_sign(nested.gain) for nested in boards if nested.gain is not None}
    x: float = MARGIN
    samples = [
        (drawing.outcome_ground(sign, 10, 10), meanings[sign]) for sign in OUTCOME_COLOURS if sign in gains
    ]
    if any(nested.goes_on for nested in boards):
        samples.append(('<path class="more" d="M2.5 5h0m2.5 0h0m2.5 0h0"/>', "goes on"))
    mark = next((mark for nested in boards for mark in marked(nested.board).values()), None)
    if mark is not None:
        samples.append((marks_drawn(plan.game, {(0, 0): mark}, "old"), "grey: played before"))
    for sample, meaning in samples:
        yield moved(sample, x, y - 3.6, 0.45)
        yield text_element(meaning, x + 6.5, y, TEXT_SIZE, 60)
        x += 6.5 + min(60, text_width(meaning, TEXT_SIZE)) + 6
    key = key_drawn(plan.game, (nested.board for nested in boards), TEXT_SIZE)
    if x + key.width <= right:
        yield moved(key.drawn, x, y - TEXT_SIZE)
