"""The pieces of a chess ending without pawns: their squares packed into a state, their attacks and moves.

A state is one integer: the side to move in the lowest bit (0 is white), above it 7 bits for each piece,
white's first: its square, from 0 for a1 and 1 for b1 to 63 for h8, or 64 when it has been taken. Pieces that
are alike come in ascending order, so that one set-up is one state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from solver.games.chess_pieces import BETWEEN, RAYS, TAKEN

FIELD = 7
"""Bits per piece."""

Squares = list[int]


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
    def _alike(self) -> list[list[int]]:
        """The numbers of the pieces that are alike, where there are several."""
        groups = [[n for n, each in enumerate(self.letters) if each == letter] for letter in "QRBNqrbn"]
        return [group for group in groups if len(group) > 1]

    def king(self, side: int) -> int:
        """The number of the king of a side."""
        return self.white if side else 0

    def is_normal(self, squares: Sequence[int]) -> bool:
        """Whether pieces that are alike come in ascending order."""
        return all(squares[a] < squares[b] for group in self._alike for a, b in pairwise(group))

    def packed(self, side: int, squares: Sequence[int]) -> int:
        """The state of a side to move and the squares of the pieces, which are put in order."""
        if self._alike:
            squares = list(squares)
            for group in self._alike:
                for number, square in zip(group, sorted(squares[n] for n in group), strict=True):
                    squares[number] = square
        for number, square in enumerate(squares):
            side |= square << (1 + FIELD * number)
        return side

    def squares(self, state: int) -> Squares:
        """The square of each piece in a state."""
        return [state >> (1 + FIELD * number) & 127 for number in range(len(self.pieces))]

    def marks(self, state: int) -> list[str]:
        """The letters on the squares of the board, "" for none."""
        squares = self.squares(state)
        marks = [""] * 65
        for square, letter in zip(squares, self.letters, strict=True):
            marks[square] = letter
        return marks[:64]

    def is_dead(self, squares: Squares) -> bool:
        """Whether at most one minor piece is left beside the kings, so that no mate can come about."""
        left = [letter for letter, square in zip(self.pieces, squares, strict=True) if square != TAKEN]
        return len(left) == 2 or (len(left) == 3 and not {"Q", "R"} & {*left})

    def attacked(self, squares: Sequence[int], target: int, by: int) -> bool:
        """Whether a piece of the side `by` attacks the piece number `target`."""
        occupied = sum(1 << square for square in squares)
        for number in self.sides[by]:
            if squares[number] != TAKEN:
                between = BETWEEN[self.pieces[number]][squares[number]].get(squares[target])
                if between is not None and not between & occupied:
                    return True
        return False

    def played(self, squares: Squares, left: int, entered: int) -> Squares:
        """The squares of the pieces after a move, a piece on the square entered taken."""
        return [entered if square == left else TAKEN if square == entered else square for square in squares]

    def moves(self, side: int, squares: Squares) -> Iterator[int]:
        """The legal moves of a side, piece by piece, each 64 times the square left plus the one entered."""
        own = {squares[number] for number in self.sides[side]}
        other = {squares[number] for number in self.sides[1 - side]}
        for number in self.sides[side]:
            left = squares[number]
            for ray in RAYS[self.pieces[number]][left] if left != TAKEN else ():
                for entered in ray:
                    if entered in own:
                        break
                    if not self.attacked(self.played(squares, left, entered), self.king(side), 1 - side):
                        yield left * 64 + entered
                    if entered in other:
                        break
