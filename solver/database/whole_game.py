"""A solved game in memory: every position of a file and every move, as arrays of indices.

index        0     1     2     3        over      no   no   yes  yes
cuts         0     2     3     3   3    the moves of 0 are 0 and 1, that of 1 is 2
children     1     2     3              they lead to 1, 2 and 3
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.rules.arrays import Flags, Keys


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
