"""m,n,k games: get k of your marks in a row on a board of m rows and n columns. Tic-tac-toe is 3,3,3.

A state has a plane of bits for x's marks and one for o's, as in `solver.games.planes`; x is the first player.
Playing a cell sets one bit and flips the lowest, so it always makes the integer larger. In a wild game
action number n + cell puts an o there, whoever plays it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

from solver.game import Symmetry
from solver.games.grid import MOST_CELLS, drawn, refuse_outside, refuse_unpackable, turns
from solver.games.lines import Lines
from solver.games.planes import MarkedGrid
from solver.games.sides import lead, with_side
from solver.packed import Packed, bit_count


@dataclass(frozen=True)
class MNK(MarkedGrid):
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
        refuse_outside(1, MOST_CELLS, rows=self.rows, columns=self.columns, k=self.k)
        self._lines.refuse_none()
        refuse_unpackable(self.rows, self.columns, planes=2)
        if self.wild:  # the marks belong to nobody
            object.__setattr__(self, "players", ("first", "second"))

    @property
    def title(self) -> str:
        """The game with its k, and the size of its board."""
        return f"{self.k} in a row on {self.rows} x {self.columns}{self._variant}"

    @property
    def action_count(self) -> int:
        """One action a cell, put the mover's mark there; in a wild game one for each mark."""
        return self.cells * (2 if self.wild else 1)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the cell is empty."""
        cell = action % self.cells
        return (state >> (1 + cell) | state >> (1 + self.cells + cell)) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the mark in the cell, the other side to move."""
        plane = 0 if self.wild else state & 1
        return (state ^ 1) + (1 << (1 + action + self.cells * plane))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether somebody has k in a row or the board is full."""
        x, o = self.planes(state)
        return self._lines.held(x) | self._lines.held(o) | (x | o == self.full)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has, 0 when nobody has; in a wild game whoever moved last has."""
        x, o = self.planes(state)
        gain = -1 if self.misere else 1
        if self.wild:
            return (self._lines.held(x) | self._lines.held(o)) * gain * (2 * (state & 1) - 1)
        return gain * self._lines.held(x) - gain * self._lines.held(o)

    def ply(self, state: Packed) -> Packed:
        """The number of marks."""
        return bit_count(state >> 1)

    def action_name(self, action: int) -> str | int:
        """The number of the cell; in a wild game with the mark before it, such as `x4`."""
        return f"{self.letters[action // self.cells]}{action % self.cells}" if self.wild else action

    def position(self, state: int) -> str:
        """The cells row by row, and the side to move unless it is what play from the empty board makes it."""
        cells = "".join(mark or "." for mark in self.marks(state))
        return with_side(cells, self.players, state & 1, self._ahead(cells))

    def parse(self, text: str) -> int:
        """The state of a text such as `xo..x....`, `xo./.x./...` or `oo.ox...x x`.

        Where it does not say who is to move, it is the side with fewer marks, or x; in a wild game whoever is
        after as many moves.
        """
        wanted = (
            f"{self.cells} cells of x, o or . ({self.rows} rows of {self.columns}), "
            f"then {' or '.join(self.players)} to say who is to move"
        )
        cells, side = self.read(text, wanted)
        return self.state(int(self._ahead(cells) > 0) if side is None else side, cells)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the cells."""
        return self.by_row([str(cell) for cell in range(self.cells)])

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its number."""
        return drawn([mark or str(cell) for cell, mark in enumerate(self.marks(state))], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board; in a wild game each also with the marks exchanged."""
        return self._symmetries

    def evaluate(self, state: int) -> int:
        """The sum over all lines with marks of one side only: 3**(n-1) for n of them, negative for o's.

        For k = 3 that is 3*X2 + X1 - (3*O2 + O1), as Russell and Norvig have it in an exercise of *Artificial
        Intelligence: A Modern Approach* (chapter on adversarial search): Xn counts the lines with n x. In a
        wild game, where marks belong to nobody, it is 0.
        """
        x, o = self.planes(state)
        guess = 0 if self.wild else self._lines.lead(x, o)
        return -guess if self.misere else guess

    def states_at_most(self) -> int:
        """The number of ways to place as many x as o, or one more: some of them lie behind a win."""
        if self.wild:
            return int(3**self.cells)
        return sum(comb(self.cells, ply) * comb(ply, ply // 2) for ply in range(self.cells + 1))

    def _ahead(self, cells: str) -> int:
        """The marks placed by x minus those by o, or in a wild game by the first player minus the second."""
        return (self.cells - cells.count(".")) % 2 if self.wild else lead(cells)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.rows, self.columns, self.k)

    @cached_property
    def _symmetries(self) -> tuple[Symmetry[int, int], ...]:
        moved = turns(self.rows, self.columns)
        exchanged = (tuple(range(self.cells)), *moved) if self.wild else ()
        return (*map(self.turned, moved), *(self.turned(each, exchanged=True) for each in exchanged))

    @property
    def _variant(self) -> str:
        return ", misère" * self.misere + ", wild" * self.wild


@dataclass(frozen=True)
class TicTacToe(MNK):
    """Get three in a row on a board of 3 rows and 3 columns; with `misere`, whoever gets them loses."""

    rows: int = field(default=3, init=False)
    columns: int = field(default=3, init=False)
    k: int = field(default=3, init=False)

    @property
    def title(self) -> str:
        """The game."""
        return f"Tic-tac-toe{self._variant}"
