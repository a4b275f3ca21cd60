"""Three men's morris and its kin: place stones in turn, then move them, and get three in a line.

A state is one integer; with n points, numbered row by row from 0 at the top left:

    bit   2n ... n+1   n ... 1     0
          o's stones   x's stones  side to move: 0 is x, 1 is o

A player who has not placed all stones yet places one (`4`), any other moves one (`4-0`). Boards and rules:
H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), and C. Zaslavsky, *Tic Tac Toe* (1982).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from solver.errors import BadParameter
from solver.game import Symmetry
from solver.games.grid import marks_of, mover_of_bits, plain_cells, state_of, turns
from solver.games.sides import board_and_side, last_mover_wins, lead, side_with_fewer, unreadable
from solver.packed import Packed, PackedGame

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
FAN = ((0, 1, 4), (0, 2, 5), (0, 3, 6), (1, 2, 3), (4, 5, 6))
ANYWHERE = tuple((a, b) for a in range(9) for b in range(a))
SQUARE = tuple(turns(3, 3))


class Points(NamedTuple):
    """What is drawn on the ground."""

    widths: tuple[int, ...]
    """How many points each row has."""
    lines: tuple[tuple[int, int, int], ...]
    """Three in any of these wins."""
    ways: tuple[tuple[int, ...], ...]
    """A stone moves from a point to the next one of a way, or back."""
    stones: int
    """How many each player has."""
    turns: tuple[tuple[int, ...], ...]
    """Where each point goes in the symmetries."""


BOARDS = {
    "tapatan": Points((3, 3, 3), ROWS + DIAGONALS, ROWS + DIAGONALS, 3, SQUARE),
    "three-mens-morris": Points((3, 3, 3), ROWS + DIAGONALS, ROWS, 3, SQUARE),
    "nine-holes": Points((3, 3, 3), ROWS, ANYWHERE, 3, SQUARE),
    "achi": Points((3, 3, 3), ROWS + DIAGONALS, ROWS + DIAGONALS, 4, SQUARE),
    "tsoro-yematatu": Points((1, 3, 3), FAN, FAN, 3, ((0, 3, 2, 1, 6, 5, 4),)),
}


@dataclass(frozen=True)
class Morris(PackedGame):
    """Place stones, then move them along the lines; three in a line win, who cannot move loses.

    The boards are `tapatan` (diagonals to move along), `three-mens-morris` (none), `nine-holes` (moves to any
    point, no diagonals to win by), `achi` (tapatan with four stones) and `tsoro-yematatu` (seven points). The
    move `4` places a stone, `4-0` moves one; points are numbered row by row from 0.
    """

    variant: str = "tapatan"

    players = ("x", "o")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a variant that is not known."""
        if self.variant not in BOARDS:
            raise BadParameter(f"there is no variant {self.variant!r}; there are {', '.join(BOARDS)}")

    @property
    def action_count(self) -> int:
        """One action for each point to place a stone on, then one for each way to move one."""
        return self._size + len(self._moves)

    @property
    def initial(self) -> int:
        """The empty board, x to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, or be moved that way."""
        own = state >> (1 + self._size * (state & 1)) & self._full
        in_hand = sum(own >> point & 1 for point in range(self._size)) < self._points.stones
        if action < self._size:
            return in_hand & (self._free(state) >> action & 1 == 1)
        origin, target = self._moves[action - self._size]
        return (in_hand == 0) & (own >> origin & self._free(state) >> target & 1 == 1)

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed or moved, the other side to move."""
        moved = action < self._size
        flipped = 1 << action if moved else sum(1 << point for point in self._moves[action - self._size])
        return state ^ 1 ^ (flipped << (1 + self._size * (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player who has just moved has three in a line, or the other cannot move."""
        stuck = True
        for action in range(self.action_count):
            stuck = stuck & (self.legal(state, action) == 0)
        return stuck | self._won(state)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has: always the player who has just moved."""
        return last_mover_wins(state & 1)

    def action_name(self, action: int) -> str:
        """The point to place a stone on, or from and to which point one is moved."""
        return str(action) if action < self._size else "{}-{}".format(*self._moves[action - self._size])

    def position(self, state: int) -> str:
        """The points row by row, and the side to move unless it is what placing in turn makes it."""
        marks = "".join(mark or "." for mark in marks_of(state, self._size))
        text = "/".join(map("".join, self._rows(marks)))
        placing = marks.count("x") + marks.count("o") < 2 * self._points.stones
        return text if placing and lead(marks) == state & 1 else f"{text} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `x../.o./...` or `xxo/o../.xo o`.

        Where it does not say who is to move, it is the side with fewer stones, or x.
        """
        wanted = (
            f"{self._size} points of x, o or . with at most {self._points.stones} of each, then x or o to "
            "say who is to move; that side has not won before"
        )
        board, side = board_and_side(text, self.players, wanted)
        marks = plain_cells(board)
        if len(marks) != self._size or not set(marks) <= {"x", "o", "."}:
            raise unreadable(text, wanted)
        turn = side_with_fewer(marks) if side is None else side
        state = state_of(turn, marks)
        if max(marks.count("x"), marks.count("o")) > self._points.stones or self._won(state ^ 1):
            raise unreadable(text, wanted)
        return state

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of points: "x", "o" or ""."""
        return self._rows(marks_of(state, self._size))

    def show(self, state: int) -> str:
        """The points in lines; an empty one shows its number."""
        rows = self._rows([mark or str(point) for point, mark in enumerate(marks_of(state, self._size))])
        return "\n\n".join("   ".join(row).center(9).rstrip() for row in rows)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """Those of the board."""
        return tuple(self._symmetry(moved) for moved in self._points.turns)

    def _symmetry(self, moved: Sequence[int]) -> Symmetry[int, int]:
        moves = [self._moves.index((moved[a], moved[b])) + self._size for a, b in self._moves]
        return Symmetry(mover_of_bits(moved, planes=2), [*moved, *moves].__getitem__)

    @property
    def _points(self) -> Points:
        return BOARDS[self.variant]

    @cached_property
    def _size(self) -> int:
        return sum(self._points.widths)

    @cached_property
    def _full(self) -> int:
        return (1 << self._size) - 1

    @cached_property
    def _moves(self) -> list[tuple[int, int]]:
        steps = {step for way in self._points.ways for a, b in pairwise(way) for step in ((a, b), (b, a))}
        return sorted(steps)

    def _free(self, state: Packed) -> Packed:
        return (state >> 1 | state >> (1 + self._size)) & self._full ^ self._full

    def _won(self, state: Packed) -> Packed:
        """Whether the player who is not to move has three in a line."""
        stones = state >> (1 + self._size * (1 - (state & 1)))
        found = False
        for line in self._points.lines:
            bits = sum(1 << point for point in line)
            found = found | (stones & bits == bits)
        return found

    def _rows(self, marks: Sequence[str]) -> list[Sequence[str]]:
        ends = list(accumulate(self._points.widths))
        return [marks[end - width : end] for width, end in zip(self._points.widths, ends, strict=True)]
