"""Puzzles on sheets of A4, six a page, with their answers at the end, as PDF."""

from collections.abc import Iterator, Sequence
from math import ceil

from exporters.palette import escape, plain
from exporters.svg.position import POSITION_CSS, plain_board
from exporters.svg.rendering import bound
from exporters.svg.text import Part, number, shorten, text_element, text_width
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.wording import game_title, standing_of
from solver.errors import NotLegible

WIDTH, HEIGHT, MARGIN = 595, 842, 42
"""The size of a page and its margin, in points."""

COLUMNS, ROWS, GAP = 2, 3, 24
"""The puzzles of a page, and the gap between them."""

HEAD = 40
"""The height of the heading of a page."""

ANSWER_COLUMNS, ANSWER_HEIGHT = 3, 18
"""The columns of a page of answers, and the height of one."""

LEAST_SCALE = 0.6
"""The scale of the smallest letters beside a board."""

MOST_PUZZLES = 600
"""The puzzles of one file."""


def render(db: Database, puzzles: Sequence[Puzzle]) -> bytes:
    """The PDF; raises `NotLegible` for too many puzzles, and `MissingExtra` without Typst."""
    if len(puzzles) > MOST_PUZZLES:
        raise NotLegible(
            f"sheets have {MOST_PUZZLES} puzzles at most, not {len(puzzles):,}: use a smaller -n"
        )
    return bound(pages(db, puzzles), f"{game_title(db.game)}: puzzles")


def pages(db: Database, puzzles: Sequence[Puzzle]) -> list[str]:
    """The pages as SVG."""
    each, numbered = COLUMNS * ROWS, list(enumerate(puzzles, start=1))
    bodies = [
        "".join(_placed(db, place, *numbered[at + place]) for place in range(min(each, len(puzzles) - at)))
        for at in range(0, len(puzzles), each)
    ]
    length = ANSWER_COLUMNS * _answer_rows()
    bodies += ["".join(_answers(numbered[at : at + length])) for at in range(0, len(puzzles), length)]
    questions = ceil(len(puzzles) / each)
    heads = [game_title(db.game)] * questions + ["Answers"] * (len(bodies) - questions)
    return [
        _page(head, f"{at} / {len(bodies)}", body)
        for at, (head, body) in enumerate(zip(heads, bodies, strict=True), start=1)
    ]


def _page(head: str, foot: str, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" width="210mm" height="297mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><title>{escape(head)}</title><style>{POSITION_CSS}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        + text_element(head, MARGIN, MARGIN + 14, 18, WIDTH - 2 * MARGIN, look='class="bold"')
        + text_element(foot, WIDTH / 2, HEIGHT - 22, 10, WIDTH, anchor="middle", look='class="gray"')
        + f"{body}</svg>"
    )


def _placed(db: Database, at: int, nth: int, puzzle: Puzzle) -> str:
    """A puzzle in its place on the page, its board as large as there is room."""
    width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    height = (HEIGHT - 2 * MARGIN - HEAD - (ROWS - 1) * GAP) / ROWS
    x = MARGIN + at % COLUMNS * (width + GAP)
    y = MARGIN + HEAD + at // COLUMNS * (height + GAP)
    board = plain_board(db.game, puzzle.entry)
    scale = _scale(board, width, height - 24)
    if scale < LEAST_SCALE:  # letters keep a legible size
        board = plain_board(db.game, puzzle.entry, LEAST_SCALE / scale)
        scale = _scale(board, width, height - 24)
    return text_element(f"{nth}. {standing_of(puzzle.entry)}", x, y + 10, 11, width, look='class="bold"') + (
        f'<g transform="translate({number(x)} {number(y + 24)})scale({number(scale)})">{board.drawn}</g>'
    )


def _scale(board: Part, width: float, height: float) -> float:
    """The scale by which a board fits into the room."""
    return min(1, width / board.width, height / board.height)


def _answers(numbered: Sequence[tuple[int, Puzzle]]) -> Iterator[str]:
    """The answers of one page, column by column."""
    width = (WIDTH - 2 * MARGIN) / ANSWER_COLUMNS
    for at, (nth, puzzle) in enumerate(numbered):
        column, row = divmod(at, _answer_rows())
        x, y = MARGIN + column * width, MARGIN + HEAD + (row + 1) * ANSWER_HEIGHT
        yield text_element(f"{nth}.", x + 24, y, 11, 24, anchor="end", look='class="gray"')
        name = shorten(plain(str(puzzle.answer.move)), 11, width / 2 - 20)
        yield text_element(name, x + 30, y, 11, width / 2)
        left, room = x + 38 + text_width(name, 11), width - 46 - text_width(name, 11)
        yield text_element(puzzle.entry.position, left, y, 8, room, look='class="gray"')


def _answer_rows() -> int:
    return (HEIGHT - 2 * MARGIN - HEAD - ANSWER_HEIGHT) // ANSWER_HEIGHT
