"""Boards whose actions are named by the numbers of cells, which empty cells show and a person types."""

from collections.abc import Sequence

from solver.games.grid import drawn
from solver.games.planes import MarkedGrid

DIGITS = 9
"""The most cells that are named by one digit each, from 1."""


class NumberedGrid(MarkedGrid):
    """A marked grid whose actions are named by the numbers of cells."""

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the cells."""
        return self.by_row([str(cell) for cell in range(self.cells)])

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its number."""
        return self._drawn(state, first=0)

    def key(self, action: int) -> str:
        """The number of the cell, from 1 on a board of up to 9 cells: one key of a keyboard each."""
        return str(action % self.cells + self._first_key)

    def show_keys(self, state: int) -> str:
        """The board in lines; an empty cell shows the key that takes it."""
        return self._drawn(state, first=self._first_key)

    def _drawn(self, state: int, first: int) -> str:
        """The board in lines; an empty cell shows its number, counted from `first`."""
        marks = enumerate(self.marks(state), start=first)
        return drawn([mark or str(number) for number, mark in marks], self.columns)

    @property
    def _first_key(self) -> int:
        return 1 if self.cells <= DIGITS else 0
