"""Lines of play in a solved game: lists of moves that a person types, and best play to the end."""

from collections.abc import Iterable
from typing import NamedTuple

from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.errors import UnreadablePosition, UsageError, cut, shown

MAX_LISTED = 2_000
"""The most characters of the list of legal moves in an error message."""


class BestLine(NamedTuple):
    """Best play from a position: the first of the best moves in each position."""

    position: str
    """The position in which the line begins."""
    moves: tuple[Move, ...]
    """The moves in order."""
    end: Entry
    """The position after the last move: terminal, a repetition, or at the limit of plies."""


def best_line(db: Database, position: str, at_most: int | None = None) -> BestLine:
    """Best play from a position to the end, until a position repeats, or for `at_most` plies.

    Raises as a lookup.
    """
    entry, moves = db[position], list[Move]()
    begins, seen = entry.position, {entry.position}
    while not entry.is_terminal and (at_most is None or len(moves) < at_most):
        moves.append(next(move for move in entry.moves if move.move == entry.best_move))
        entry = db[moves[-1].position]
        if entry.position in seen:
            break
        seen.add(entry.position)
    return BestLine(begins, tuple(moves), entry)


def position_asked(db: Database, position: str | None, moves: str | None) -> str:
    """The position that is given as text or by the moves from the start; the start if neither is given.

    Raises `UsageError` if both are given, and as `moves_read` does.
    """
    if position is not None and moves is not None:
        raise UsageError("give a position or the moves that lead to it, not both")
    if moves is not None:
        return moves_read(db, moves)[-1].position if moves.strip() else db.start
    return db.start if position is None else position


def moves_read(db: Database, moves: str, start: str | None = None) -> list[Move]:
    """The moves that a text lists, separated by commas, from a position or the start of the file.

    Raises `UnreadablePosition` for a move that is not legal there.
    """
    entry, rest, line = db[db.start if start is None else start], moves.strip(), list[Move]()
    while rest:
        line.append(_first_of(entry, rest, len(line) + 1))
        rest = rest[len(str(line[-1].move)) :].lstrip().removeprefix(",").lstrip()
        entry = db[line[-1].position]
    return line


def _first_of(entry: Entry, moves: str, ply: int) -> Move:
    """The first move of a list: the legal move with the longest matching name, which may have commas."""
    legal = sorted(entry.moves, key=lambda move: -len(str(move.move)))
    for move in legal:
        name = str(move.move)
        if moves.startswith(name) and moves[len(name) :].lstrip()[:1] in ("", ","):
            return move
    names, asked = [move.move for move in entry.moves_by_action], moves.partition(",")[0].strip()
    hint = "; commas separate moves" if " " in asked else ""
    raise UnreadablePosition(f"{not_legal(ply, asked, entry.position, names)}{hint}")


def not_legal(ply: int, move: str | int, position: str, names: Iterable[str | int]) -> str:
    """The message for an illegal move in a position with legal moves of these names."""
    listed = cut(", ".join(map(str, names)), MAX_LISTED) or "none: the game is over"
    return f"ply {ply}: {shown(move)} is no move in {position!r}; the moves are {listed}"
