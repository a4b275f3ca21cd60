"""Domineering: dominoes on a board, upright ones by the first player, level ones by the second.

A state is one integer: the side to move in the lowest bit (0 is vertical, 1 is horizontal), above it one bit
a cell, row by row, set when it is covered. Action number `cell` is an upright domino on it and the cell
below, number rows * columns + `cell` a level one on it and the cell to the right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.game import FILLED, Look, Symmetry
from solver.games.grid import (
    MOST_CELLS,
    by_row,
    drawn,
    mover_of_bits,
    refuse_outside,
    refuse_unpackable,
    turns,
    written,
)
from solver.games.sides import cells_and_side, last_mover_wins, with_side
from solver.packed import Packed, PackedGame


@dataclass(frozen=True)
class Domineering(PackedGame):
    """Put dominoes on a board, one side upright, one level; who cannot loses, or with `misere` wins.

    The move `v3` covers the cell 3 and the one below, `h3` the cell 3 and the one right of it.
    """

    rows: int = 3
    columns: int = 4
    misere: bool = False

    players = ("vertical", "horizontal")
    look = Look(glyphs={"#": FILLED})

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that is empty or does not fit into a packed state."""
        refuse_outside(1, MOST_CELLS, rows=self.rows, columns=self.columns)
        refuse_unpackable(self.rows, self.columns)

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Domineering on {self.rows} x {self.columns}{', misère' * self.misere}"

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @property
    def action_count(self) -> int:
        """Two actions per cell, some of which are never legal, at the edges."""
        return 2 * self.cells

    @property
    def initial(self) -> int:
        """The empty board, vertical to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """0 when vertical is to move, 1 when horizontal is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the domino is of the mover's kind and both cells are free."""
        level, cell = divmod(action, self.cells)
        return (state & 1 == level) & (self._free(state, level) >> cell & 1 == 1)

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the domino on it, the other side to move."""
        level, cell = divmod(action, self.cells)
        return (state ^ 1) + ((2 << cell) + (2 << (cell + self._step(level))))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether no domino of the mover's kind fits anywhere."""
        upright, level = self._free(state, 0) == 0, self._free(state, 1) == 0
        return (upright & (state & 1 == 0)) | (level & (state & 1 == 1))

    def utility(self, state: Packed) -> Packed:
        """1 when horizontal cannot move, -1 when vertical cannot; the reverse in misère play."""
        return last_mover_wins(state & 1, misere=self.misere)

    def action_name(self, action: int) -> str:
        """The kind of the domino and its first cell."""
        return f"{'vh'[action // self.cells]}{action % self.cells}"

    def position(self, state: int) -> str:
        """The rows, `#` a covered cell, and the side to move."""
        return with_side(written(self.board(state)), self.players, state & 1)

    def parse(self, text: str) -> int:
        """The state of a text such as `#../#../... horizontal`; without a side vertical is to move."""
        wanted = (
            f"{self.rows} rows of {self.columns} cells, # covered or . free, "
            "then vertical or horizontal: the side to move"
        )
        cells, side = cells_and_side(text, self.players, self.cells, "#", wanted)
        return (side or 0) + sum(2 << cell for cell, mark in enumerate(cells) if mark == "#")

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells: "#" for a covered one or ""."""
        return by_row(self._marks(state), self.columns)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the cells."""
        return by_row([str(cell) for cell in range(self.cells)], self.columns)

    def show(self, state: int) -> str:
        """The board in lines; a free cell shows its number."""
        texts = [mark or str(cell) for cell, mark in enumerate(self._marks(state))]
        return drawn(texts, self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections of the board and the half turn; a quarter turn would exchange the sides."""
        return tuple(self._symmetry(moved) for moved in turns(self.rows, self.columns, quarter=False))

    def _step(self, level: int) -> int:
        return 1 if level else self.columns

    def _free(self, state: Packed, level: int) -> Packed:
        """The cells, the lowest bit for cell 0, where a domino of the kind can have its first cell."""
        free = (state >> 1) ^ ((1 << self.cells) - 1)
        pairs = free & free >> self._step(level)
        return pairs & self._not_at_the_right if level else pairs

    @cached_property
    def _not_at_the_right(self) -> int:
        return sum(1 << cell for cell in range(self.cells) if (cell + 1) % self.columns)

    def _marks(self, state: int) -> list[str]:
        return ["#" if state >> (1 + cell) & 1 else "" for cell in range(self.cells)]

    def _symmetry(self, moved: Sequence[int]) -> Symmetry[int, int]:
        def action(action: int) -> int:
            level, cell = divmod(action, self.cells)
            return level * self.cells + min(moved[cell], moved[cell + self._step(level)])

        return Symmetry(mover_of_bits(moved), action)
