"""Puzzles in words: the task, how difficult it is, and why the answer is the answer."""

from bisect import bisect_left

from solver.analysis.puzzles.puzzle import Puzzle
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.wording import plies
from solver.game import ENDLESS, sign_for

STEPS = (1, 3, 5, 9)
"""The greatest look-ahead, in plies, of each difficulty but the last."""

MAX_DIFFICULTY = len(STEPS) + 1

VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}


def difficulty_of(puzzle: Puzzle) -> int:
    """How difficult a puzzle is, from 1 to `MAX_DIFFICULTY`, by its look-ahead."""
    return bisect_left(STEPS, puzzle.difficulty.ahead) + 1


def task_of(db: Database, entry: Entry) -> str:
    """What whoever is to move has to do: "o to move and hold the draw", "x to move and win in 5 plies".

    A win by a margin has no plies: whoever errs may make play shorter or longer.
    """
    if entry.outcome == "draw":
        aim = f"force the draw in {_plies(entry)}" if _forces(db, entry) else "hold the draw"
    elif entry.margin is not None:
        aim = f"win by at least {entry.margin}"
    else:
        aim = f"win in {_plies(entry)}"
    return f"{entry.to_move} to move and {aim}"


def reason_for(db: Database, puzzle: Puzzle) -> str:
    """Why the answer is right: "b2 wins in 5 plies; every other move loses, at most in 7 plies"."""
    entry, answer = puzzle.entry, puzzle.answer
    others = [move for move in entry.moves if move is not answer]  # best first
    if entry.outcome == "win":
        does = f"{_verb(answer)} in {_plies(entry)}"
    else:
        does = f"forces the draw in {_plies(entry)}" if _forces(db, entry) else "holds the draw"
    which = "the other move" if len(others) == 1 else "every other move"
    less = _verb(others[0])
    if any(move.value != others[0].value for move in others):
        less += " at best"
    elif others[0].outcome == "loss" and all(move.remoteness is not None for move in others):
        longest = max(move.remoteness or 0 for move in others)
        less += f"{'' if len(others) == 1 else ', at most'} in {plies(longest)}"
    name = f"move {answer.move}" if str(answer.move).isdigit() else answer.move
    return f"{name} {does}; {which} {less}"


def _forces(db: Database, entry: Entry) -> bool:
    """Whether whoever is to move would lose by endless play."""
    return ENDLESS[db.endless] * sign_for(db.game.players.index(entry.to_move)) < 0


def _verb(move: Move) -> str:
    return VERBS[move.outcome] + (f" by {move.margin}" if move.margin else "")


def _plies(entry: Entry) -> str:
    return "endless play" if entry.remoteness is None else plies(entry.remoteness)
