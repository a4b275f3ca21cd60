"""The pieces of a chess ending without pawns, and how their squares are packed into a state.

A state is one integer: the side to move in the lowest bit (0 is white), above it 7 bits for each piece,
white's first: its square, from 0 for a1 and 1 for b1 to 63 for h8, or 64 when it has been taken. Pieces that
are alike come in ascending order, so that one set-up is one state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from solver.games.chess_pieces import TAKEN
from solver.packed import Packed

FIELD = 7
"""Bits per piece."""

STRENGTH = {"K": 0, "Q": 2, "R": 2, "B": 1, "N": 1}
"""By piece: mate may come about if the sum for all pieces on the board is 2 or more."""


def turned(squares: Packed, fields: int, *, transposed: bool, flipped: int) -> Packed:
    """The squares after a reflection at the long diagonal, if `transposed`, and then others.

    `fields` has the lowest bit of each square set; of `flipped` bits 0 to 2 for files and bits 3 to 5 for
    rows. A piece that has been taken stays so.
    """
    if transposed:
        rows, files = squares & 56 * fields, squares & 7 * fields
        squares = squares ^ rows ^ files | rows >> 3 | files << 3
    return squares ^ ((squares >> 6 & fields) ^ fields) * flipped


@dataclass(frozen=True)
class Material:
    """The pieces of both sides, numbered from 0, white's first; each side has a king first."""

    pieces: str

    @cached_property
    def white(self) -> int:
        """The number of white's pieces."""
        return self.pieces.index("K", 1)

    @cached_property
    def letters(self) -> str:
        """The pieces as in FEN."""
        return self.pieces[: self.white] + self.pieces[self.white :].lower()

    @cached_property
    def sides(self) -> tuple[range, range]:
        """The numbers of white's pieces and of black's."""
        return range(self.white), range(self.white, len(self.pieces))

    @cached_property
    def shifts(self) -> list[int]:
        """The lowest bit of each piece's square."""
        return [1 + FIELD * number for number in range(len(self.pieces))]

    @cached_property
    def taken(self) -> int:
        """The bits of a state that are set for pieces that have been taken."""
        return sum(TAKEN << shift for shift in self.shifts)

    @cached_property
    def doubled(self) -> str:
        """The kinds of pieces of which a side has several."""
        return "".join(self.letters[group[0]].upper() for group in self._alike)

    @cached_property
    def _alike(self) -> list[list[int]]:
        """The numbers of the pieces that are alike, where there are several."""
        groups = [[n for n, each in enumerate(self.letters) if each == letter] for letter in "QRBNqrbn"]
        return [group for group in groups if len(group) > 1]

    def side(self, number: int) -> int:
        """The side of a piece."""
        return int(number >= self.white)

    def king(self, side: int) -> int:
        """The number of the king of a side."""
        return self.sides[side].start

    def are_apart(self, squares: Sequence[Packed]) -> Packed:
        """Whether all pieces are on different squares, and those that are alike in ascending order."""
        apart = True
        for one, other in combinations(range(len(squares)), 2):
            alike = self.letters[one] == self.letters[other]
            apart = apart & (squares[one] < squares[other] if alike else squares[one] != squares[other])
        return apart

    def packed(self, side: int, squares: Sequence[Packed]) -> Packed:
        """The state of a side to move and the squares of the pieces."""
        state: Packed = side
        for shift, square in zip(self.shifts, squares, strict=True):
            state = state | square << shift
        return state

    def ordered(self, state: Packed) -> Packed:
        """The state with pieces that are alike in ascending order, by bubble sort."""
        for group in self._alike:
            for last in range(len(group), 1, -1):
                for low, high in pairwise(self.shifts[number] for number in group[:last]):
                    one, other = state >> low & 127, state >> high & 127
                    exchanged = (one ^ other) * (other < one)
                    state = state ^ (exchanged << low) ^ (exchanged << high)
        return state

    def turned(self, state: Packed, *, transposed: bool, flipped: int) -> Packed:
        """The state after a reflection or rotation of the board, as by `turned`."""
        fields = sum(1 << shift for shift in self.shifts)
        return self.ordered(turned(state, fields, transposed=transposed, flipped=flipped))

    def squares(self, state: Packed) -> list[Packed]:
        """The square of each piece in a state."""
        return [state >> shift & 127 for shift in self.shifts]

    def marks(self, state: int) -> list[str]:
        """The letters on the squares of the board, "" for none."""
        marks = [""] * 65
        for square, letter in zip(self.squares(state), self.letters, strict=True):
            marks[square] = letter
        return marks[:64]

    def is_dead(self, state: Packed) -> Packed:
        """Whether at most one minor piece is left beside the kings, so that no mate can come about."""
        left = 0
        for square, piece in zip(self.squares(state), self.pieces, strict=True):
            if piece != "K":
                left = left + (square != TAKEN) * STRENGTH[piece]
        return left < 2
