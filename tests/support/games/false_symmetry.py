"""Tic-tac-toe whose rules claim a symmetry that there is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.game import Symmetry
from solver.games.mnk import TicTacToe


@dataclass(frozen=True)
class Crooked(TicTacToe):
    """The corner and the edge beside it are said to be alike."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The exchange of the first two cells."""
        moved = (1, 0, *range(2, 9))
        return [Symmetry(lambda state: self._exchanged(state), moved.__getitem__)]

    def canonical(self, state: int) -> int:
        """The lesser of the two."""
        return min(state, self._exchanged(state))

    def _exchanged(self, state: int) -> int:
        cells, *side = self.position(state).split()
        players = (*side, "xo"[state & 1])[:1]
        return self.parse(f"{cells[1]}{cells[0]}{cells[2:]} {players[0]}")
