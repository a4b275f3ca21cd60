r"""Pong Hau K'i, also Umul Gonu: two stones each on five points; block the other side.

The points, and the ways between them; there is none between 0 and 1:

    0   1       A state is one integer, of which bit 0 is the side to move (0 is x, 1 is o), bits 1 to 5
    |\ /|       are x's stones and bits 6 to 10 o's.
    | 2 |
    |/ \|
    3---4
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.game import Look, Symmetry
from solver.games.grid import marks_of, mover_of_bits, plain_cells, state_of
from solver.games.sides import board_and_side, last_mover_wins, unreadable
from solver.packed import Packed, PackedGame

POINTS = 5
WAYS = ((0, 2), (0, 3), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4))
MOVES = sorted((*WAYS, *((b, a) for a, b in WAYS)))
MIRROR = (1, 0, 2, 4, 3)
CELLS = ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))
"""The cell of each point on the board."""


@dataclass(frozen=True)
class PongHauKi(PackedGame):
    """Move a stone to the empty point of five; who cannot move loses.

    The move `3-2` takes a stone from 3 to 2; the points are numbered row by row, 2 is the middle.
    """

    title = "Pong Hau K'i"
    players = ("x", "o")
    look = Look(
        glyphs={"x": "●", "o": "◎"}, ground="open", ways=[(CELLS[start], CELLS[end]) for start, end in WAYS]
    )

    @property
    def action_count(self) -> int:
        """One action for each way, in each direction."""
        return len(MOVES)

    @property
    def initial(self) -> int:
        """O's stones at the top, x's at the bottom, x to move."""
        return state_of(0, "oo.xx")

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the mover's stone is there and the way leads to the empty point."""
        origin, target = MOVES[action]
        own = state >> (1 + POINTS * (state & 1) + origin)
        taken = state >> (1 + target) | state >> (1 + POINTS + target)
        return own & (taken ^ 1) & 1 == 1

    def result(self, state: Packed, action: int) -> Packed:
        """The board after the move, the other side to move."""
        origin, target = MOVES[action]
        return state ^ 1 ^ ((1 << origin | 1 << target) << (1 + POINTS * (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player to move is blocked."""
        stuck = True
        for action in range(self.action_count):
            stuck = stuck & (self.legal(state, action) == 0)
        return stuck

    def utility(self, state: Packed) -> Packed:
        """1 when o is blocked, -1 when x is."""
        return last_mover_wins(state & 1)

    def action_name(self, action: int) -> str:
        """The point left and the point entered."""
        return "{}-{}".format(*MOVES[action])

    def position(self, state: int) -> str:
        """The points row by row, and the side to move."""
        marks = "".join(mark or "." for mark in marks_of(state, POINTS))
        return f"{marks[:2]}/{marks[2]}/{marks[3:]} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `oo/x/x. o`; without a side x is to move."""
        wanted = "5 points, two of x, two of o and one . then x or o: the side to move"
        board, side = board_and_side(text, self.players, wanted)
        marks = plain_cells(board)
        if sorted(marks) != sorted("oo.xx"):
            raise unreadable(text, wanted)
        return state_of(side or 0, marks)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Three rows of three, the points in the corners and the middle: "x", "o" or ""."""
        a, b, middle, c, d = marks_of(state, POINTS)
        return [[a, "", b], ["", middle, ""], [c, "", d]]

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the points."""
        return [["0", "", "1"], ["", "2", ""], ["3", "", "4"]]

    def show(self, state: int) -> str:
        """The board with the ways drawn; the empty point shows its number."""
        texts = [mark or str(point) for point, mark in enumerate(marks_of(state, POINTS))]
        return "{}   {}\n|\\ /|\n| {} |\n|/ \\|\n{}---{}".format(*texts)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        moves = [MOVES.index((MIRROR[origin], MIRROR[target])) for origin, target in MOVES]
        return (Symmetry(mover_of_bits(MIRROR, planes=2), moves.__getitem__),)

    def states_at_most(self) -> int:
        """Two (for the side to move) times the ways to place the stones."""
        return 60
