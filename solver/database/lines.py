"""Lines of play in a solved game: the position after given moves, and best play to the end."""

from typing import NamedTuple

from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.errors import UnreadablePosition, UsageError


class BestLine(NamedTuple):
    """Best play from a position, by the first of the best moves in each."""

    position: str
    """The position from which it begins."""
    moves: tuple[Move, ...]
    """The moves, the first one first."""
    end: Entry
    """The position after the last one: the end of the game, or one that occurred before."""


def best_line(db: Database, position: str) -> BestLine:
    """Best play from a position to the end, or until a position repeats; raises as a lookup."""
    entry, moves = db[position], list[Move]()
    begins, met = entry.position, {entry.position}
    while not entry.is_terminal:
        moves.append(next(move for move in entry.moves if move.move == entry.best_move))
        entry = db[moves[-1].position]
        if entry.position in met:
            break
        met.add(entry.position)
    return BestLine(begins, tuple(moves), entry)


def position_asked(db: Database, position: str | None, moves: str | None) -> str:
    """The position that a text or moves from the start give, or the start; raises `UsageError` for both."""
    if position is not None and moves is not None:
        raise UsageError("give a position or the moves that lead to it, not both")
    if moves is not None:
        return position_after(db, moves)
    return db.start if position is None else position


def position_after(db: Database, moves: str) -> str:
    """The position after moves, named with commas; raises `UnreadablePosition` for one that is not legal."""
    entry, rest = db[db.start], moves.strip()
    while rest:
        move = _first_of(entry, rest)
        rest = rest[len(str(move.move)) :].lstrip().removeprefix(",").lstrip()
        entry = db[move.position]
    return entry.position


def _first_of(entry: Entry, moves: str) -> Move:
    """The move with which a list of moves begins: that of the longest name, which may have commas."""
    legal = sorted(entry.moves, key=lambda move: -len(str(move.move)))
    for move in legal:
        name = str(move.move)
        if moves.startswith(name) and moves[len(name) :].lstrip()[:1] in ("", ","):
            return move
    asked = moves.partition(",")[0].strip()
    names = ", ".join(str(move.move) for move in entry.moves_by_action) or "none: the game is over"
    raise UnreadablePosition(f"{asked!r} is no move in {entry.position!r}; the moves are {names}")
