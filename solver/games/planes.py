"""Boards of two players' marks: a state is the side to move, and above it one plane of bits a player.

With n cells, numbered row by row from 0 at the top left, it is the integer

    bit   2n ... n+1          n ... 1            0
          the second's marks  the first's marks  side to move
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from solver.game import Symmetry
from solver.games.grid import by_row, marks_of, mover_of_bits, state_of, written
from solver.games.sides import cells_and_side, with_side
from solver.packed import Packed, PackedGame


class MarkedBoard(PackedGame):
    """A game in which each player has marks of one kind, and a cell holds at most one of them."""

    letters: ClassVar[str] = "xo"
    """The letters of the marks in positions, the first player's first."""

    @cached_property
    @abstractmethod
    def cells(self) -> int:
        """The number of cells of the board."""

    @abstractmethod
    def by_row(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """The marks of the cells, row by row."""

    @property
    def initial(self) -> int:
        """The empty board, the first player to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """The lowest bit: 0 for the first player, 1 for the second."""
        return state & 1

    def position(self, state: int) -> str:
        """The rows from the top, a letter for each mark, and the side to move."""
        return with_side(written(self.board(state)), self.players, state & 1)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells: the letter of the mark, or ""."""
        return self.by_row(self.marks(state))

    def marks(self, state: int) -> list[str]:
        """The letter of the mark in each cell, or ""."""
        return marks_of(state, self.cells, self.letters)

    def planes(self, state: Packed) -> tuple[Packed, Packed]:
        """The marks of the first player and those of the second, the lowest bit for cell 0."""
        return state >> 1 & self.full, state >> (1 + self.cells) & self.full

    def free(self, state: Packed) -> Packed:
        """The cells without a mark, the lowest bit for cell 0."""
        first, second = self.planes(state)
        return (first | second) ^ self.full

    @cached_property
    def full(self) -> int:
        """The mask of all cells, the lowest bit for cell 0."""
        return (1 << self.cells) - 1

    def on_both(self, cells: Iterable[int]) -> int:
        """The bits of these cells on both planes of a state."""
        return sum(1 << (1 + cell) | 1 << (1 + self.cells + cell) for cell in cells)

    def read(self, text: str, wanted: str) -> tuple[str, int | None]:
        """The cells of a position, and the side to move if it says so.

        Raises `UnreadablePosition`, which says what is `wanted`, for any other text.
        """
        return cells_and_side(text, self.players, self.cells, self.letters, wanted)

    def state(self, side: int, cells: Sequence[str]) -> int:
        """The state with these marks and this side to move."""
        return state_of(side, cells, self.letters)

    def turned(self, moved: Sequence[int], *, exchanged: bool = False) -> Symmetry[int, int]:
        """The symmetry that takes each mark to the cell `moved[cell]`; if `exchanged`, as the other mark.

        It is one of games in which action number `cell` puts a mark there, and n + `cell` the second's mark.
        """
        kept, other = tuple(moved), tuple(cell + self.cells for cell in moved)
        both = other + kept if exchanged else kept + other
        image = mover_of_bits(both) if exchanged else mover_of_bits(kept, planes=2)
        return Symmetry(image, both.__getitem__)


@dataclass(frozen=True)
class MarkedGrid(MarkedBoard):
    """A marked board of rows and columns."""

    rows: int
    columns: int

    @cached_property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    def by_row(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """The marks of the cells, row by row."""
        return by_row(texts, self.columns)
