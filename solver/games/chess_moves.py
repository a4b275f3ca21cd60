"""The legal moves of a chess ending: a piece leaves a square, enters another one and leaves its king safe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.games.chess_geometry import LINES, Neighbour, Place, attacks, step_towards
from solver.games.chess_material import Material
from solver.games.chess_pieces import BETWEEN, FILES, TAKEN, WAYS
from solver.packed import Packed, short


class ChessMove(NamedTuple):
    """A kind of piece enters a square."""

    letter: str
    left: int | None
    """The square that it leaves; None if no side has two pieces of the kind, so that nobody has to ask."""
    entered: int

    def __str__(self) -> str:
        """The move in algebraic notation without the sign for taking, such as Qb2 or Na1b3."""
        squares = [square for square in (self.left, self.entered) if square is not None]
        return self.letter + "".join(f"{FILES[square % 8]}{square // 8 + 1}" for square in squares)

    def turned(self, images: Sequence[int]) -> "ChessMove":
        """The move on a board that is turned: `images` has the new square for each one."""
        left = None if self.left is None else images[self.left]
        return ChessMove(self.letter, left, images[self.entered])


@dataclass(frozen=True)
class Moves:
    """The moves of the given pieces."""

    material: Material

    @cached_property
    def table(self) -> list[ChessMove]:
        """The moves that some piece can make on an empty board, in order of pieces and squares."""
        return [
            ChessMove(letter, left, entered)
            for letter in dict.fromkeys(self.material.pieces)
            for left in (range(64) if letter in self.material.doubled else [None])
            for entered in (range(64) if left is None else sorted(BETWEEN[letter][left]))
        ]

    @cached_property
    def numbers(self) -> dict[ChessMove, int]:
        """The index of each move in `table`."""
        return {move: number for number, move in enumerate(self.table)}

    def from_square(self, letter: str, square: int) -> list[int]:
        """The indices of the moves of a piece on an empty board."""
        left = square if letter in self.material.doubled else None
        return [self.numbers[ChessMove(letter, left, entered)] for entered in BETWEEN[letter][square]]

    def is_legal(self, state: Packed, number: int) -> Packed:
        """Whether the move of that index is legal in a state that is not dead."""
        move, places, legal = self.table[number], self.places(state), False
        for piece in self._able(move):
            can_enter = self._may_enter(state, places, piece, Place(move.entered))
            legal = legal | self._can_go(places, piece, move) & can_enter
        return legal

    def result(self, state: Packed, number: int) -> Packed:
        """The state after a legal move: a piece on the square entered is taken, the other side is to move."""
        move, after = self.table[number], state ^ 1
        for piece, square in enumerate(self.material.squares(state)):
            shift = self.material.shifts[piece]
            if self.material.pieces[piece] == move.letter:
                is_it = state & 1 == self.material.side(piece) if move.left is None else square == move.left
                after = after ^ (is_it * (square ^ move.entered) << shift)
            if self.material.pieces[piece] != "K":
                after = after ^ ((square == move.entered) * (TAKEN ^ move.entered) << shift)
        return self.material.ordered(after)

    def is_stuck(self, state: Packed) -> Packed:
        """Whether the side to move has no legal move."""
        places, stuck = self.places(state), True
        for piece in range(len(places)):
            for target, is_in_reach in self._candidates(places, piece):
                may_go = is_in_reach & target.is_on_board & self._may_enter(state, places, piece, target)
                stuck = stuck & (may_go == 0)
        return stuck

    def is_check(self, places: Sequence[Place], by: int, entered: Place | None = None) -> Packed:
        """Whether a piece of the side `by` attacks the other king; those on the square `entered` are taken.

        If a piece other than the king has entered it, the kings are taken to be apart.
        """
        king, found = places[self.material.king(1 - by)], False
        for number in self.material.sides[by]:
            piece, place = self.material.pieces[number], places[number]
            if piece == "K" and entered not in (None, king):
                continue
            others = [each for each in places if each not in (place, king)]
            hit = attacks(piece, place, king, others)
            if piece != "K":
                hit = hit & place.is_on_board
                hit = hit if entered is None else hit & (place.square != entered.square)
            found = found | hit
        return found

    def places(self, state: Packed) -> list[Place]:
        """The place of each piece in a state."""
        return [Place(short(square)) for square in self.material.squares(state)]

    def _able(self, move: ChessMove) -> list[int]:
        """The numbers of the pieces that can make a move."""
        return [number for number, letter in enumerate(self.material.pieces) if letter == move.letter]

    def _can_go(self, places: Sequence[Place], piece: int, move: ChessMove) -> Packed:
        """Whether a piece that is to make a move is there, and nothing in its way."""
        origin, others = places[piece], [*places[:piece], *places[piece + 1 :]]
        if move.left is None:
            return origin.is_on_board & attacks(move.letter, origin, Place(move.entered), others)
        is_free = attacks(move.letter, Place(move.left), Place(move.entered), others)
        return (origin.square == move.left) & is_free

    def _may_enter(self, state: Packed, places: Sequence[Place], number: int, target: Place) -> Packed:
        """Whether a piece belongs to the side to move, and may enter a place that is in its reach."""
        side = self.material.side(number)
        allowed = state & 1 == side
        for own in self.material.sides[side]:
            allowed = allowed & (places[own].square != target.square)
        after = [*places[:number], target, *places[number + 1 :]]
        return allowed & (self.is_check(after, 1 - side, target) == 0)

    def _candidates(self, places: Sequence[Place], number: int) -> Iterator[tuple[Place, Packed]]:
        """Places among which a piece that can move finds one to move to, and whether each is in its reach.

        Out of check a slider that can move can also take one step the same way. In check it takes the
        attacker, or enters the line from there to the king.
        """
        piece, origin = self.material.pieces[number], places[number]
        is_there = piece == "K" or origin.is_on_board
        for up, right in WAYS[piece]:
            yield Neighbour(origin, up, right), is_there
        if piece in LINES:
            side, others = self.material.side(number), [each for each in places if each is not origin]
            for line in self._lines(places, places[self.material.king(side)], 1 - side):
                for target in line:
                    yield target, is_there & attacks(piece, origin, target, others)

    def _lines(self, places: Sequence[Place], king: Place, by: int) -> Iterator[list[Place]]:
        """The places from which each piece of the side `by` could give check: its own, and on to the king."""
        for number in self.material.sides[by]:
            piece, origin = self.material.pieces[number], places[number]
            if piece in LINES:
                up, right = step_towards(origin, king)
                yield [Neighbour(origin, up * nth, right * nth) for nth in range(7)]
            elif piece == "N":
                yield [origin]
