"""Quixo: take a cube from the border, turn your mark up and push it back in from another end of its line.

A state has a plane of bits for x's cubes and one for o's, as in `solver.games.planes`; x begins. Marked cubes
never turn blank again, but they move round, so that play may be endless.

Source of the rules: T. Chapeau, Quixo, Gigamic, 1995.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.game import Symmetry
from solver.games.grid import (
    MOST_CELLS,
    cell_names,
    labelled,
    mover_of_bits,
    refuse_outside,
    refuse_unpackable,
    turns,
)
from solver.games.lines import Lines
from solver.games.planes import MarkedGrid
from solver.games.steps import Step, moved
from solver.packed import Packed, bit_count


class Push(NamedTuple):
    """A move of x as bits of a state; for o the bits of one mark are those of the other plane."""

    barred: int
    """The mark of o on the cube to be taken, which bars the move."""
    kept: int
    """The side to move and all marks that stay where they are."""
    step: Step
    """How the cubes between both cells move up, on both planes."""
    pushed: int
    """The mark of x on the cube that is pushed in."""


@dataclass(frozen=True)
class Quixo(MarkedGrid):
    """Push cubes with your mark in from the border and get k in a row; a row of the other mark loses.

    The move `a1-e1` takes the cube from a1, blank or one's own, and pushes it in at e1, another end of its
    row or column. Whoever completes a row of the other player's mark has lost, with or without a row
    of their own.
    """

    rows: int = 5
    columns: int = 5
    k: int = 5

    players = ("x", "o")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed."""
        refuse_outside(2, MOST_CELLS, rows=self.rows, columns=self.columns)
        refuse_outside(1, MOST_CELLS, k=self.k)
        self._lines.refuse_none()
        refuse_unpackable(self.rows, self.columns, planes=2)

    @property
    def title(self) -> str:
        """The game, the size of its board and its k."""
        return f"Quixo on {self.rows} x {self.columns}, {self.k} in a row"

    @property
    def action_count(self) -> int:
        """One action for each cell of the border and each other end of its row or column."""
        return len(self._ways)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the cube is blank or bears the mover's mark."""
        return state & self._pushes[action].barred >> self.cells * (state & 1) == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The cubes moved up and the mover's mark pushed in, the other side to move."""
        push = self._pushes[action]
        others = (state ^ 1) & push.kept | moved(state, push.step)
        return others | push.pushed << self.cells * (state & 1)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether somebody has k in a row.

        If nobody has, there is a move: a border of one mark only has a row of k.
        """
        return self._lines.held(state >> 1, boards=2)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has.

        It is the player to move if the other has just completed a row of theirs, and else the other.
        """
        side = state & 1
        return (1 - 2 * side) * (2 * self._lines.held(state >> (1 + self.cells * side)) - 1)

    def exchanged(self, state: Packed) -> Packed:
        """Each mark as the other one, and the other side to move."""
        x, o = self.planes(state)
        return o << 1 | x << (1 + self.cells) | (state & 1 ^ 1)

    def tier(self, state: Packed) -> Packed:
        """The number of marks, as none is ever taken off."""
        return bit_count(state >> 1)

    def action_name(self, action: int) -> str:
        """The cell from which the cube is taken and the one where it is pushed in."""
        return "-".join(self._names[cell] for cell in self._ways[action])

    def parse(self, text: str) -> int:
        """The state of a text such as `x.../..../..o./.... x`; without a side x is to move."""
        wanted = f"{self.rows} rows of {self.columns} cells of x, o or . then x or o: the side to move"
        cells, side = self.read(text, wanted)
        return self.state(side or 0, cells)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The column as a letter and the row, counted from the top."""
        return self.by_row(self._names)

    def show(self, state: int) -> str:
        """The board in lines with the names of rows and columns."""
        return labelled(self.board(state))

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board."""
        return self._symmetries

    def evaluate(self, state: int) -> int:
        """The sum over all lines with marks of one side only: 3**(n-1) for n of them, negative for o's."""
        return self._lines.lead(*self.planes(state))

    def states_at_most(self) -> int:
        """Two (for the side to move) times the boards with both marks, and what is before o's first move.

        Some of them lie behind a win.
        """
        both = 3**self.cells - 2 * 2**self.cells + 1
        return int(2 * both + 1 + self.cells)

    def _symmetry(self, turn: Sequence[int]) -> Symmetry[int, int]:
        actions = [self._ways.index((turn[taken], turn[put])) for taken, put in self._ways]
        return Symmetry(mover_of_bits(turn, planes=2), actions.__getitem__)

    @cached_property
    def _symmetries(self) -> tuple[Symmetry[int, int], ...]:
        return tuple(map(self._symmetry, turns(self.rows, self.columns)))

    @cached_property
    def _names(self) -> list[str]:
        return cell_names(self.cells, self.columns)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.rows, self.columns, self.k)

    @cached_property
    def _ways(self) -> list[tuple[int, int]]:
        """By action: the cell from which a cube is taken and the one where it is pushed in."""
        across = [range(first, first + self.columns) for first in range(0, self.cells, self.columns)]
        down = [range(first, self.cells, self.columns) for first in range(self.columns)]
        ends = [(line, {line[0], line[-1]}) for line in across + down]
        border: set[int] = set().union(*(both for _, both in ends))
        return sorted(
            (taken, put) for line, both in ends for taken in border & {*line} for put in both - {taken}
        )

    @cached_property
    def _pushes(self) -> list[Push]:
        return [self._push(taken, put) for taken, put in self._ways]

    def _push(self, taken: int, put: int) -> Push:
        step = self.columns if (put - taken) % self.columns == 0 else 1
        step = step if taken < put else -step
        entered = self.on_both(range(taken, put, step))
        still = set(range(self.cells)) - {*range(taken, put, step), put}
        return Push(
            barred=1 << (1 + self.cells + taken),
            kept=1 | self.on_both(still),
            step=(-step, entered),
            pushed=1 << (1 + put),
        )
