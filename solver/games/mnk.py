"""m,n,k games: get k of your marks in a row on a board of m rows and n columns. Tic-tac-toe is 3,3,3.

A state is one integer; with n = rows * columns cells, numbered row by row from 0 at the top left:

    bit   2n ... n+1   n ... 1   0
          o's marks    x's marks side to move: 0 is x (the first player), 1 is o (the second)

Playing a cell sets one bit and flips the lowest, so it always makes the integer larger. In a wild game
action number n + cell puts an o there, whoever plays it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

from solver.errors import BadParameter
from solver.game import Symmetry
from solver.games.grid import (
    by_row,
    drawn,
    marks_of,
    mover_of_bits,
    plain_cells,
    refuse_below,
    state_of,
    turns,
)
from solver.games.sides import board_and_side, lead, side_with_fewer, unreadable
from solver.packed import STATE_BITS, Packed, PackedGame

MARKS = "xo"

DIGITS = 9
"""Up to so many cells have a digit each, from 1."""

_WEIGHTS = [0, *(3**n for n in range(STATE_BITS))]
"""What a line with n marks counts in the heuristic."""


@dataclass(frozen=True)
class MNK(PackedGame):
    """Get k marks in a row, column or diagonal; with `misere`, whoever gets them loses.

    With `wild`, either player may put either mark, and wins by completing a row of whichever.
    """

    rows: int = 3
    columns: int = 3
    k: int = 3
    misere: bool = False
    wild: bool = False

    players = ("x", "o")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed."""
        refuse_below(1, rows=self.rows, columns=self.columns, k=self.k)
        if self.k > max(self.rows, self.columns):
            raise BadParameter(
                f"k={self.k} in a row do not fit on a board of {self.rows} rows and {self.columns} columns; "
                f"k can be at most {max(self.rows, self.columns)}"
            )
        if self.cells > (STATE_BITS - 1) // 2:
            raise BadParameter(
                f"a board of {self.rows} rows and {self.columns} columns has {self.cells} cells; "
                f"a packed state has room for {(STATE_BITS - 1) // 2}"
            )
        if self.wild:  # the marks belong to nobody
            object.__setattr__(self, "players", ("first", "second"))

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @property
    def action_count(self) -> int:
        """One action a cell, put the mover's mark there; in a wild game one for each mark."""
        return self.cells * (2 if self.wild else 1)

    @property
    def initial(self) -> int:
        """The empty board, x to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the cell is empty."""
        cell = action % self.cells
        return (state >> (1 + cell) | state >> (1 + self.cells + cell)) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the mark in the cell, the other side to move."""
        if self.wild:
            return (state ^ 1) + (1 << (1 + action))
        return (state ^ 1) + (1 << (1 + action + self.cells * (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether somebody has k in a row or the board is full."""
        x, o = self._marks(state)
        return self._has_line(x) | self._has_line(o) | (x | o == self._full)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has, 0 when nobody has; in a wild game whoever moved last has."""
        x, o = self._marks(state)
        gain = -1 if self.misere else 1
        if self.wild:
            return (self._has_line(x) | self._has_line(o)) * gain * (2 * (state & 1) - 1)
        return gain * self._has_line(x) - gain * self._has_line(o)

    def action_name(self, action: int) -> str | int:
        """The number of the cell; in a wild game with the mark before it, such as `x4`."""
        if not self.wild:
            return super().action_name(action)
        return f"{MARKS[action // self.cells]}{action % self.cells}"

    def position(self, state: int) -> str:
        """The cells row by row, and the side to move unless it is what play from the empty board makes it."""
        cells = "".join(mark or "." for mark in marks_of(state, self.cells))
        side = state & 1
        expected = self._marks_placed(cells) % 2 if self.wild else lead(cells)
        return cells if expected == side else f"{cells} {self.players[side]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `xo..x....`, `xo./.x./...` or `oo.ox...x x`.

        Where it does not say who is to move, it is the side with fewer marks, or x; in a wild game whoever is
        after as many moves.
        """
        wanted = (
            f"{self.cells} cells of x, o or . ({self.rows} rows of {self.columns}), "
            f"then {' or '.join(self.players)} to say who is to move"
        )
        board, side = board_and_side(text, self.players, wanted)
        cells = plain_cells(board)
        if len(cells) != self.cells or not set(cells) <= {*MARKS, "."}:
            raise unreadable(text, wanted)
        if side is None:
            side = self._marks_placed(cells) % 2 if self.wild else side_with_fewer(cells)
        return state_of(side, cells)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells: "x", "o" or ""."""
        return by_row(marks_of(state, self.cells), self.columns)

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its number."""
        return self._drawn(state, first=0)

    def key(self, action: int) -> str:
        """The number of the cell, from 1 on a board of up to 9 cells: one key of a keyboard each.

        In a wild game the mark comes before it.
        """
        mark = MARKS[action // self.cells] if self.wild else ""
        return f"{mark}{action % self.cells + self._first_key}"

    def show_keys(self, state: int) -> str:
        """The board in lines; an empty cell shows the key that takes it."""
        return self._drawn(state, first=self._first_key)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board; in a wild game each also with the marks exchanged."""
        return self._symmetries

    def evaluate(self, state: int) -> int:
        """The sum over all lines with marks of one side only: 3**(n-1) for n of them, negative for o's.

        For k = 3 that is 3*X2 + X1 - (3*O2 + O1), as Russell and Norvig have it in an exercise of *Artificial
        Intelligence: A Modern Approach* (chapter on adversarial search): Xn counts the lines with n x. In a
        wild game, where marks belong to nobody, it is 0.
        """
        x, o = self._marks(state)
        guess = 0
        for line in () if self.wild else self._lines_as_cells:
            mine, other = (x & line).bit_count(), (o & line).bit_count()
            if not (mine and other):
                guess += _WEIGHTS[mine] - _WEIGHTS[other]
        return -guess if self.misere else guess

    def states_at_most(self) -> int:
        """The number of ways to place as many x as o, or one more: some of them lie behind a win."""
        if self.wild:
            return int(3**self.cells)
        return sum(comb(self.cells, ply) * comb(ply, ply // 2) for ply in range(self.cells + 1))

    def _marks(self, state: Packed) -> tuple[Packed, Packed]:
        return state >> 1 & self._full, state >> (1 + self.cells) & self._full

    def _drawn(self, state: int, first: int) -> str:
        """The board in lines; an empty cell shows its number, counted from `first`."""
        marks = marks_of(state, self.cells)
        return drawn([mark or str(cell) for cell, mark in enumerate(marks, start=first)], self.columns)

    @property
    def _first_key(self) -> int:
        return 1 if self.cells <= DIGITS else 0

    def _marks_placed(self, cells: str) -> int:
        return self.cells - cells.count(".")

    def _has_line(self, marks: Packed) -> Packed:
        found = False
        for step, starts in self._lines:
            line = marks & starts
            for nth in range(1, self.k):
                line = line & (marks >> nth * step)
            found = found | (line != 0)
        return found

    @cached_property
    def _full(self) -> int:
        return (1 << self.cells) - 1

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """For each direction the distance to the next cell and, as bits, the cells where a line can start."""
        lines = []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            starts = 0
            for row in range(self.rows - down * (self.k - 1)):
                for column in range(self.columns):
                    if 0 <= column + right * (self.k - 1) < self.columns:
                        starts |= 1 << (row * self.columns + column)
            if starts:
                lines.append((down * self.columns + right, starts))
        return lines

    @cached_property
    def _lines_as_cells(self) -> list[int]:
        """Every line of k cells, as bits."""
        return [
            sum(1 << (start + nth * step) for nth in range(self.k))
            for step, starts in self._lines
            for start in range(self.cells)
            if starts >> start & 1
        ]

    @cached_property
    def _symmetries(self) -> tuple[Symmetry[int, int], ...]:
        kept: list[Symmetry[int, int]] = []
        exchanged = [self._exchange(tuple(range(self.cells)))] if self.wild else []
        for moved in turns(self.rows, self.columns):
            both = moved + tuple(cell + self.cells for cell in moved)
            kept.append(Symmetry(mover_of_bits(moved, planes=2), both.__getitem__))
            exchanged += [self._exchange(moved)] if self.wild else []
        return (*kept, *exchanged)

    def _exchange(self, moved: Sequence[int]) -> Symmetry[int, int]:
        """The symmetry that takes each mark to the cell `moved[cell]` and makes it the other mark."""
        both = tuple(cell + self.cells for cell in moved) + tuple(moved)
        return Symmetry(mover_of_bits(both), both.__getitem__)


@dataclass(frozen=True)
class TicTacToe(MNK):
    """Get three in a row on a board of 3 rows and 3 columns; with `misere`, whoever gets them loses."""

    rows: int = field(default=3, init=False)
    columns: int = field(default=3, init=False)
    k: int = field(default=3, init=False)
