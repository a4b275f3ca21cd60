"""The legal moves of a chess ending: a piece leaves a square, enters another one and leaves its king safe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.games.chess_geometry import SLIDERS, Neighbour, Place, attacks, step_towards
from solver.games.chess_material import Material
from solver.games.chess_pieces import BETWEEN, TAKEN, WAYS
from solver.packed import Packed


@dataclass(frozen=True)
class Moves:
    """The moves of the given pieces."""

    material: Material

    @cached_property
    def table(self) -> list[tuple[int, int]]:
        """The moves that some piece can make on an empty board, as the squares left and entered, in order."""
        pairs = {
            (left, entered)
            for piece in self.material.pieces
            for left in range(64)
            for entered in BETWEEN[piece][left]
        }
        return sorted(pairs)

    @cached_property
    def leaving(self) -> list[range]:
        """The indices of the moves in `table` that leave each square; none leaves `TAKEN`."""
        firsts = [left for left, _ in self.table]
        ends = [firsts.index(square) for square in range(64)] + [len(firsts)] * 2
        return [range(ends[square], ends[square + 1]) for square in range(TAKEN + 1)]

    def is_legal(self, state: Packed, move: int) -> Packed:
        """Whether the move of that index is legal in a state that is not dead."""
        left, entered = self.table[move]
        places, legal = self.places(state), False
        for number in self._able(left, entered):
            is_there = places[number].square == left
            legal = legal | is_there & self._may_enter(state, places, number, Place(entered))
        if between := BETWEEN["Q"][left].get(entered, 0):
            for place in places:
                legal = legal & (between >> place.square & 1 == 0)
        return legal

    def result(self, state: Packed, move: int) -> Packed:
        """The state after a legal move: a piece on the square entered is taken, the other side is to move."""
        left, entered = self.table[move]
        able, after = self._able(left, entered), state ^ 1
        for number, square in enumerate(self.material.squares(state)):
            shift = self.material.shifts[number]
            if number in able:
                after = after ^ (square == left) * ((left ^ entered) << shift)
            if self.material.pieces[number] != "K":
                after = after ^ (square == entered) * ((TAKEN ^ entered) << shift)
        return self.material.ordered(after)

    def is_stuck(self, state: Packed) -> Packed:
        """Whether the side to move has no legal move."""
        places, stuck = self.places(state), True
        for number in range(len(places)):
            for target, is_in_reach in self._candidates(places, number):
                may_go = is_in_reach & target.is_on_board & self._may_enter(state, places, number, target)
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
        return [Place(square) for square in self.material.squares(state)]

    def _able(self, left: int, entered: int) -> list[int]:
        """The numbers of the pieces that can make a move on an empty board."""
        return [n for n, piece in enumerate(self.material.pieces) if entered in BETWEEN[piece][left]]

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
        if piece in SLIDERS:
            side, others = self.material.side(number), [each for each in places if each is not origin]
            for line in self._lines(places, places[self.material.king(side)], 1 - side):
                for target in line:
                    yield target, is_there & attacks(piece, origin, target, others)

    def _lines(self, places: Sequence[Place], king: Place, by: int) -> Iterator[list[Place]]:
        """The places from which each piece of the side `by` could give check: its own, and on to the king."""
        for number in self.material.sides[by]:
            piece, origin = self.material.pieces[number], places[number]
            if piece in SLIDERS:
                up, right = step_towards(origin, king)
                yield [Neighbour(origin, up * nth, right * nth) for nth in range(7)]
            elif piece == "N":
                yield [origin]
