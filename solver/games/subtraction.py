"""The subtraction game: one heap, of which a move takes one of the allowed numbers.

A state is one integer: twice the size of the heap, plus the player to move (0 or 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import BadParameter
from solver.games.grid import refuse_outside
from solver.games.sides import board_and_side, last_mover_wins, unreadable
from solver.packed import STATE_BITS, Packed, PackedGame

MOST = (1 << (STATE_BITS - 1)) - 1
"""The largest heap: the side to move takes one bit of the state."""

MOST_TAKES = 1_000


@dataclass(frozen=True)
class Subtraction(PackedGame):
    """Take one of the allowed numbers from a heap; who cannot move loses, or with `misere` wins."""

    heap: int = 10
    take: tuple[int, ...] = (1, 2, 3)
    misere: bool = False

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a heap below 0 or too large, or numbers that cannot be taken."""
        refuse_outside(0, MOST, heap=self.heap)
        if len(set(self.take)) not in range(1, MOST_TAKES + 1) or len(set(self.take)) < len(self.take):
            raise BadParameter(f"take must be different numbers, at most {MOST_TAKES:,}, such as take=1,2,3")
        for number in self.take:
            refuse_outside(1, MOST, take=number)

    @property
    def title(self) -> str:
        """The game, its heap and what may be taken."""
        return f"Subtraction of {', '.join(map(str, self.take))} from {self.heap}{', misère' * self.misere}"

    @property
    def action_count(self) -> int:
        """One action for each number that may be taken, in the order of `take`."""
        return len(self.take)

    @property
    def initial(self) -> int:
        """The whole heap, the first player to move."""
        return 2 * self.heap

    def to_move(self, state: Packed) -> Packed:
        """The player to move."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether there are as many left."""
        return state >> 1 >= self.take[action]

    def result(self, state: Packed, action: int) -> Packed:
        """The heap without them, the other side to move."""
        return (state ^ 1) - 2 * self.take[action]

    def is_terminal(self, state: Packed) -> Packed:
        """Whether even the smallest number is too large."""
        return state >> 1 < min(self.take)

    def utility(self, state: Packed) -> Packed:
        """1 when the second player cannot move, -1 when the first cannot; the reverse in misère play."""
        return last_mover_wins(state & 1, misere=self.misere)

    def action_name(self, action: int) -> int:
        """The number that is taken."""
        return self.take[action]

    def position(self, state: int) -> str:
        """The number left, and the side to move."""
        return f"{state >> 1} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `7 second`; without a side the first player is to move."""
        wanted = f"a number up to {self.heap}, then first or second: the side to move"
        left, side = board_and_side(text, self.players, wanted)
        if not (left.isdecimal() and left.isascii() and len(left) < 20) or int(left) > self.heap:
            raise unreadable(text, wanted)
        return 2 * int(left) + (side or 0)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """One cell with the number left."""
        return [[str(state >> 1)]]

    def show(self, state: int) -> str:
        """The number left, and the numbers that may be taken."""
        takes = ", ".join(str(number) for number in self.take if number <= state >> 1)
        return f"{state >> 1} left; {f'take {takes}' if takes else 'nothing may be taken'}"

    def states_at_most(self) -> int:
        """Two (for the side to move) times the numbers that may be left."""
        return 2 * (self.heap + 1)
