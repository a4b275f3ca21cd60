"""Puzzles to be solved: as pictures, on a page to be solved by clicks, on sheets of A4, the answers apart.

The board of the page and its clicks are those of the page of a game. Its rows have each puzzle and the
positions after its moves, with their values: by these it tells the right move from others, and what those
throw away.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from exporters.html.database_page import page_position, page_position_after
from exporters.html.page import about_database, file_text, filled, framed, page_style, scripts
from exporters.html.rows import MAX_BYTES, PagePosition, PositionRows, SizeLimit
from exporters.palette import escape, plain
from exporters.svg.position import MARGIN, POSITION_CSS, heading, opened, plain_board, title_of
from exporters.svg.rendering import bound
from exporters.svg.text import Part, number, shorten, text_element, text_width
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.wording import game_title, standing_of
from solver.errors import NotLegible

MIN_WIDTH = 380
"""The minimum width of a picture, for its words."""


def picture(db: Database, puzzle: Puzzle) -> str:
    """The SVG of a puzzle: who is to move, what is to be found, and the board, without the answer."""
    board = plain_board(db.game, puzzle.entry)
    across = max(MIN_WIDTH, board.width)
    head = heading(db.game, puzzle.entry, across)
    top = MARGIN + head.height + 14
    lines = [
        *opened(across + 2 * MARGIN, top + board.height + MARGIN, title_of(db.game, puzzle.entry)),
        f'<g transform="translate({MARGIN} {MARGIN})">{head.drawn}</g>',
        f'<g transform="translate({MARGIN} {number(top)})">{board.drawn}</g>',
        "</svg>\n",
    ]
    return "\n".join(lines)


SHARED = ("data", "words", "elements", "marks", "clicks", "ground", "board")
"""The scripts of the page of a game that this one uses, in order of their imports."""


def page(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The text of an HTML file that loads nothing; raises `PageTooLarge` for too many puzzles."""
    rows, known = PositionRows(db.game), dict[str, PagePosition]()
    for puzzle in puzzles:
        known[puzzle.entry.position] = page_position(db, puzzle.entry)
    for puzzle in puzzles:
        for move in puzzle.entry.moves_by_action:
            known.setdefault(move.position, page_position_after(db.game, move))
    rows.part(list(known.values()))
    if rows.bytes > MAX_BYTES:
        room = SizeLimit(f"the page of {len(puzzles):,} puzzles", "ask for fewer by -n")
        raise room.exceeded(len(known), len(known) * MAX_BYTES // rows.bytes)
    tasks = [standing_of(puzzle.entry) for puzzle in puzzles]
    document = rows.document(**about_database(db, roots=len(puzzles), tasks=tasks))
    count = f"{len(puzzles):,} {'puzzle' if len(puzzles) == 1 else 'puzzles'}"
    about = f"{count}: in each exactly one move does it. The hardest come first."
    style = page_style() + file_text("puzzles", "puzzles.css")
    script = scripts("html", SHARED) + scripts("puzzles", ["solve"])
    title = game_title(db.game)
    body = filled(file_text("puzzles", "puzzles.html"), db.game, heading=title, about=about)
    return framed(title, body, style, script, document)


A4_WIDTH, A4_HEIGHT, A4_MARGIN = 595, 842, 42
"""The size of a page and its margin, in points."""

COLUMNS, ROWS, GAP = 2, 3, 24
"""The puzzles of a page, and the gap between them."""

HEAD = 40
"""The height of the heading of a page."""

ANSWER_COLUMNS, ANSWER_HEIGHT = 3, 18
"""The columns of a page of answers, and the height of one."""

MIN_SCALE = 0.6
"""The scale of the smallest letters beside a board."""

MAX_PUZZLES = 600
"""The puzzles of one file."""


def sheets(db: Database, puzzles: Sequence[Puzzle]) -> bytes:
    """The PDF of sheets; raises `NotLegible` for too many puzzles, and `MissingExtra` without Typst."""
    if len(puzzles) > MAX_PUZZLES:
        raise NotLegible(f"sheets have {MAX_PUZZLES} puzzles at most, not {len(puzzles):,}: use a smaller -n")
    return bound(pages(db, puzzles), f"{game_title(db.game)}: puzzles")


def pages(db: Database, puzzles: Sequence[Puzzle]) -> list[str]:
    """The pages of the sheets as SVG, six puzzles each."""
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
        f'viewBox="0 0 {A4_WIDTH} {A4_HEIGHT}"><title>{escape(head)}</title><style>{POSITION_CSS}</style>'
        f'<rect width="{A4_WIDTH}" height="{A4_HEIGHT}" fill="#fff"/>'
        + text_element(head, A4_MARGIN, A4_MARGIN + 14, 18, A4_WIDTH - 2 * A4_MARGIN, look='class="bold"')
        + text_element(foot, A4_WIDTH / 2, A4_HEIGHT - 22, 10, A4_WIDTH, anchor="middle", look='class="gray"')
        + f"{body}</svg>"
    )


def _placed(db: Database, at: int, nth: int, puzzle: Puzzle) -> str:
    """A puzzle in its place on the page, its board as large as there is room."""
    width = (A4_WIDTH - 2 * A4_MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    height = (A4_HEIGHT - 2 * A4_MARGIN - HEAD - (ROWS - 1) * GAP) / ROWS
    x = A4_MARGIN + at % COLUMNS * (width + GAP)
    y = A4_MARGIN + HEAD + at // COLUMNS * (height + GAP)
    board = plain_board(db.game, puzzle.entry)
    scale = _scale(board, width, height - 24)
    if scale < MIN_SCALE:  # letters keep a legible size
        board = plain_board(db.game, puzzle.entry, MIN_SCALE / scale)
        scale = _scale(board, width, height - 24)
    return text_element(f"{nth}. {standing_of(puzzle.entry)}", x, y + 10, 11, width, look='class="bold"') + (
        f'<g transform="translate({number(x)} {number(y + 24)})scale({number(scale)})">{board.drawn}</g>'
    )


def _scale(board: Part, width: float, height: float) -> float:
    """The scale by which a board fits into the room."""
    return min(1, width / board.width, height / board.height)


def _answers(numbered: Sequence[tuple[int, Puzzle]]) -> Iterator[str]:
    """The answers of one page, column by column."""
    width = (A4_WIDTH - 2 * A4_MARGIN) / ANSWER_COLUMNS
    for at, (nth, puzzle) in enumerate(numbered):
        column, row = divmod(at, _answer_rows())
        x, y = A4_MARGIN + column * width, A4_MARGIN + HEAD + (row + 1) * ANSWER_HEIGHT
        yield text_element(f"{nth}.", x + 24, y, 11, 24, anchor="end", look='class="gray"')
        name = shorten(plain(str(puzzle.answer.move)), 11, width / 2 - 20)
        yield text_element(name, x + 30, y, 11, width / 2)
        left, room = x + 38 + text_width(name, 11), width - 46 - text_width(name, 11)
        yield text_element(puzzle.entry.position, left, y, 8, room, look='class="gray"')


def _answer_rows() -> int:
    return (A4_HEIGHT - 2 * A4_MARGIN - HEAD - ANSWER_HEIGHT) // ANSWER_HEIGHT
