"""Othello, also Reversi: enclose the other side's disks and turn them over; the most disks win.

A state is one integer; with n = rows * columns cells, numbered row by row from 0 at the top left:

    bit   2n ... n+1     n ... 1        0
          white disks    black disks    side to move: 0 is black, 1 is white

Action number `cell` puts a disk there; action number n passes, which only a player without a move may do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter
from solver.game import Look, Symmetry
from solver.games.grid import (
    MOST_CELLS,
    cell_names,
    drawn,
    mover_of_bits,
    refuse_outside,
    refuse_unpackable,
    turns,
)
from solver.games.planes import MarkedGrid
from solver.games.steps import Step, moved, steps
from solver.packed import Packed


@dataclass(frozen=True)
class Othello(MarkedGrid):
    """Enclose disks in a line to turn them over; the most disks win, and the margin counts.

    The game is over when neither side can move; the utility is the difference of the disks on the board.
    """

    rows: int = 4
    columns: int = 4

    players = ("black", "white")
    letters = "bw"
    look = Look(owners={"b": 0, "w": 1}, glyphs={"b": "●", "w": "○"})

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that has no middle or cannot be packed."""
        refuse_outside(2, MOST_CELLS, rows=self.rows, columns=self.columns)
        for name, number in (("rows", self.rows), ("columns", self.columns)):
            if number % 2:
                raise BadParameter(f"{name} must be even, not {number}: the game begins in the middle")
        refuse_unpackable(self.rows, self.columns, planes=2)

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Othello on {self.rows} x {self.columns}"

    @property
    def action_count(self) -> int:
        """One action a cell, and the pass."""
        return self.cells + 1

    @property
    def initial(self) -> int:
        """Two disks of each side in the middle, on diagonals, black to move."""
        cells = ["."] * self.cells
        for row, column, mark in ((-1, -1, "w"), (-1, 0, "b"), (0, -1, "b"), (0, 0, "w")):
            cells[(self.rows // 2 + row) * self.columns + self.columns // 2 + column] = mark
        return self.state(0, cells)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a disk there would turn over others; or, for the pass, whether none would anywhere."""
        if action == self.cells:
            return self._mobile(state) == 0
        own, other = self._disks(state)
        return (self._turned(own, other, action) != 0) & ((own | other) >> action & 1 == 0)

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the disk on it and the enclosed ones turned over, the other side to move."""
        if action == self.cells:
            return state ^ 1
        turned, side = self._turned(*self._disks(state), action), state & 1
        placed = 1 << (1 + action + self.cells * side)
        return (state ^ 1 ^ (turned << 1) ^ (turned << (1 + self.cells))) + placed

    def is_terminal(self, state: Packed) -> Packed:
        """Whether neither side can put a disk."""
        return (self._mobile(state) == 0) & (self._mobile(state ^ 1) == 0)

    def utility(self, state: Packed) -> Packed:
        """The number of black disks minus that of white disks."""
        lead = 0
        for cell in range(self.cells):
            lead = lead + (state >> (1 + cell) & 1) - (state >> (1 + self.cells + cell) & 1)
        return lead

    def action_name(self, action: int) -> str:
        """The column as a letter and the row, counted from the top, such as `c2`; or `pass`."""
        return "pass" if action == self.cells else self._names[action]

    def parse(self, text: str) -> int:
        """The state of a text such as `..../.wb./.bw./.... black`; without a side black is to move."""
        wanted = (
            f"{self.rows} rows of {self.columns} cells of b, w or . then black or white: the side to move"
        )
        cells, side = self.read(text, wanted)
        return self.state(side or 0, cells)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The column as a letter and the row, counted from the top."""
        return self.by_row(self._names)

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its name."""
        cells = zip(self.marks(state), self._names, strict=True)
        return drawn([mark.upper() or name for mark, name in cells], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board, also those that change how the game begins."""
        return tuple(
            Symmetry(mover_of_bits(turn, planes=2), [*turn, self.cells].__getitem__)
            for turn in turns(self.rows, self.columns)
        )

    @cached_property
    def _names(self) -> list[str]:
        return cell_names(self.cells, self.columns)

    def _disks(self, state: Packed) -> tuple[Packed, Packed]:
        """The disks of the player to move and those of the other, the lowest bit for cell 0."""
        own, other = self.cells * (state & 1), self.cells * (1 - (state & 1))
        return state >> (1 + own) & self.full, state >> (1 + other) & self.full

    def _mobile(self, state: Packed) -> Packed:
        """The cells where the player to move may put a disk, the lowest bit for cell 0."""
        own, other = self._disks(state)
        found = 0
        for step in self._steps:
            found = found | moved(self._run(own, other, step), step)
        return found & self.free(state)

    def _turned(self, own: Packed, other: Packed, cell: int) -> Packed:
        """The disks that a new one on the cell turns over."""
        found = 0
        for step in self._steps:
            run = self._run(1 << cell, other, step)
            found = found | run * (moved(run, step) & own != 0)
        return found

    def _run(self, start: Packed, other: Packed, step: Step) -> Packed:
        """The unbroken rows of the other side's disks that go this way from the cells of `start`."""
        run = moved(start, step) & other
        for _ in range(max(self.rows, self.columns) - 3):
            run = run | moved(run, step) & other
        return run

    @cached_property
    def _steps(self) -> list[Step]:
        return steps(self.rows, self.columns)
