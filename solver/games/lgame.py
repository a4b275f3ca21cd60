"""The L game by Edward de Bono: two L-shaped pieces and two neutral ones on a board of four by four.

A state is a tuple: the player to move (0 or 1), the four cells of the first player's L, those of the
second's and the two neutral ones, each as a number with one bit a cell; bit 0 is the cell at the top left.
An action is a tuple, too: the cells of the mover's L after it, and the neutral cell left and the one taken,
0 and 0 when both neutral pieces stay. Cells are named by the letters a to p, row by row.

Source: E. de Bono, *The Five-Day Course in Thinking* (1968).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.game import Game, Look, Symmetry
from solver.games.grid import by_row, drawn, written
from solver.games.l_places import CELLS, LETTERS, PLACES, SIZE, TURNS, bits, moved
from solver.games.sides import cells_and_side, last_mover_wins, unreadable, with_side

__all__ = ["PLACES", "LGame", "Pieces"]

Pieces = tuple[int, int, int, int]
Turn = tuple[int, int, int]


@dataclass(frozen=True)
class LGame(Game[Pieces, Turn]):
    """Move your L, then a neutral piece if you like; a player whose L cannot move loses.

    The move `aeij` puts the L on the cells a, e, i and j; `aeij+p-d` also takes a neutral piece from p to d.
    """

    title = "L game"
    players = ("x", "o")
    look = Look(glyphs={"x": "■", "o": "□", "n": "●"})

    @property
    def initial(self) -> Pieces:
        """The two L side by side in the middle, x to move."""
        return self.parse("nxx./.ox./.ox./.oon x")

    def to_move(self, state: Pieces) -> int:
        """The player to move."""
        return state[0]

    def actions(self, state: Pieces) -> Sequence[Turn]:
        """Every new place of the mover's L, each with every way to leave or move the neutral pieces."""
        return list(self._turns(state))

    def result(self, state: Pieces, action: Turn) -> Pieces:
        """The board after the turn, the other side to move."""
        mover, first, second, neutral = state
        place, left, taken = action
        if mover == 0:
            return (1, place, second, neutral ^ left ^ taken)
        return (0, first, place, neutral ^ left ^ taken)

    def is_terminal(self, state: Pieces) -> bool:
        """Whether the mover's L cannot move."""
        return next(self._turns(state), None) is None

    def utility(self, state: Pieces) -> int:
        """1 when o cannot move, -1 when x cannot."""
        return int(last_mover_wins(state[0]))

    def action_name(self, action: Turn) -> str:
        """The cells of the L, and from and to which cell a neutral piece moves."""
        place, left, taken = (self._letters(board) for board in action)
        return f"{place}+{left}-{taken}" if left else place

    def position(self, state: Pieces) -> str:
        """The rows, `n` a neutral piece, and the side to move."""
        return with_side(written(self.board(state)), self.players, state[0])

    def parse(self, text: str) -> Pieces:
        """The state of a text such as `nxx./.ox./.ox./.oon o`; without a side x is to move."""
        wanted = (
            "4 rows of 4 cells: an L of x, an L of o, two n (neutral) and . then x or o: the side to move"
        )
        cells, side = cells_and_side(text, self.players, CELLS, "xon", wanted)
        first, second, neutral = (
            sum(1 << at for at, mark in enumerate(cells) if mark == each) for each in "xon"
        )
        if first not in PLACES or second not in PLACES or cells.count("n") != 2:
            raise unreadable(text, wanted)
        return (side or 0, first, second, neutral)

    def board(self, state: Pieces) -> Sequence[Sequence[str]]:
        """Rows of cells: "x", "o", "n" or ""."""
        return by_row(self._marks(state), SIZE)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The letters of the cells."""
        return by_row(LETTERS, SIZE)

    def show(self, state: Pieces) -> str:
        """The board in lines, an empty cell as its letter."""
        marks = self._marks(state)
        return drawn([mark.upper() or letter for mark, letter in zip(marks, LETTERS, strict=True)], SIZE)

    def symmetries(self) -> Sequence[Symmetry[Pieces, Turn]]:
        """The reflections and rotations of the board."""
        return tuple(self._symmetry(turn) for turn in TURNS)

    def states_at_most(self) -> int:
        """Two (for the side to move) times the arrangements of the pieces."""
        pairs = sum(1 for first in PLACES for second in PLACES if not first & second)
        return 2 * pairs * 28  # two of eight cells are neutral

    def _symmetry(self, turn: tuple[int, ...]) -> Symmetry[Pieces, Turn]:
        def state(state: Pieces) -> Pieces:
            mover, first, second, neutral = state
            return mover, moved(first, turn), moved(second, turn), moved(neutral, turn)

        def action(action: Turn) -> Turn:
            place, left, taken = action
            return moved(place, turn), moved(left, turn), moved(taken, turn)

        return Symmetry(state, action)

    def _turns(self, state: Pieces) -> Iterator[Turn]:
        mover, *ls, neutral = state
        own, other = ls[mover], ls[1 - mover]
        for place in PLACES:
            if place != own and not place & (other | neutral):
                yield (place, 0, 0)
                free = bits((1 << CELLS) - 1 & ~(place | other | neutral))
                yield from ((place, left, taken) for left in bits(neutral) for taken in free)

    def _letters(self, board: int) -> str:
        return "".join(LETTERS[bit.bit_length() - 1] for bit in bits(board))

    def _marks(self, state: Pieces) -> list[str]:
        marks = [""] * CELLS
        for mark, board in zip("xon", state[1:], strict=True):
            for bit in bits(board):
                marks[bit.bit_length() - 1] = mark
        return marks
