"""Teeko: place four stones in turn, then move them, and get four in a line or in a square.

A state has a plane of bits for black's stones and one for red's, as in `solver.games.planes`, and above them
a bit that tells moving from placing; with n cells it is the integer

    bit   2n + 1                2n ... n+1    n ... 1         0
          all stones are placed red stones    black stones    side to move: 0 is black, 1 is red

Source: J. Scarne, *Scarne on Teeko* (1955).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

from solver.game import Look, Symmetry
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
from solver.games.sides import last_mover_wins, unreadable
from solver.games.steps import Step, moved, steps
from solver.packed import Packed, bit_count

STONES = 4
"""The number of stones of each player."""


class Turn(NamedTuple):
    """A stone placed or moved by black as bits of a state; for red `own` and `flipped` are a plane higher."""

    name: str
    asked: int
    """The bits that tell whether the stone may be put down: of the cell, on both planes, and of the phase."""
    wanted: int
    """These bits where it may."""
    own: int
    """The stone to be moved, 0 when one is placed."""
    flipped: int
    """The bits of stones that change."""


@dataclass(frozen=True)
class Teeko(MarkedGrid):
    """Place four stones, then move each to neighbouring cells; four in a line or a square win.

    The square has two by two cells; with `advanced` the corners of any larger square win, too. The move `c3`
    places a stone, `c3-d4` moves one. Whoever cannot move loses; on five by five cells nobody gets there.
    """

    rows: int = 5
    columns: int = 5
    advanced: bool = False

    players = ("black", "red")
    letters = "br"

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed."""
        refuse_outside(3, MOST_CELLS, rows=self.rows, columns=self.columns)
        refuse_unpackable(self.rows, self.columns, planes=2, more=1)

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Teeko on {self.rows} x {self.columns}{', advanced' * self.advanced}"

    @property
    def look(self) -> Look:
        """Stones on cells joined by lines."""
        cells = [divmod(cell, self.columns) for cell in range(self.cells)]
        ways = [(cells[origin], cells[target]) for origin, target in self._ways if origin < target]
        return Look(owners={"b": 0, "r": 1}, glyphs={"b": "●", "r": "◎"}, ground="open", ways=ways)

    @property
    def action_count(self) -> int:
        """One action for each cell to place a stone on, then one for each way to move one."""
        return len(self._turns)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, or be moved that way."""
        turn = self._turns[action]
        own = turn.own << self.cells * (state & 1)
        return state & (turn.asked | own) == turn.wanted | own

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed or moved, the other side to move."""
        child = state ^ 1 ^ (self._turns[action].flipped << self.cells * (state & 1))
        if action >= self.cells:
            return child
        return child | (bit_count(child >> 1) == 2 * STONES) * self._placed

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player who has just moved has a line or a square, or the other cannot move."""
        return self._won(state) | self._stuck(state)

    def utility(self, state: Packed) -> Packed:
        """1 when black has won, -1 when red has: always the player who has just moved."""
        return last_mover_wins(state & 1)

    def tier(self, state: Packed) -> Packed:
        """The number of stones on the board, and one more when all are placed."""
        return bit_count(state >> 1)

    def action_name(self, action: int) -> str:
        """The cell to place a stone on, or from and to which cell one is moved."""
        return self._turns[action].name

    def parse(self, text: str) -> int:
        """The state of a text such as `b.../.r../..../.... black`; without a side it is whose turn it is.

        When all stones are placed that is black, unless the text says red.
        """
        wanted = (
            f"{self.rows} rows of {self.columns} cells of b, r or ., with {STONES} of each, or fewer as "
            "placed in turn, then black or red: the side to move, which has not won before"
        )
        cells, side = self.read(text, wanted)
        black, red = cells.count("b"), cells.count("r")
        side = black - red if side is None else side
        placed = black == red == STONES
        if side not in (0, 1) or not (placed or (black - red == side and red < STONES)):
            raise unreadable(text, wanted)
        state = self.state(side, cells) | placed * self._placed
        if self._won(state ^ 1):
            raise unreadable(text, wanted)
        return state

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The column as a letter and the row, counted from the top."""
        return self.by_row(cell_names(self.cells, self.columns))

    def show(self, state: int) -> str:
        """The board in lines with the names of rows and columns."""
        return labelled(self.board(state))

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board."""
        return self._symmetries

    def states_at_most(self) -> int:
        """The number of ways to place as many stones of each side, or one more of black's.

        All of them on the board count twice, for the side to move; some lie behind a win.
        """
        ways = [comb(self.cells, ply) * comb(ply, ply // 2) for ply in range(2 * STONES + 1)]
        return sum(ways) + ways[-1]

    def _symmetry(self, turn: Sequence[int]) -> Symmetry[int, int]:
        image = mover_of_bits(turn, planes=2)
        ways = [self._ways.index((turn[origin], turn[target])) + self.cells for origin, target in self._ways]
        return Symmetry(lambda state: image(state) | state & self._placed, [*turn, *ways].__getitem__)

    def _won(self, state: Packed) -> Packed:
        """Whether the player who is not to move has four stones in a line or a square."""
        stones = state >> (1 + self.cells * (1 - (state & 1)))
        found = 0
        for side, starts in self._squares:
            pairs = stones & stones >> side
            found = found | pairs & pairs >> side * self.columns & starts
        return (found != 0) | self._lines.held(stones)

    def _stuck(self, state: Packed) -> Packed:
        """Whether all stones are placed and none of the player to move has a free cell beside it."""
        own = state >> (1 + self.cells * (state & 1)) & self.full
        near = 0
        for step in self._steps:
            near = near | moved(own, step)
        return (near & self.free(state) == 0) & (state & self._placed != 0)

    @cached_property
    def _symmetries(self) -> tuple[Symmetry[int, int], ...]:
        return tuple(map(self._symmetry, turns(self.rows, self.columns)))

    @cached_property
    def _placed(self) -> int:
        """The bit of a state in which all stones are placed."""
        return 1 << (1 + 2 * self.cells)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.rows, self.columns, STONES)

    @cached_property
    def _squares(self) -> list[tuple[int, int]]:
        """By size: the distance between corners of a square, and its possible top left corners as bits."""
        sides = range(1, min(self.rows, self.columns) if self.advanced else 2)
        return [
            (
                side,
                sum(
                    1 << (row * self.columns + column)
                    for row in range(self.rows - side)
                    for column in range(self.columns - side)
                ),
            )
            for side in sides
        ]

    @cached_property
    def _steps(self) -> list[Step]:
        return steps(self.rows, self.columns)

    @cached_property
    def _ways(self) -> list[tuple[int, int]]:
        """The ways to move a stone, as pairs of the cell left and the cell entered."""
        return sorted(
            (cell - distance, cell)
            for distance, reached in self._steps
            for cell in range(self.cells)
            if reached >> cell & 1
        )

    @cached_property
    def _turns(self) -> list[Turn]:
        names = cell_names(self.cells, self.columns)
        placing = [
            Turn(names[cell], self._placed | self.on_both([cell]), 0, 0, 1 << (1 + cell))
            for cell in range(self.cells)
        ]
        moving = [
            Turn(
                f"{names[origin]}-{names[target]}",
                asked=self._placed | self.on_both([target]),
                wanted=self._placed,
                own=1 << (1 + origin),
                flipped=1 << (1 + origin) | 1 << (1 + target),
            )
            for origin, target in self._ways
        ]
        return placing + moving
