"""Puzzles as JSON and as a table."""

from collections.abc import Sequence
from typing import Any

from solver.analysis.puzzles.puzzle import NEVER, Puzzle, Wanted
from solver.database import Database
from solver.database.wording import MAX_COLUMN_WIDTH, game_title, result_of

HEADINGS = ("", "position", "to move", "find", "plies ahead", "moves", "quiet replies", "answer")


def as_dict(db: Database, puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """The puzzles as `puzzles --json` prints them."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "title": game_title(db.game),
        "puzzles": [
            {
                "position": puzzle.entry.position,
                "to_move": puzzle.entry.to_move,
                "value": puzzle.entry.value,
                "outcome": puzzle.entry.outcome,
                "remoteness": puzzle.entry.remoteness,
                "answer": puzzle.answer.move,
                "ahead": _ahead(puzzle),
                "moves": puzzle.difficulty.moves,
                "replies": puzzle.difficulty.replies,
            }
            for puzzle in puzzles
        ],
    }


def in_words(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The puzzles, of which there is at least one, as a table with their answers."""
    rows = [HEADINGS, *(_row(number, puzzle) for number, puzzle in enumerate(puzzles, start=1))]
    widths = [min(MAX_COLUMN_WIDTH, max(map(len, column))) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def none_of(db: Database, wanted: Wanted) -> str:
    """That a database has no puzzle that is wanted, in words that say what was looked for."""
    mover = "" if wanted.player is None else f" with {db.game.players[wanted.player]} to move"
    what = "" if wanted.outcome is None else f", a {wanted.outcome},"
    ends = dict.fromkeys((wanted.plies[0], wanted.plies[-1])) if wanted.plies else ()
    plies = f" of remoteness {' to '.join(map(str, ends))}" if ends else ""
    return f"There is no puzzle: in no position{mover}{what}{plies} does exactly one move keep the value"


def _row(number: int, puzzle: Puzzle) -> tuple[str, ...]:
    ahead, difficulty = _ahead(puzzle), puzzle.difficulty
    return (
        str(number),
        puzzle.entry.position,
        puzzle.entry.to_move,
        result_of(puzzle.entry),
        "-" if ahead is None else str(ahead),
        str(difficulty.moves),
        str(difficulty.replies),
        str(puzzle.answer.move),
    )


def _ahead(puzzle: Puzzle) -> int | None:
    """The look-ahead; None where no end is ever seen."""
    return None if puzzle.difficulty.ahead == NEVER else puzzle.difficulty.ahead
