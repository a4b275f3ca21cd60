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
from solver.games.sides import board_and_side, unreadable
from solver.packed import STATE_BITS, Packed, PackedGame


@dataclass(frozen=True)
class Othello(PackedGame):
    """Enclose disks in a line to turn them over; the most disks win, and the margin counts.

    The game is over when neither side can move; the utility is the difference of the disks on the board.
    """

    rows: int = 4
    columns: int = 4

    players = ("black", "white")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that has no middle or cannot be packed."""
        refuse_below(2, rows=self.rows, columns=self.columns)
        for name, number in (("rows", self.rows), ("columns", self.columns)):
            if number % 2:
                raise BadParameter(f"{name} must be even, not {number}: the game begins in the middle")
        if self.cells > (STATE_BITS - 1) // 2:
            raise BadParameter(
                f"a board of {self.rows} rows and {self.columns} columns has {self.cells} cells; "
                f"a packed state has room for {(STATE_BITS - 1) // 2}"
            )

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @property
    def action_count(self) -> int:
        """One action a cell, and the pass."""
        return self.cells + 1

    @property
    def initial(self) -> int:
        """Two disks of each side across in the middle, black to move."""
        cells = ["."] * self.cells
        for row, column, mark in ((-1, -1, "w"), (-1, 0, "b"), (0, -1, "b"), (0, 0, "w")):
            cells[(self.rows // 2 + row) * self.columns + self.columns // 2 + column] = mark
        return state_of(0, cells, "bw")

    def to_move(self, state: Packed) -> Packed:
        """0 when black is to move, 1 when white is."""
        return state & 1

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
        """How many more disks black has than white."""
        lead = 0
        for cell in range(self.cells):
            lead = lead + (state >> (1 + cell) & 1) - (state >> (1 + self.cells + cell) & 1)
        return lead

    def action_name(self, action: int) -> str:
        """The column as a letter and the row, counted from the top, such as `c2`; or `pass`."""
        return "pass" if action == self.cells else self._names[action]

    def position(self, state: int) -> str:
        """The rows from the top, `b` and `w` for disks, and the side to move."""
        rows = by_row([mark or "." for mark in marks_of(state, self.cells, "bw")], self.columns)
        return f"{'/'.join(map(''.join, rows))} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `..../.wb./.bw./.... black`; without a side black is to move."""
        wanted = (
            f"{self.rows} rows of {self.columns} cells of b, w or . then black or white: the side to move"
        )
        board, side = board_and_side(text, self.players, wanted)
        cells = plain_cells(board)
        if len(cells) != self.cells or not set(cells) <= {"b", "w", "."}:
            raise unreadable(text, wanted)
        return state_of(side or 0, cells, "bw")

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells: "b", "w" or ""."""
        return by_row(marks_of(state, self.cells, "bw"), self.columns)

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows its name."""
        marks = marks_of(state, self.cells, "bw")
        return drawn([mark.upper() or self._names[at] for at, mark in enumerate(marks)], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board, also those that change how the game begins."""
        return tuple(
            Symmetry(mover_of_bits(moved, planes=2), [*moved, self.cells].__getitem__)
            for moved in turns(self.rows, self.columns)
        )

    @cached_property
    def _names(self) -> list[str]:
        return [f"{chr(97 + cell % self.columns)}{cell // self.columns + 1}" for cell in range(self.cells)]

    def _disks(self, state: Packed) -> tuple[Packed, Packed]:
        """The disks of the player to move and those of the other, the lowest bit for cell 0."""
        full, side = (1 << self.cells) - 1, state & 1
        return state >> (1 + self.cells * side) & full, state >> (1 + self.cells * (1 - side)) & full

    def _mobile(self, state: Packed) -> Packed:
        """The cells where the player to move may put a disk, the lowest bit for cell 0."""
        own, other = self._disks(state)
        found = 0
        for way in self._ways:
            found = found | _shift(self._run(own, other, way), way)
        return found & ((own | other) ^ ((1 << self.cells) - 1))

    def _turned(self, own: Packed, other: Packed, cell: int) -> Packed:
        """The disks that a new one on the cell turns over."""
        found = 0
        for way in self._ways:
            run = self._run(1 << cell, other, way)
            found = found | run * (_shift(run, way) & own != 0)
        return found

    def _run(self, start: Packed, other: Packed, way: tuple[int, int]) -> Packed:
        """The unbroken rows of the other side's disks that go this way from the cells of `start`."""
        run = _shift(start, way) & other
        for _ in range(max(self.rows, self.columns) - 3):
            run = run | _shift(run, way) & other
        return run

    @cached_property
    def _ways(self) -> list[tuple[int, int]]:
        """For each of eight directions how far the next cell is, and the cells that are next to one."""
        found = []
        for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            reached = [
                cell
                for cell in range(self.cells)
                if 0 <= cell // self.columns - down < self.rows
                and 0 <= cell % self.columns - right < self.columns
            ]
            found.append((down * self.columns + right, sum(1 << cell for cell in reached)))
        return found


def _shift(board: Packed, way: tuple[int, int]) -> Packed:
    """The board moved by one cell."""
    step, reached = way
    return (board << step if step > 0 else board >> -step) & reached
