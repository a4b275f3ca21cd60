"""The page on which puzzles are solved by clicks: wrong moves are refuted, and after right ones play goes on.

The board and its clicks are those of the page of a game. The rows have all moves of positions in which the
solver chooses, the best move of positions on lines of best play, and no moves of other positions.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from exporters.html.database_page import page_position, page_position_after
from exporters.html.page import about_database, board_page
from exporters.html.rows import PageMove, PositionRows, SizeLimit
from solver.analysis.puzzles.puzzle import Puzzle
from solver.analysis.puzzles.wording import MAX_DIFFICULTY, difficulty_of, reason_for, task_of
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.system.words import number_of

MAX_PLAYED = 20_000
"""The most moves of all positions that are looked up for a page, beyond the puzzles themselves."""


def page(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The text of a self-contained HTML file; raises `PageTooLarge` for too many puzzles."""
    rows, play = PositionRows(db.game), PuzzlePlay(db, puzzles)
    room = SizeLimit(f"the page of {number_of(len(puzzles), 'puzzle')}", "ask for fewer by -n")
    rows.part(list(play.positions.values()), room)
    tasks = [[task_of(db, one.entry), difficulty_of(one), reason_for(db, one)] for one in puzzles]
    choices = [number for number, text in enumerate(play.positions) if text in play.choices]
    about = about_database(db, roots=len(puzzles), tasks=tasks, hardest=MAX_DIFFICULTY, choices=choices)
    count = number_of(len(puzzles), "puzzle")
    intro = f"{count}, each with exactly one solution. The hardest come first."
    return board_page(db, "puzzles", ["puzzles"], intro, rows.document(**about))


class PuzzlePlay:
    """The positions of a page of puzzles, the puzzles first."""

    def __init__(self, db: Database, puzzles: Sequence[Puzzle]) -> None:
        """Look up play after the puzzles, as far as there is room: first best play after every answer.

        Then follow, in turns between the puzzles, best play after wrong moves, and other play after answers.
        """
        self._db = db
        self.positions = {one.entry.position: page_position(db, one.entry) for one in puzzles}
        self.choices = {*self.positions}
        """The positions whose moves are all listed."""
        self._room = 0
        for puzzle in puzzles:
            self._add(puzzle.entry, puzzle.entry.moves_by_action)
        self._room = MAX_PLAYED
        refuted, played = [*map(self._refute, puzzles)], [*map(self._play_on, puzzles)]
        for lines in played:
            next(lines, None)
        deque(zip_longest(*refuted), maxlen=0)
        deque(zip_longest(*played), maxlen=0)

    def _refute(self, puzzle: Puzzle) -> Iterator[str]:
        """Add best play after wrong moves, and yield the last position of each line."""
        for move in puzzle.entry.moves_by_action:
            if move is not puzzle.answer:
                yield self._follow(move.position)

    def _play_on(self, puzzle: Puzzle) -> Iterator[str]:
        """Add all play after the answer that keeps the value, best play first, and yield each last position.

        At the end, add best play after later moves that lose value.
        """
        waiting, wrong = deque([puzzle.answer.position]), list[str]()
        solver = self.positions[puzzle.entry.position].mover
        while waiting and self._room > 0:
            text = self._follow(waiting.popleft(), solver)
            here = self.positions[text]
            if text in self.choices or here.links == () or here.mover != solver:
                yield text
                continue
            entry = self._db[text]
            self._add(entry, entry.moves_by_action)
            self.choices.add(text)
            for move in entry.moves_by_action:
                (waiting if move.value == entry.value else wrong).append(move.position)
            waiting.appendleft(next(move.position for move in entry.moves_by_action if move.best))
        for text in wrong:
            yield self._follow(text)

    def _follow(self, text: str, until: int | None = None) -> str:
        """Add best play from a position to the end, a repetition, or the turn of player `until`.

        Returns the last position.
        """
        met = set[str]()
        while text not in met and self._room > 0:
            met.add(text)
            if self.positions[text].mover == until or self.positions[text].links == ():
                break
            if self.positions[text].links is None:
                entry = self._db[text]
                self._add(entry, [move for move in entry.moves if move.move == entry.best_move])
            text = next(link.position for link in self.positions[text].links or () if link.best)
        return text

    def _add(self, entry: Entry, moves: Sequence[Move]) -> None:
        """Add a position with `moves`, some or all of its moves."""
        self._room -= len(entry.moves_by_action)
        links = [PageMove(move.move, move.position, move.best) for move in moves]
        self.positions[entry.position] = replace(page_position(self._db, entry), links=links)
        for move in moves:
            if move.position not in self.positions:
                after = page_position_after(self._db.game, move)
                self.positions[move.position] = replace(after, links=() if after.plies == 0 else None)
