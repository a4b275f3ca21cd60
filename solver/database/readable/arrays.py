"""All positions and moves of a readable file as arrays, for those who ask about all of them at once."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from solver.database.readable.reader import ReadableDatabase
from solver.database.whole_game import WholeGame
from solver.rules.arrays import Flags, Keys
from solver.system.progress import Progress, no_progress

MOVES = "select position_id, child_id from moves not indexed order by position_id, rowid"
"""Of rows that were checked: an index may differ from them."""

ROWS_AT_ONCE = 1 << 14


def arrays_of(db: ReadableDatabase, *, progress: Progress = no_progress) -> WholeGame:
    """The arrays of a file, in the order of ids; raises `DamagedFile` where its rows do not fit together."""
    players = {name: player for player, name in enumerate(db.game.players)}
    parts: list[NDArray[np.int64]] = []
    rows, done = db.labelled("order by id"), 0
    while found := list(islice(rows, ROWS_AT_ONCE)):
        if strange := next((row.to_move for row in found if row.to_move not in players), None):
            raise db.damage(f"to_move: {strange[:80]!r}")
        columns = [
            [row.id for row in found],
            [-1 if row.ply is None else row.ply for row in found],
            [players[row.to_move] for row in found],
            [row.value for row in found],
            [-1 if row.remoteness is None else row.remoteness for row in found],
            [row.is_terminal for row in found],
        ]
        parts.append(np.array(columns, np.int64))
        done += len(found)
        progress("reading positions", done, db.number("states"))
    ids, plies, movers, values, remoteness, over = np.concatenate(
        [np.zeros((6, 0), np.int64), *parts], axis=1
    )
    if len(ids) != db.number("states"):
        raise db.damage(f"it has {len(ids):,} states, about says {db.number('states'):,}")
    cuts, children = _moves(db, ids, over != 0, progress)
    return WholeGame(
        keys=ids,
        plies=plies,
        movers=movers,
        values=values,
        remoteness=remoteness,
        over=over != 0,
        cuts=cuts,
        children=children,
    )


def _moves(db: ReadableDatabase, ids: Keys, over: Flags, progress: Progress) -> tuple[Keys, Keys]:
    """Returns where the moves of each position begin, and the indices of the positions after them."""
    pairs = np.fromiter(_pairs(db, progress), np.dtype((np.int64, 2)))
    places = ids.searchsorted(pairs)
    places[places == len(ids)] = 0
    if len(pairs) != db.number("moves") or (ids[places] != pairs).any():
        raise db.damage("its moves are not between its positions")
    numbers = np.bincount(places[:, 0], minlength=len(ids))
    if ((numbers == 0) != over).any():
        raise db.damage("there are positions without moves in which play is not over, or the other way round")
    return np.concatenate([[0], np.cumsum(numbers)]), places[:, 1]


def _pairs(db: ReadableDatabase, progress: Progress) -> Iterator[tuple[int, int]]:
    """The ids of the positions before and after each move, in the order of the positions."""
    for done, (before, after) in enumerate(db.stream(MOVES), start=1):
        if type(before) is not int or type(after) is not int:
            raise db.damage("a move leads from or to no position")
        yield before, after
        if done % ROWS_AT_ONCE == 0:
            progress("reading moves", done, db.number("moves"))
