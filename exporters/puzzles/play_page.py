"""The page on which puzzles are solved by clicks: wrong moves are refuted, and right ones played on.

The board of the page and its clicks are those of the page of a game. Its rows have all moves of those
positions in which the solver chooses, and the best move of those that best play passes; no move of others.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from exporters.html.database_page import page_position, page_position_after
from exporters.html.page import about_database, file_text, filled, framed, page_style, scripts
from exporters.html.rows import MAX_BYTES, PageMove, PagePosition, PositionRows, SizeLimit
from solver.analysis.puzzles.puzzle import Puzzle
from solver.analysis.puzzles.wording import MAX_DIFFICULTY, difficulty_of, reason_for, task_of
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.wording import game_title
from solver.rules.asking import is_over

SHARED = ("data", "words", "elements", "marks", "clicks", "ground", "board")
"""The scripts of the page of a game that this one uses, in order of their imports."""

MAX_PLAYED = 20_000
"""The moves of all positions that are looked up for a page after those of its puzzles."""


def page(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The text of an HTML file that loads nothing; raises `PageTooLarge` for too many puzzles."""
    rows, play = PositionRows(db.game), PuzzlePlay(db, puzzles)
    known = play.positions
    rows.part(list(known.values()))
    if rows.bytes > MAX_BYTES:
        room = SizeLimit(f"the page of {len(puzzles):,} puzzles", "ask for fewer by -n")
        raise room.exceeded(len(known), len(known) * MAX_BYTES // rows.bytes)
    tasks = [[task_of(db, each.entry), difficulty_of(each), reason_for(db, each)] for each in puzzles]
    choices = [number for number, text in enumerate(known) if text in play.choices]
    about = about_database(db, roots=len(puzzles), tasks=tasks, hardest=MAX_DIFFICULTY, choices=choices)
    count = f"{len(puzzles):,} {'puzzle' if len(puzzles) == 1 else 'puzzles'}"
    said = f"{count}: in each exactly one move does it. The hardest come first."
    style = page_style() + file_text("puzzles", "puzzles.css")
    script = scripts("html", SHARED) + scripts("puzzles", ["solve"])
    title = game_title(db.game)
    body = filled(file_text("puzzles", "puzzles.html"), db.game, heading=title, about=said)
    return framed(title, body, style, script, rows.document(**about))


class PuzzlePlay:
    """The positions of a page of puzzles, those of the puzzles first."""

    def __init__(self, db: Database, puzzles: Sequence[Puzzle]) -> None:
        """Look up what follows each puzzle, for which it has an equal share of the room."""
        self._db = db
        self.positions = {each.entry.position: page_position(db, each.entry) for each in puzzles}
        self.choices = set[str]()
        """Those with all of their moves."""
        self._room = 0
        for puzzle in puzzles:
            self._tell(puzzle.entry, puzzle.entry.moves_by_action)
        for puzzle in puzzles:
            self._room = MAX_PLAYED // len(puzzles)
            self._add(puzzle)

    def _add(self, puzzle: Puzzle) -> None:
        """Add best play after wrong moves, then all play after the answer that keeps the value.

        The line of best play comes first. And last best play after moves that throw the value away later.
        """
        for move in puzzle.entry.moves_by_action:
            if move is not puzzle.answer:
                self._follow(move.position)
        waiting, met, wrong = deque([puzzle.answer.position]), set[str](), list[str]()
        solver = self.positions[puzzle.entry.position].mover
        while waiting and self._room > 0:
            text = self._follow(waiting.popleft(), solver)
            here = self.positions[text]
            if text in met or here.links == () or here.mover != solver:
                continue
            met.add(text)
            self._room -= 1
            if text not in self.choices:
                entry = self._db[text]
                self._tell(entry, entry.moves_by_action)
            links = self.positions[text].links or ()
            kept = [link for link in links if self.positions[link.position].value == puzzle.entry.value]
            wrong += [link.position for link in links if link not in kept]
            waiting.extend(link.position for link in kept)
            waiting.appendleft(next(link.position for link in kept if link.best))
        for text in wrong:
            self._follow(text)

    def _follow(self, text: str, until: int | None = None) -> str:
        """Add best play from a position to the end, to one that was met, or to a move of player `until`.

        The position in which it stops.
        """
        met = set[str]()
        while text not in met and self._room > 0:
            met.add(text)
            if self.positions[text].mover == until or self.positions[text].links == ():
                break
            if self.positions[text].links is None:
                entry = self._db[text]
                self._tell(entry, [move for move in entry.moves if move.move == entry.best_move])
            text = next(link.position for link in self.positions[text].links or () if link.best)
        return text

    def _tell(self, entry: Entry, moves: Sequence[Move]) -> None:
        """Add some moves of a position, or all."""
        self._room -= len(entry.moves_by_action)
        links = [PageMove(move.move, move.position, move.best) for move in moves]
        self.positions[entry.position] = replace(page_position(self._db, entry), links=links)
        if len(moves) == len(entry.moves_by_action):
            self.choices.add(entry.position)
        for move in moves:
            if move.position not in self.positions:
                self.positions[move.position] = self._after(move)

    def _after(self, move: Move) -> PagePosition:
        """The position after a move, which has no moves if the game is over there."""
        known = page_position_after(self._db.game, move)
        return replace(known, plies=0, links=()) if is_over(self._db.game, known.state) else known
