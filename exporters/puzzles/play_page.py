"""The page on which puzzles are solved by clicks: wrong moves are refuted, and right ones played on.

The board of the page and its clicks are those of the page of a game. Its rows have all moves of those
positions in which the solver chooses, and the best move of those that best play passes; no move of others.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from exporters.html.database_page import page_position, page_position_after
from exporters.html.page import about_database, board_page
from exporters.html.rows import PageMove, PagePosition, PositionRows, SizeLimit
from solver.analysis.puzzles.puzzle import Puzzle
from solver.analysis.puzzles.wording import MAX_DIFFICULTY, difficulty_of, reason_for, task_of
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.system.words import number_of

MAX_PLAYED = 20_000
"""The moves of all positions that are looked up for a page after those of its puzzles."""


def page(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The text of an HTML file that loads nothing; raises `PageTooLarge` for too many puzzles."""
    rows, play = PositionRows(db.game), PuzzlePlay(db, puzzles)
    known = play.positions
    room = SizeLimit(f"the page of {len(puzzles):,} puzzles", "ask for fewer by -n")
    rows.part(list(known.values()), room)
    tasks = [[task_of(db, one.entry), difficulty_of(one), reason_for(db, one)] for one in puzzles]
    choices = [number for number, text in enumerate(known) if text in play.choices]
    about = about_database(db, roots=len(puzzles), tasks=tasks, hardest=MAX_DIFFICULTY, choices=choices)
    count = number_of(len(puzzles), "puzzle")
    intro = f"{count}: in each exactly one move does it. The hardest come first."
    return board_page(db, "puzzles", ["puzzles"], intro, rows.document(**about))


class PuzzlePlay:
    """The positions of a page of puzzles, those of the puzzles first."""

    def __init__(self, db: Database, puzzles: Sequence[Puzzle]) -> None:
        """Look up what follows each puzzle, as far as there is room: first best play after every answer.

        Then best play after wrong moves, and last all other play after answers; puzzles take turns at these.
        """
        self._db = db
        self.positions = {one.entry.position: page_position(db, one.entry) for one in puzzles}
        self.choices = {*self.positions}
        """Those with all of their moves."""
        self._room = 0
        for puzzle in puzzles:
            self._tell(puzzle.entry, puzzle.entry.moves_by_action)
        self._room = MAX_PLAYED
        refuted, played = [*map(self._refute, puzzles)], [*map(self._play_on, puzzles)]
        for lines in played:
            next(lines, None)
        deque(zip_longest(*refuted), maxlen=0)
        deque(zip_longest(*played), maxlen=0)

    def _refute(self, puzzle: Puzzle) -> Iterator[str]:
        """Add best play after wrong moves, line by line; the position in which each stops."""
        for move in puzzle.entry.moves_by_action:
            if move is not puzzle.answer:
                yield self._follow(move.position)

    def _play_on(self, puzzle: Puzzle) -> Iterator[str]:
        """Add all play after the answer that keeps the value, line by line, that of best play first.

        And last best play after moves that throw the value away later. The position in which each line stops.
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
            self._tell(entry, entry.moves_by_action)
            self.choices.add(text)
            for move in entry.moves_by_action:
                (waiting if move.value == entry.value else wrong).append(move.position)
            waiting.appendleft(next(move.position for move in entry.moves_by_action if move.best))
        for text in wrong:
            yield self._follow(text)

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
        for move in moves:
            if move.position not in self.positions:
                self.positions[move.position] = self._after(move)

    def _after(self, move: Move) -> PagePosition:
        """The position after a move, which has no moves if the game is over there."""
        known = page_position_after(self._db.game, move)
        return replace(known, links=()) if known.plies == 0 else known
