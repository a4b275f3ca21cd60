"""Three men's morris and its kin: place stones in turn, then move them, and get three in a line.

A state has a plane of bits for x's stones and one for o's, as in `solver.games.planes`; x begins.
A player who has not placed all stones yet places one (`4`), any other moves one (`4-0`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter, shown
from solver.game import Look, Symmetry
from solver.games.grid import mover_of_bits, written
from solver.games.morris_boards import BOARDS, Points
from solver.games.planes import MarkedBoard
from solver.games.sides import last_mover_wins, lead, side_with_fewer, unreadable, with_side
from solver.packed import Packed

__all__ = ["BOARDS", "Morris"]


@dataclass(frozen=True)
class Morris(MarkedBoard):
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
            raise BadParameter(f"there is no variant {shown(self.variant)}; there are {', '.join(BOARDS)}")

    @property
    def look(self) -> Look:
        """Black and white stones on the ways, or in holes where a stone may go anywhere."""
        stones, ways = {"x": "●", "o": "◎"}, self._points.drawn
        return Look(glyphs=stones if ways else {**stones, "": "·"}, ground="open", ways=ways)

    @cached_property
    def cells(self) -> int:
        """The number of points."""
        return self._points.size

    def by_row(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """The marks at the points, row by row."""
        return self._points.by_row(texts)

    @property
    def action_count(self) -> int:
        """One action for each point to place a stone on, then one for each way to move one."""
        return self.cells + len(self._points.moves)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, or be moved that way."""
        own, free = state >> (1 + self.cells * (state & 1)) & self.full, self.free(state)
        in_hand = sum(own >> point & 1 for point in range(self.cells)) < self._points.stones
        if action < self.cells:
            return in_hand & (free >> action & 1 == 1)
        origin, target = self._points.moves[action - self.cells]
        return (in_hand == 0) & (own >> origin & free >> target & 1 == 1)

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed or moved, the other side to move."""
        moved = action < self.cells
        flipped = (
            1 << action if moved else sum(1 << point for point in self._points.moves[action - self.cells])
        )
        return state ^ 1 ^ (flipped << (1 + self.cells * (state & 1)))

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
        return (
            str(action) if action < self.cells else "{}-{}".format(*self._points.moves[action - self.cells])
        )

    def position(self, state: int) -> str:
        """The points row by row, and the side to move unless it is what placing in turn makes it."""
        marks = self.marks(state)
        placing = len(marks) - marks.count("") < 2 * self._points.stones
        expected = lead(marks) if placing else None
        return with_side(written(self.board(state)), self.players, state & 1, expected)

    def parse(self, text: str) -> int:
        """The state of a text such as `x../.o./...` or `xxo/o../.xo o`.

        Where it does not say who is to move, it is the side with fewer stones, or x.
        """
        wanted = (
            f"{self.cells} points of x, o or . with at most {self._points.stones} of each, then x or o to "
            "say who is to move; that side has not won before"
        )
        marks, side = self.read(text, wanted)
        state = self.state(side_with_fewer(marks) if side is None else side, marks)
        if max(marks.count("x"), marks.count("o")) > self._points.stones or self._won(state ^ 1):
            raise unreadable(text, wanted)
        return state

    def show(self, state: int) -> str:
        """The points in lines; an empty one shows its number."""
        rows = self.by_row([mark or str(point) for point, mark in enumerate(self.marks(state))])
        return "\n\n".join("   ".join(row).center(9).rstrip() for row in rows)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """Those of the board."""
        return tuple(self._symmetry(moved) for moved in self._points.turns)

    def _symmetry(self, moved: Sequence[int]) -> Symmetry[int, int]:
        moves = [self._points.moves.index((moved[a], moved[b])) + self.cells for a, b in self._points.moves]
        return Symmetry(mover_of_bits(moved, planes=2), [*moved, *moves].__getitem__)

    @property
    def _points(self) -> Points:
        return BOARDS[self.variant]

    def _won(self, state: Packed) -> Packed:
        """Whether the player who is not to move has three in a line."""
        return self._points.held(state >> (1 + self.cells * (1 - (state & 1))))
