"""Lines of play in a solved game: moves as a person lists them, and best play to the end."""

from collections.abc import Iterable
from typing import NamedTuple

from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.errors import UnreadablePosition, UsageError, cut, shown

MAX_LISTED = 2_000
"""Characters of the list of moves in a refusal."""


class BestLine(NamedTuple):
    """Best play from a position, by the first of the best moves in each."""

    position: str
    """The position from which it begins."""
    moves: tuple[Move, ...]
    """The moves, the first one first."""
    end: Entry
    """The position after the last one: the end, one that occurred before, or the last one asked for."""


def best_line(db: Database, position: str, at_most: int | None = None) -> BestLine:
    """Best play from a position to the end, or until a position repeats, or for so many plies.

    Raises as a lookup.
    """
    entry, moves = db[position], list[Move]()
    begins, met = entry.position, {entry.position}
    while not entry.is_terminal and (at_most is None or len(moves) < at_most):
        moves.append(next(move for move in entry.moves if move.move == entry.best_move))
        entry = db[moves[-1].position]
        if entry.position in met:
            break
        met.add(entry.position)
    return BestLine(begins, tuple(moves), entry)


def position_asked(db: Database, position: str | None, moves: str | None) -> str:
    """The position that a text or the moves from the start give; without either it is the start.

    Raises `UsageError` for both, and as `moves_read`.
    """
    if position is not None and moves is not None:
        raise UsageError("give a position or the moves that lead to it, not both")
    if moves is not None:
        return moves_read(db, moves)[-1].position if moves.strip() else db.start
    return db.start if position is None else position


def moves_read(db: Database, moves: str, start: str | None = None) -> list[Move]:
    """The moves from a position, or the start of the file, that a text names, separated by commas.

    Raises `UnreadablePosition` for a move that is not legal there.
    """
    entry, rest, line = db[db.start if start is None else start], moves.strip(), list[Move]()
    while rest:
        line.append(_first_of(entry, rest, len(line) + 1))
        rest = rest[len(str(line[-1].move)) :].lstrip().removeprefix(",").lstrip()
        entry = db[line[-1].position]
    return line


def _first_of(entry: Entry, moves: str, ply: int) -> Move:
    """The move with which a list of moves begins: that of the longest name, which may have commas."""
    legal = sorted(entry.moves, key=lambda move: -len(str(move.move)))
    for move in legal:
        name = str(move.move)
        if moves.startswith(name) and moves[len(name) :].lstrip()[:1] in ("", ","):
            return move
    names = [move.move for move in entry.moves_by_action]
    raise UnreadablePosition(not_legal(ply, moves.partition(",")[0].strip(), entry.position, names))


def not_legal(ply: int, move: str | int, position: str, names: Iterable[str | int]) -> str:
    """The message for what is no move in a position, where the moves have these names."""
    listed = cut(", ".join(map(str, names)), MAX_LISTED) or "none: the game is over"
    return f"ply {ply}: {shown(move)} is no move in {position!r}; the moves are {listed}"
