"""Puzzles as one HTML page to solve them by clicks, which opens from disk and loads nothing.

The board and its clicks are those of the page of a game. The rows have each puzzle and the positions after
its moves, with their values: by these the page tells the right move from others, and what those throw away.
"""

from collections.abc import Sequence

from exporters.html.database_page import page_position, page_position_after
from exporters.html.look import about_database
from exporters.html.page import file_text, filled, framed, page_style, scripts
from exporters.html.rows import MOST_BYTES, PagePosition, PositionRows, SizeLimit
from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.wording import game_title, standing_of

SHARED = ("data", "words", "elements", "marks", "clicks", "ground", "board")
"""The scripts of the page of a game that this one uses, in order of their imports."""


def render(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The text of the HTML file; raises `PageTooLarge` for too many puzzles."""
    rows, known = PositionRows(db.game), dict[str, PagePosition]()
    for puzzle in puzzles:
        known[puzzle.entry.position] = page_position(db, puzzle.entry)
    for puzzle in puzzles:
        for move in puzzle.entry.moves_by_action:
            known.setdefault(move.position, page_position_after(db.game, move))
    rows.part(list(known.values()))
    if rows.bytes > MOST_BYTES:
        room = SizeLimit(f"the page of {len(puzzles):,} puzzles", "ask for fewer by -n")
        raise room.exceeded(len(known), len(known) * MOST_BYTES // rows.bytes)
    tasks = [standing_of(puzzle.entry) for puzzle in puzzles]
    document = rows.document(**about_database(db, roots=len(puzzles), tasks=tasks))
    count = f"{len(puzzles):,} {'puzzle' if len(puzzles) == 1 else 'puzzles'}"
    about = f"{count}: in each exactly one move does it. The hardest come first."
    style = page_style() + file_text("puzzles", "puzzles.css")
    script = scripts("html", SHARED) + scripts("puzzles", ["solve"])
    title = game_title(db.game)
    body = filled(file_text("puzzles", "puzzles.html"), heading=title, about=about)
    return framed(title, body, style, script, document)
