"""Puzzles as JSON and as a table."""

from collections.abc import Sequence
from typing import Any

from solver.analysis.puzzles.puzzle import NEVER, Puzzle, Wanted
from solver.analysis.puzzles.wording import difficulty_of, reason_for, task_of
from solver.database import Database
from solver.database.lines import best_line
from solver.database.wording import aligned, cell, game_title, labels_as_dict

HEADINGS = ("", "position", "task", "difficulty", "plies ahead", "moves", "quiet replies")


def as_dict(db: Database, puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """The puzzles as `puzzles --json` prints them."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "title": game_title(db.game),
        "puzzles": [
            {
                **labels_as_dict(puzzle.entry, "position", "to_move"),
                "task": task_of(db, puzzle.entry),
                "answer": puzzle.answer.move,
                "reason": reason_for(db, puzzle),
                "line": [move.move for move in (puzzle.answer, *best_line(db, puzzle.answer.position).moves)],
                "difficulty": difficulty_of(puzzle),
                "ahead": _ahead(puzzle),
                "moves": puzzle.difficulty.moves,
                "replies": puzzle.difficulty.replies,
            }
            for puzzle in puzzles
        ],
    }


def in_words(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The puzzles, of which there is at least one, as a table, and then their answers."""
    rows = [HEADINGS, *(_row(db, number, puzzle) for number, puzzle in enumerate(puzzles, start=1))]
    answers = [f"{number}. {reason_for(db, puzzle)}" for number, puzzle in enumerate(puzzles, start=1)]
    return "\n".join([*(line.rstrip() for line in aligned(rows)), "", *answers])


def none_of(db: Database, wanted: Wanted) -> str:
    """That a database has no puzzle that is wanted, in words that say what was looked for."""
    mover = "" if wanted.player is None else f" with {db.game.players[wanted.player]} to move"
    what = "" if wanted.outcome is None else f", a {wanted.outcome},"
    ends = dict.fromkeys((wanted.plies[0], wanted.plies[-1])) if wanted.plies else ()
    plies = f" of remoteness {' to '.join(map(str, ends))}" if ends else ""
    return f"There is no puzzle: in no position{mover}{what}{plies} does exactly one move keep the value"


def _row(db: Database, number: int, puzzle: Puzzle) -> tuple[str, ...]:
    _, moves, replies = puzzle.difficulty
    figures = (difficulty_of(puzzle), _ahead(puzzle), moves, replies)
    return str(number), puzzle.entry.position, task_of(db, puzzle.entry), *map(cell, figures)


def _ahead(puzzle: Puzzle) -> int | None:
    return None if puzzle.difficulty.ahead == NEVER else puzzle.difficulty.ahead
