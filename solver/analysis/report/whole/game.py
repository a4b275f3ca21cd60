"""A whole game in memory: every position of a file and every move, as arrays of indices.

    index        0     1     2     3        over      no   no   yes  yes
    cuts         0     2     3     3   3    the moves of 0 are 0 and 1, that of 1 is 2
    children     1     2     3              they lead to 1, 2 and 3

A readable file is always read as a whole, a packed one if it has few states.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from solver.analysis.report.choices import Choices, best_moves, best_reply
from solver.analysis.report.sampled.moves import PackedMoves
from solver.database import Database
from solver.database.packed.batch_probe import keys_of
from solver.database.packed.reader import PackedDatabase
from solver.database.readable.arrays import arrays_of
from solver.database.readable.reader import ReadableDatabase
from solver.game import ENDLESS
from solver.rules.arrays import Flags, Keys
from solver.system.progress import Progress


@dataclass(frozen=True)
class WholeGame:
    """All positions and moves of a file; -1 stands for no number."""

    keys: Keys
    """The state, or the id, of each position."""
    plies: Keys
    movers: Keys
    values: Keys
    remoteness: Keys
    over: Flags
    cuts: Keys
    """The index of the first move of each position, and the number of moves."""
    children: Keys
    """For each move the index of the position after it."""

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.keys)

    @cached_property
    def parents(self) -> Keys:
        """For each move the index of the position before it."""
        return np.repeat(np.arange(len(self)), np.diff(self.cuts))

    @cached_property
    def can_end(self) -> Flags:
        """The positions from which some play comes to an end."""
        found = self.over
        while True:
            more = found.copy()
            more[self.parents[found[self.children]]] = True
            if (more == found).all():
                return found
            found = more

    def place_of(self, key: int) -> int:
        """The index of a state, or of an id, that is in the file."""
        return int(np.flatnonzero(self.keys == key)[0])

    def best_play(self, endless: str) -> "WholeGame":
        """The game with best moves alone; `endless` is who gets endless play."""
        best = best_moves(
            self.values[self.parents],
            self.remoteness[self.parents],
            self.values[self.children],
            self.remoteness[self.children],
            ENDLESS[endless],
        )
        numbers = np.bincount(self.parents[best], minlength=len(self))
        return replace(self, cuts=np.concatenate([[0], np.cumsum(numbers)]), children=self.children[best])

    def choices(self) -> Choices:
        """The choices in all positions in which play goes on."""
        going_on = np.flatnonzero(~self.over)
        numbers = np.cumsum(~self.over) - 1
        parents, ended = numbers[self.parents], self.over[self.children]
        ends = np.where(ended, self.values[self.children], 0)
        replies = np.zeros(len(self), np.int64)
        replies[going_on] = best_reply(len(going_on), parents, self.movers[going_on], ends)
        rows = self.remoteness if (self.plies < 0).any() else self.plies
        return Choices(
            self.keys[going_on],
            rows[going_on],
            np.full(len(going_on), True),
            self.movers[going_on],
            self.values[going_on],
            parents,
            self.values[self.children],
            ends,
            np.where(ended, ends, replies[self.children]),
        )


def whole_game(db: Database, *, progress: Progress) -> WholeGame:
    """All positions and moves of a file; raises `DamagedFile` where they do not fit together."""
    if isinstance(db, ReadableDatabase):
        return WholeGame(*arrays_of(db, progress=progress))
    assert isinstance(db, PackedDatabase)
    batches, code = list(db.states()), db.label_code
    keys, over = (np.concatenate([each[at] for each in batches]) for at in (1, 2))
    plies = [(len(each.keys), code.ply_of(each.stage)) for each in batches]
    columns = (
        np.concatenate([np.full(size, -1 if ply is None else ply) for size, ply in plies]),
        np.concatenate([db.movers(each) for each in batches]),
        np.concatenate([code.values(each.labels) for each in batches]),
        np.concatenate([db.remoteness(each) for each in batches]),
    )
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
    return WholeGame(
        keys, *columns, over, np.concatenate([[0], np.cumsum(numbers)]), np.concatenate(children)
    )
