"""Chomp: bites out of a bar of chocolate; the square at 0,0, at the top left, is poisoned.

A state is one integer: the player to move in the lowest bit, above it one bit a square, row by row, set when
it is eaten. A bite at a square eats it and all that are not above it nor to the left of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from solver.errors import BadParameter
from solver.game import FILLED, Look, Symmetry
from solver.games.grid import MOST_CELLS, by_row, drawn, mover_of_bits, refuse_outside
from solver.games.sides import board_and_side, last_mover_wins, unreadable
from solver.packed import STATE_BITS, Packed, PackedGame


@dataclass(frozen=True)
class Chomp(PackedGame):
    """Bite a square and all below and right of it out of a bar; who eats 0,0 at the top left loses.

    The move `1,2` bites at row 1, column 2.
    """

    rows: int = 3
    columns: int = 4

    look = Look(glyphs={"#": FILLED, "!": "☠"})

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a bar that is empty or does not fit into a packed state."""
        refuse_outside(1, MOST_CELLS, rows=self.rows, columns=self.columns)
        if self.action_count >= STATE_BITS:
            raise BadParameter(
                f"a bar of {self.rows} rows and {self.columns} columns has {self.action_count} squares; "
                f"a packed state has room for {STATE_BITS - 1}"
            )

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Chomp on {self.rows} x {self.columns}"

    @property
    def action_count(self) -> int:
        """One action a square: bite there."""
        return self.rows * self.columns

    @property
    def initial(self) -> int:
        """The whole bar, the first player to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """The player to move."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the square is there."""
        return state >> (1 + action) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The rest of the bar, the other side to move."""
        return (state ^ 1) | self._bites[action]

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the poison is eaten, and so everything."""
        return state & 2 != 0

    def utility(self, state: Packed) -> Packed:
        """1 when the second player ate the poison, -1 when the first did."""
        return last_mover_wins(state & 1, misere=True)

    def action_name(self, action: int) -> str:
        """Row and column, counted from the poison."""
        return f"{action // self.columns},{action % self.columns}"

    def position(self, state: int) -> str:
        """The number of squares left in each row, and the side to move."""
        return f"{','.join(map(str, self._lengths(state)))} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `4,2,0 second`; without a side the first player is to move."""
        wanted = (
            f"{self.rows} numbers from {self.columns} downwards, none above the one before it, with commas: "
            "the squares left in each row; then first or second: the side to move"
        )
        board, side = board_and_side(text, self.players, wanted)
        numbers = {str(length): length for length in range(self.columns + 1)}
        lengths = [numbers.get(word, -1) for word in board.split(",")]
        if len(lengths) != self.rows or min(lengths) < 0 or lengths != sorted(lengths, reverse=True):
            raise unreadable(text, wanted)
        eaten = (
            2 << (row * self.columns + column)
            for row, length in enumerate(lengths)
            for column in range(length, self.columns)
        )
        return (side or 0) + sum(eaten)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of squares: "#", for the poison "!", or ""."""
        return by_row(self._squares(state), self.columns)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """Row and column, counted from the poison."""
        return by_row([self.action_name(square) for square in range(self.action_count)], self.columns)

    def show(self, state: int) -> str:
        """The bar in lines, `#` a square, `!` the poison, `.` what is eaten."""
        return drawn([mark or "." for mark in self._squares(state)], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection that exchanges rows and columns, if the bar is square."""
        if self.rows != self.columns or self.rows == 1:
            return ()
        moved = [square % self.rows * self.rows + square // self.rows for square in range(self.action_count)]
        return (Symmetry(mover_of_bits(moved), moved.__getitem__),)

    def states_at_most(self) -> int:
        """Two (for the side to move) times the staircase shapes that can be left of the bar."""
        return 2 * comb(self.rows + self.columns, self.rows)

    def _lengths(self, state: int) -> list[int]:
        return [sum(map(bool, row)) for row in by_row(self._squares(state), self.columns)]

    def _squares(self, state: int) -> list[str]:
        there = [state >> (1 + square) & 1 == 0 for square in range(self.action_count)]
        return [("#" if square else "!") if left else "" for square, left in enumerate(there)]

    @cached_property
    def _bites(self) -> list[int]:
        """By square: the bits of all squares that a bite there eats."""
        corners = [divmod(square, self.columns) for square in range(self.action_count)]
        return [
            sum(2 << at for at, (row, column) in enumerate(corners) if row >= top and column >= left)
            for top, left in corners
        ]
