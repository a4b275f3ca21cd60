"""Puzzles in words and as JSON: their tasks, difficulties, answers and reasons."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from solver.analysis.puzzles.puzzle import NEVER, Puzzle, Wanted
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.lines import best_line
from solver.database.wording import aligned, cell, game_title, labels_as_dict, plies
from solver.game import sign_for

HEADINGS: tuple[str, ...] = ("", "position", "task", "difficulty", "plies ahead", "moves", "quiet replies")

STEPS = (1, 3, 5, 9)
"""The greatest look-ahead, in plies, of each difficulty but the greatest."""

MAX_DIFFICULTY = len(STEPS) + 1

VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}


def difficulty_of(puzzle: Puzzle) -> int:
    """The difficulty of a puzzle, from 1 to `MAX_DIFFICULTY`, by its look-ahead."""
    return bisect_left(STEPS, puzzle.difficulty.ahead) + 1


def task_of(db: Database, entry: Entry) -> str:
    """The task of the player to move: "o to move and hold the draw", "x to move and win in 5 plies".

    A win by a margin has no plies, as errors may make play shorter or longer.
    """
    if entry.outcome == "draw":
        aim = f"force the draw in {_plies(entry)}" if _forces(db, entry) else "hold the draw"
    elif entry.margin is not None:
        aim = f"win by at least {entry.margin}"
    else:
        aim = f"win in {_plies(entry)}"
    return f"{entry.to_move} to move and {aim}"


def reason_for(db: Database, puzzle: Puzzle) -> str:
    """The reason for the answer: "b2 wins in 5 plies; every other move loses, at most in 7 plies"."""
    entry, answer = puzzle.entry, puzzle.answer
    others = [move for move in entry.moves if move is not answer]  # best first
    if entry.outcome == "win":
        result = f"{_verb(answer)} in {_plies(entry)}"
    else:
        result = f"forces the draw in {_plies(entry)}" if _forces(db, entry) else "holds the draw"
    rest = "the other move" if len(others) == 1 else "every other move"
    rest_result = _verb(others[0])
    if any(move.value != others[0].value for move in others):
        rest_result += " at best"
    elif others[0].outcome == "loss" and all(move.remoteness is not None for move in others):
        longest = max(move.remoteness or 0 for move in others)
        rest_result += f"{'' if len(others) == 1 else ', at most'} in {plies(longest)}"
    name = f"move {answer.move}" if str(answer.move).isdigit() else answer.move
    return f"{name} {result}; {rest} {rest_result}"


def _forces(db: Database, entry: Entry) -> bool:
    """Whether the player to move would lose by endless play."""
    return db.endless_value * sign_for(db.game.players.index(entry.to_move)) < 0


def _verb(move: Move) -> str:
    return VERBS[move.outcome] + (f" by {move.margin}" if move.margin else "")


def _plies(entry: Entry) -> str:
    return "endless play" if entry.remoteness is None else plies(entry.remoteness)


def as_dict(db: Database, puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """The puzzles in the form printed by `puzzles --json`."""
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
                "line": [move.move for move in best_line(db, puzzle.entry.position).moves],
                "difficulty": difficulty_of(puzzle),
                "ahead": _ahead(puzzle),
                "moves": puzzle.difficulty.moves,
                "replies": puzzle.difficulty.replies,
            }
            for puzzle in puzzles
        ],
    }


def in_words(db: Database, puzzles: Sequence[Puzzle]) -> str:
    """The puzzles, at least one, as a table followed by the answers."""
    rows, answers = [HEADINGS], list[str]()
    for number, puzzle in enumerate(puzzles, start=1):
        _, moves, replies = puzzle.difficulty
        figures = map(cell, (difficulty_of(puzzle), _ahead(puzzle), moves, replies))
        rows.append((str(number), puzzle.entry.position, task_of(db, puzzle.entry), *figures))
        answers.append(f"{number}. {reason_for(db, puzzle)}")
    return "\n".join([*(line.rstrip() for line in aligned(rows)), "", *answers])


def none_of(db: Database, wanted: Wanted) -> str:
    """The message that there is no puzzle of the selection `wanted`."""
    mover = "" if wanted.player is None else f" with {db.game.players[wanted.player]} to move"
    outcome = "" if wanted.outcome is None else f" that is a {wanted.outcome}"
    ends = dict.fromkeys((wanted.plies[0], wanted.plies[-1])) if wanted.plies else ()
    remoteness = f" of remoteness {' to '.join(map(str, ends))}" if ends else ""
    return (
        f"There is no puzzle: in no position{mover}{outcome}{remoteness} does exactly one move keep the value"
    )


def _ahead(puzzle: Puzzle) -> int | None:
    return None if puzzle.difficulty.ahead == NEVER else puzzle.difficulty.ahead
