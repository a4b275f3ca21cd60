"""The hardest puzzles so far, as rows of numbers, and what is no longer hard enough to be among them."""

import numpy as np

from solver.rules.arrays import Flags, Keys


class Hardest:
    """The hardest puzzles so far, the hardest first, one of each class."""

    def __init__(self, count: int) -> None:
        """Keep no more than `count`."""
        self._count = count
        self._rows = np.zeros((0, 5), np.int64)
        """For each its look-ahead, moves, quiet replies, class and state."""

    @property
    def states(self) -> list[int]:
        """The states, those of the hardest first."""
        found: list[int] = self._rows[:, 4].tolist()
        return found

    @property
    def bar(self) -> tuple[int, int]:
        """The least look-ahead, and the least number of moves for it, that still matter."""
        if len(self._rows) < self._count:
            return 0, 0
        ahead, moves = self._rows[-1, :2].tolist()
        return ahead, moves

    def admits(self, ahead: Keys, moves: Keys) -> Flags:
        """Whether puzzles of such look-aheads and moves may be among the hardest."""
        least, fewest = self.bar
        hard: Flags = (ahead > least) | ((ahead == least) & (moves >= fewest))
        return hard

    def add(self, rows: Keys) -> None:
        """Add puzzles, in rows as they are kept."""
        joint = np.concatenate([self._rows, rows])
        ahead, moves, replies, kinds, states = joint.T
        joint = joint[np.lexsort((states, states != kinds, kinds, -replies, -moves, -ahead))]
        first = np.ones(len(joint), np.bool_)
        first[1:] = (
            joint[1:, 3] != joint[:-1, 3]
        )  # symmetric puzzles are equally hard, so they are neighbours
        self._rows = joint[first][: self._count]
