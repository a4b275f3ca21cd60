"""A solved game in memory: every position of a file and every move, as arrays of indices.

index        0     1     2     3        over      no   no   yes  yes
cuts         0     2     3     3   3    the moves of 0 are 0 and 1, that of 1 is 2
children     1     2     3              they lead to 1, 2 and 3
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from solver.database.columns import Batch, joined
from solver.rules.arrays import Flags, Keys

if TYPE_CHECKING:
    from solver.database.interface import Database

COLUMNS = ("ply", "to_move", "value", "remoteness", "is_terminal")
"""The columns of which a whole game is made."""


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

    @classmethod
    def columns_of(cls, db: "Database") -> Iterator[Batch]:
        """The columns of all positions that `made` takes."""
        return db.columns(COLUMNS)

    @classmethod
    def made(cls, keys: Keys, columns: Iterable[Batch], numbers: Keys, children: Keys) -> "WholeGame":
        """The game of positions with these columns and numbers of moves, and the indices of all children."""
        plies, movers, values, remoteness, over = joined(columns, COLUMNS)
        return cls(
            keys=keys,
            plies=plies.astype(np.int64),
            movers=movers.astype(np.int64),
            values=values,
            remoteness=remoteness.astype(np.int64),
            over=over,
            cuts=np.concatenate([[0], np.cumsum(numbers)]),
            children=children,
        )

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
        return leading_to(self.parents, self.children, self.over)

    def place_of(self, key: int) -> int:
        """The index of a state, or of an id, that is in the file."""
        return int(np.flatnonzero(self.keys == key)[0])


def leading_to(parents: Keys, children: Keys, goal: Flags) -> Flags:
    """The positions from which some play comes to a goal, by moves from `parents` to `children`."""
    found = goal
    while True:
        more = found.copy()
        more[parents[found[children]]] = True
        if (more == found).all():
            return found
        found = more
