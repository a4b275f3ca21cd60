"""Many positions of a database whose rows are positions: they are looked up one after the other."""

from collections.abc import Sequence

import numpy as np

from solver.database.batch import BatchResult
from solver.database.entry import Entry
from solver.database.interface import Database
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.notation import write_action


def one_by_one(db: Database, positions: Sequence[str] | Keys, *, best: bool) -> BatchResult:
    """What is known of `positions`, texts or packed states; see `Database.lookup`."""
    asked = positions.tolist() if isinstance(positions, np.ndarray) else positions
    entries = [db.entry_of(db.asked_state(each)) for each in asked]
    moves = _moves(db, entries) if best else ()
    chosen = [{move.move for move in entry.moves if move.best} for entry in entries]
    flags = [[move in each for move in moves] for each in chosen]
    remoteness = [-1 if entry.remoteness is None else entry.remoteness for entry in entries]
    return BatchResult(
        np.array([entry.value for entry in entries], np.int64),
        np.array(remoteness, np.int64),
        moves,
        np.array(flags, np.bool_).reshape(len(entries), len(moves)),
    )


def _moves(db: Database, entries: Sequence[Entry]) -> tuple[str | int, ...]:
    """The names of all actions by number; where they are no numbers, those of the moves that there are."""
    if isinstance(db.game, PackedGame):
        return tuple(write_action(db.game, action) for action in range(db.game.action_count))
    return tuple(dict.fromkeys(move.move for entry in entries for move in entry.moves))
