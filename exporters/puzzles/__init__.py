"""Puzzles as pictures, on sheets of A4 with separate answers, and on a page (`play_page.py`)."""

from collections.abc import Iterator, Sequence

from exporters.palette import escape
from exporters.puzzles.play_page import page
from exporters.svg.position import MARGIN, POSITION_CSS, heading, opened, plain_board
from exporters.svg.rendering import bound
from exporters.svg.text import Part, moved, text_element
from solver.analysis.puzzles.puzzle import Puzzle
from solver.analysis.puzzles.wording import MAX_DIFFICULTY, difficulty_of, reason_for, task_of
from solver.database import Database
from solver.database.wording import game_title
from solver.errors import NotLegible

__all__ = ["page", "pages", "picture", "sheets"]

MIN_WIDTH = 380
"""The least width of a picture, for its words."""


def picture(db: Database, puzzle: Puzzle) -> str:
    """The SVG of a puzzle: its task and the board, without the answer."""
    board, task = plain_board(db.game, puzzle.entry), task_of(db, puzzle.entry)
    across = max(MIN_WIDTH, board.width)
    head = heading(db.game, puzzle.entry, task, across)
    top = MARGIN + head.height + 14
    title = f"{game_title(db.game)}, {puzzle.entry.position}: {task}"
    lines = [
        *opened(across + 2 * MARGIN, top + board.height + MARGIN, title),
        moved(head.drawn, MARGIN, MARGIN),
        moved(board.drawn, MARGIN, top),
        "</svg>\n",
    ]
    return "\n".join(lines)


A4_WIDTH, A4_HEIGHT, A4_MARGIN = 595, 842, 42
"""The width, height and margin of a page, in points."""

COLUMNS, ROWS, GAP = 2, 3, 24
"""The columns and rows of puzzles on a page, and the gap between them in points."""

HEAD = 40
"""The height of the heading of a page, in points."""

ANSWERS, ANSWER_HEIGHT = 40, 18
"""The number of answers on a page, and the height of an answer in points."""

TASK_HEIGHT = 34
"""The height of the text above a board, in points."""

MIN_SCALE = 0.6
"""The least scale of the letters beside a board."""

MAX_PUZZLES = 600
"""The most puzzles in one file."""


def sheets(db: Database, puzzles: Sequence[Puzzle]) -> bytes:
    """The PDF of sheets; raises `NotLegible` for too many puzzles, and `MissingExtra` without Typst."""
    if len(puzzles) > MAX_PUZZLES:
        raise NotLegible(f"sheets have {MAX_PUZZLES} puzzles at most, not {len(puzzles):,}: use a smaller -n")
    return bound(pages(db, puzzles), f"{game_title(db.game)}: puzzles")


def pages(db: Database, puzzles: Sequence[Puzzle]) -> list[str]:
    """The pages of the sheets as SVG, six puzzles each."""
    numbered, title, sheets = list(enumerate(puzzles, start=1)), game_title(db.game), list[tuple[str, str]]()
    for at in range(0, len(puzzles), COLUMNS * ROWS):
        on_page = enumerate(numbered[at : at + COLUMNS * ROWS])
        sheets.append((title, "".join(_placed(db, place, *one) for place, one in on_page)))
    for at in range(0, len(puzzles), ANSWERS):
        sheets.append(("Answers", "".join(_answers(db, numbered[at : at + ANSWERS]))))
    return [_page(head, f"{nth} / {len(sheets)}", body) for nth, (head, body) in enumerate(sheets, start=1)]


def _page(head: str, foot: str, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value" width="210mm" height="297mm" '
        f'viewBox="0 0 {A4_WIDTH} {A4_HEIGHT}"><title>{escape(head)}</title><style>{POSITION_CSS}</style>'
        f'<rect width="{A4_WIDTH}" height="{A4_HEIGHT}" fill="#fff"/>'
        + text_element(head, A4_MARGIN, A4_MARGIN + 14, 18, A4_WIDTH - 2 * A4_MARGIN, look='class="bold"')
        + text_element(foot, A4_WIDTH / 2, A4_HEIGHT - 22, 10, A4_WIDTH, anchor="middle", look='class="gray"')
        + f"{body}</svg>"
    )


def _placed(db: Database, at: int, nth: int, puzzle: Puzzle) -> str:
    width = (A4_WIDTH - 2 * A4_MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    height = (A4_HEIGHT - 2 * A4_MARGIN - HEAD - (ROWS - 1) * GAP) / ROWS
    x = A4_MARGIN + at % COLUMNS * (width + GAP)
    y = A4_MARGIN + HEAD + at // COLUMNS * (height + GAP)
    board = plain_board(db.game, puzzle.entry)
    scale = _scale(board, width, height - TASK_HEIGHT)
    if scale < MIN_SCALE:  # letters keep a legible size
        board = plain_board(db.game, puzzle.entry, MIN_SCALE / scale)
        scale = _scale(board, width, height - TASK_HEIGHT)
    level = f"difficulty {difficulty_of(puzzle)} of {MAX_DIFFICULTY}"
    return (
        text_element(f"{nth}. {task_of(db, puzzle.entry)}", x, y + 10, 11, width, look='class="bold"')
        + text_element(level, x, y + 22, 8, width, look='class="gray"')
        + moved(board.drawn, x, y + TASK_HEIGHT, scale)
    )


def _scale(board: Part, width: float, height: float) -> float:
    return min(1, width / board.width, height / board.height)


def _answers(db: Database, numbered: Sequence[tuple[int, Puzzle]]) -> Iterator[str]:
    """The answers on one page, one below the other, with reasons and positions."""
    whole, beside = A4_WIDTH - 2 * A4_MARGIN - 30, 120
    for row, (nth, puzzle) in enumerate(numbered, start=1):
        y = A4_MARGIN + HEAD + row * ANSWER_HEIGHT - 8
        yield text_element(f"{nth}.", A4_MARGIN + 24, y, 10, 24, anchor="end", look='class="gray"')
        yield text_element(reason_for(db, puzzle), A4_MARGIN + 30, y, 10, whole - beside)
        right = A4_WIDTH - A4_MARGIN
        yield text_element(puzzle.entry.position, right, y, 8, beside - 8, anchor="end", look='class="gray"')
