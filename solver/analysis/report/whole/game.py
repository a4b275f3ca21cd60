"""The whole game of a file in memory, what there is to choose in it, and what of it is best play.

A readable file is always read as a whole, a packed one if it has few states.
"""

from dataclasses import replace

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.choices import Choices, best_moves, best_reply
from solver.database import Database
from solver.database.packed.batch_probe import keys_of
from solver.database.packed.reader import PackedDatabase
from solver.database.readable.arrays import arrays_of
from solver.database.readable.reader import ReadableDatabase
from solver.database.whole_game import WholeGame
from solver.game import ENDLESS
from solver.rules.arrays import Flags, Keys
from solver.system.progress import Progress


def best_play(game: WholeGame, endless: str) -> WholeGame:
    """The game with best moves alone; `endless` is who gets endless play."""
    best = best_moves(
        game.values[game.parents],
        game.remoteness[game.parents],
        game.values[game.children],
        game.remoteness[game.children],
        ENDLESS[endless],
    )
    numbers = np.bincount(game.parents[best], minlength=len(game))
    return replace(game, cuts=np.concatenate([[0], np.cumsum(numbers)]), children=game.children[best])


def choices(game: WholeGame) -> Choices:
    """The choices in all positions in which play goes on."""
    going_on = np.flatnonzero(~game.over)
    numbers = np.cumsum(~game.over) - 1
    parents, ended = numbers[game.parents], game.over[game.children]
    ends = np.where(ended, game.values[game.children], 0)
    replies = np.zeros(len(game), np.int64)
    replies[going_on] = best_reply(len(going_on), parents, game.movers[going_on], ends)
    rows = game.remoteness if (game.plies < 0).any() else game.plies
    return Choices(
        game.keys[going_on],
        rows[going_on],
        np.full(len(going_on), True),
        game.movers[going_on],
        game.values[going_on],
        parents,
        game.values[game.children],
        ends,
        np.where(ended, ends, replies[game.children]),
    )


def whole_game(db: Database, *, progress: Progress) -> WholeGame:
    """All positions and moves of a file; raises `DamagedFile` where they do not fit together."""
    if isinstance(db, ReadableDatabase):
        return arrays_of(db, progress=progress)
    assert isinstance(db, PackedDatabase)
    batches, code = list(db.states()), db.label_code
    keys, over = (np.concatenate([each[at] for each in batches]) for at in (1, 2))
    plies = [(len(each.keys), code.ply_of(each.stage)) for each in batches]
    numbers, children = _moves(db, keys, over, progress)
    return WholeGame(
        keys=keys,
        plies=np.concatenate([np.full(size, -1 if ply is None else ply) for size, ply in plies]),
        movers=np.concatenate([db.movers(each) for each in batches]),
        values=np.concatenate([code.values(each.labels) for each in batches]),
        remoteness=np.concatenate([db.remoteness(each) for each in batches]),
        over=over,
        cuts=np.concatenate([[0], np.cumsum(numbers)]),
        children=children,
    )


def _moves(db: PackedDatabase, keys: Keys, over: Flags, progress: Progress) -> tuple[Keys, Keys]:
    """The number of moves in each position of a packed file, and the indices of the positions after them."""
    going_on, order = np.flatnonzero(~over), np.argsort(keys)
    numbers, children = np.zeros(len(keys), np.int64), [keys[:0]]
    for parents, below in PackedMoves(db).every_move(keys[going_on]):
        stored = keys_of(db.prober, below)
        found = order[np.minimum(keys.searchsorted(stored, sorter=order), len(keys) - 1)]
        if (keys[found] != stored).any():
            raise db.damage("a move leads to a state that is not in it")
        numbers += np.bincount(going_on[parents], minlength=len(keys))
        children.append(found)
        progress("playing every move", int(parents[-1]), len(going_on))
    return numbers, np.concatenate(children)
