"""What is known of many positions at once, as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Flags


@dataclass(frozen=True)
class BatchResult:
    """The labels of positions, in the order in which they were asked for."""

    value: NDArray[np.int64]
    """The minimax values, for the first player."""
    remoteness: NDArray[np.int64]
    """Plies to the end under best play; -1 where play need not end."""
    moves: tuple[str | int, ...]
    """The names of the moves that the columns of `best` stand for; none unless best moves were asked for."""
    best: Flags
    """Whether each move is one of the best: a row for each position, a column for each of `moves`."""

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.value)

    def best_moves(self, at: int) -> tuple[str | int, ...]:
        """The names of the best moves in a position, the first of them first; none where the game is over."""
        return tuple(self.moves[column] for column in np.flatnonzero(self.best[at]).tolist())
