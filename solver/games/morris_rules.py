"""The rules of morris on a board of points: where three in a line win, and where they take an enemy stone.

A state has the side to move in the lowest bit (0 is x), above it a plane of bits for x's stones and one for
o's. With mills there follow 4 bits for the number of stones that both have placed so far, and one that is set
while the side to move has just closed a mill and takes a stone. Placing comes before moving and goes in turn,
so what each side has left to place follows from the number for both.

An action places a stone on a point, or moves one, in order of `Points.moves`, or takes the one on a point.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.games.morris_boards import Points
from solver.packed import Packed, bit_count

FEWEST = 3
"""With fewer stones there is no mill to be closed any more: the game is lost."""


@dataclass(frozen=True)
class MorrisRules(ABC):
    """What is common to the rules of morris."""

    points: Points

    @property
    @abstractmethod
    def action_count(self) -> int:
        """The number of actions."""

    @abstractmethod
    def is_terminal(self, state: Packed) -> Packed:
        """Whether the game is over; the side to move has then lost."""

    @abstractmethod
    def legal(self, state: Packed, action: int) -> Packed:
        """Whether an action may be played in a state that is not terminal."""

    @abstractmethod
    def result(self, state: Packed, action: int) -> Packed:
        """The state after a legal action."""

    @abstractmethod
    def tier(self, state: Packed) -> Packed:
        """A number that never falls: of stones placed, and taken."""

    def on_board(self, state: Packed) -> Packed:
        """The number of stones on the board."""
        return bit_count(state >> 1 & (1 << 2 * self.points.size) - 1)

    def stones(self, state: Packed) -> tuple[Packed, Packed]:
        """The stones of the side to move and those of the other, the lowest bit for point 0."""
        size, full = self.points.size, (1 << self.points.size) - 1
        return state >> (1 + size * (state & 1)) & full, state >> (1 + size * (1 - (state & 1))) & full

    def free(self, state: Packed) -> Packed:
        """The empty points, the lowest bit for point 0."""
        own, other = self.stones(state)
        return (own | other) ^ ((1 << self.points.size) - 1)

    def is_taking(self, action: int) -> bool:
        """Whether an action takes a stone."""
        return action >= self.points.size + len(self.points.moves)

    def steps(self, action: int) -> Sequence[int]:
        """The points whose stone an action changes: one to place or to take on, or two of a move."""
        size, moves = self.points.size, self.points.moves
        return moves[action - size] if size <= action < size + len(moves) else (action % (size + len(moves)),)


class LineRules(MorrisRules):
    """Whoever gets three in a line wins, and who cannot move loses; no stone is ever taken."""

    @property
    def action_count(self) -> int:
        """One action for each point to place a stone on, then one for each way to move one."""
        return self.points.size + len(self.points.moves)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, or be moved that way."""
        (own, _), free = self.stones(state), self.free(state)
        in_hand = sum(own >> point & 1 for point in range(self.points.size)) < self.points.stones
        if action < self.points.size:
            return in_hand & (free >> action & 1 == 1)
        origin, target = self.steps(action)
        return (in_hand == 0) & (own >> origin & free >> target & 1 == 1)

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed or moved, the other side to move."""
        flipped = sum(1 << point for point in self.steps(action))
        return state ^ 1 ^ (flipped << (1 + self.points.size * (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player who has just moved has three in a line, or the other cannot move."""
        stuck = True
        for action in range(self.action_count):
            stuck = stuck & (self.legal(state, action) == 0)
        return stuck | self.points.held(self.stones(state)[1])

    def tier(self, state: Packed) -> Packed:
        """The number of stones placed."""
        return self.on_board(state)


class MillRules(MorrisRules):
    """Whoever closes a mill, three in a line, takes a stone, from outside mills if there is one.

    Two mills closed at once take one stone. Once all stones are placed, a player loses who is to move and has
    fewer than three left, or cannot move. Nobody flies: the last three stones move along the lines, too.
    """

    @cached_property
    def placed(self) -> int:
        """The lowest bit of the number of stones placed."""
        return 1 + 2 * self.points.size

    @cached_property
    def takes(self) -> int:
        """The bit that is set while the side to move takes a stone."""
        return self.placed + (2 * self.points.stones).bit_length()

    @property
    def action_count(self) -> int:
        """One action for each point to place a stone on, way to move one, and point to take one from."""
        return 2 * self.points.size + len(self.points.moves)

    def is_placing(self, state: Packed) -> Packed:
        """Whether stones are left to be placed."""
        return self.count(state) < 2 * self.points.stones

    def count(self, state: Packed) -> Packed:
        """The number of stones that both players have placed."""
        return state >> self.placed & ((1 << (self.takes - self.placed)) - 1)

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, be moved that way, or be taken."""
        (own, other), is_taking = self.stones(state), state >> self.takes & 1 == 1
        if self.is_taking(action):
            return is_taking & (self._exposed(other) >> self.steps(action)[0] & 1 == 1)
        *left, entered = self.steps(action)
        fits = (is_taking == 0) & ((own | other) >> entered & 1 == 0)
        if not left:
            return fits & self.is_placing(state)
        return fits & (self.is_placing(state) == 0) & (own >> left[0] & 1 == 1)

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed, moved or taken; the other side is to move, unless a mill has been closed."""
        (own, other), side, size = self.stones(state), state & 1, self.points.size
        *left, entered = self.steps(action)
        if self.is_taking(action):
            return state ^ 1 ^ (1 << self.takes) ^ (1 << entered) << (1 + size * (1 - side))
        flipped = sum(1 << point for point in (*left, entered))
        closed = self._closes(own, left, entered) & (other != 0)
        moved = state ^ 1 ^ (flipped << (1 + size * side)) ^ closed * (1 | 1 << self.takes)
        return moved if left else moved + (1 << self.placed)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether all stones are placed, and the side to move has fewer than three or cannot move."""
        (own, _), free = self.stones(state), self.free(state)
        stuck = True
        for origin, target in self.points.moves:
            stuck = stuck & (own >> origin & free >> target & 1 == 0)
        for _ in range(FEWEST - 1):
            own = own & (own - 1)  # without the lowest stone
        return (stuck | (own == 0)) & (self.is_placing(state) == 0) & (state >> self.takes & 1 == 0)

    def tier(self, state: Packed) -> Packed:
        """The number of stones placed plus those taken."""
        return 2 * self.count(state) - self.on_board(state)

    def _closes(self, own: Packed, left: Sequence[int], entered: int) -> Packed:
        """Whether a stone that enters a point, from where it `left` if from any, completes a line there."""
        found = False
        for line in self.points.lines:
            if entered in line and not {*left} & {*line}:
                rest = sum(1 << point for point in line if point != entered)
                found = found | (own & rest == rest)
        return found

    def _exposed(self, stones: Packed) -> Packed:
        """Those of the stones that may be taken: the ones outside mills, or all if there is none."""
        safe = 0
        for line in self.points.lines:
            bits = sum(1 << point for point in line)
            safe = safe | (stones & bits == bits) * bits
        return stones ^ safe * (safe != stones)
