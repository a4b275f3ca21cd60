"""Hexapawn: a row of pawns on each side; they step ahead and take diagonally, as in chess.

A state is one integer; with n = rows * columns cells, numbered row by row from 0 at the top left:

    bit   2n ... n+1     n ... 1        0
          black pawns    white pawns    side to move: 0 is white, who moves up, 1 is black

Each action belongs to one side and always flips the same bits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.game import Look, Symmetry
from solver.games.grid import MOST_CELLS, drawn, mover_of_bits, refuse_outside, refuse_unpackable
from solver.games.planes import MarkedGrid
from solver.games.sides import last_mover_wins, unreadable
from solver.packed import Packed


class Step(NamedTuple):
    """A pawn's way to a cell: legal where the bits `asked` are as `wanted`; it flips the bits `flipped`."""

    name: str
    asked: int
    wanted: int
    flipped: int


@dataclass(frozen=True)
class Hexapawn(MarkedGrid):
    """Bring a pawn to the far row, or leave the other side without a move, and win.

    White's pawns begin in the lowest row. The move `b1-b2` steps ahead, `b2xa3` takes.
    """

    rows: int = 3
    columns: int = 3

    players = ("white", "black")
    letters = "wb"
    look = Look(owners={"w": 0, "b": 1}, glyphs={"w": "♙", "b": "♟"})

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed."""
        refuse_outside(2, MOST_CELLS, rows=self.rows)
        refuse_outside(1, MOST_CELLS, columns=self.columns)
        refuse_unpackable(self.rows, self.columns, planes=2)

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Hexapawn on {self.rows} x {self.columns}"

    @property
    def action_count(self) -> int:
        """One action for each step or capture of either side."""
        return len(self._steps)

    @property
    def initial(self) -> int:
        """A row of pawns on each side, white to move."""
        between = "." * (self.cells - 2 * self.columns)
        return self.state(0, "b" * self.columns + between + "w" * self.columns)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the mover's pawn is there, and an empty cell ahead or a pawn to take diagonally ahead."""
        return state & self._steps[action].asked == self._steps[action].wanted

    def result(self, state: Packed, action: int) -> Packed:
        """The board after the step, the other side to move."""
        return state ^ self._steps[action].flipped

    def is_terminal(self, state: Packed) -> Packed:
        """Whether a pawn has reached the far row, or the player to move has no move."""
        stuck = True
        for action in range(self.action_count):
            stuck = stuck & (self.legal(state, action) == 0)
        return stuck | self._arrived(state, 0) | self._arrived(state, 1)

    def utility(self, state: Packed) -> Packed:
        """1 when white has won, -1 when black has: always the player who has just moved."""
        return last_mover_wins(state & 1)

    def action_name(self, action: int) -> str:
        """The cells left and entered, with `x` between them if a pawn is taken."""
        return self._steps[action].name

    def parse(self, text: str) -> int:
        """The state of a text such as `bbb/w../.ww black`; without a side white is to move."""
        wanted = (
            f"{self.rows} rows of {self.columns} cells of w, b or . then white or black: the side to move, "
            "whose pawns have not reached the far row"
        )
        cells, side = self.read(text, wanted)
        state = self.state(side or 0, cells)
        if self._arrived(state, side or 0):
            raise unreadable(text, wanted)
        return state

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The column as a letter and the row, counted from below."""
        return self.by_row([self._name(cell) for cell in range(self.cells)])

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its name."""
        return drawn([mark or self._name(at) for at, mark in enumerate(self.marks(state))], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        if self.columns == 1:
            return ()
        moved = [cell + self.columns - 1 - 2 * (cell % self.columns) for cell in range(self.cells)]
        image = mover_of_bits(moved, planes=2)
        numbers = {step.flipped: number for number, step in enumerate(self._steps)}
        return (Symmetry(image, [numbers[image(step.flipped)] for step in self._steps].__getitem__),)

    def _name(self, cell: int) -> str:
        return f"{chr(ord('a') + cell % self.columns)}{self.rows - cell // self.columns}"

    def _arrived(self, state: Packed, side: int) -> Packed:
        """Whether a pawn of the side is in its far row: the first or the last `columns` bits of its board."""
        row = (1 << self.columns) - 1
        return state & (row << (1 + side * (2 * self.cells - self.columns))) != 0

    @cached_property
    def _steps(self) -> list[Step]:
        return [step for side in (0, 1) for cell in range(self.cells) for step in self._steps_of(side, cell)]

    def _steps_of(self, side: int, cell: int) -> Iterator[Step]:
        row, column = divmod(cell, self.columns)
        ahead = row + (1 if side else -1)
        own, other = (1 + plane * self.cells for plane in (side, 1 - side))
        for aside in (-1, 0, 1):
            if 0 <= ahead < self.rows and 0 <= column + aside < self.columns:
                to = ahead * self.columns + column + aside
                name = f"{self._name(cell)}{'x' if aside else '-'}{self._name(to)}"
                flipped = 1 | 1 << (own + cell) | 1 << (own + to) | (1 << (other + to) if aside else 0)
                asked = 1 | 1 << (own + cell) | 1 << (own + to) | 1 << (other + to)
                wanted = side | 1 << (own + cell) | (1 << (other + to) if aside else 0)
                yield Step(name, asked, wanted, flipped)
