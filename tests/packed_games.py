"""Packed games of a few lines, each with something that the built-in ones in layers lack."""

from collections.abc import Iterable
from dataclasses import dataclass

from solver.packed import Packed, PackedGame


@dataclass(frozen=True)
class Ladder(PackedGame):
    """Climb one rung a move; whoever reaches the top has won, by as much as `prize`. A state is a rung."""

    rungs: int = 300
    prize: int = 1

    @property
    def action_count(self) -> int:
        return 1

    @property
    def initial(self) -> int:
        return 0

    def to_move(self, state: Packed) -> Packed:
        return state & 1

    def is_terminal(self, state: Packed) -> Packed:
        return state == self.rungs

    def legal(self, state: Packed, action: int) -> Packed:
        return True

    def result(self, state: Packed, action: int) -> Packed:
        return state + 1

    def utility(self, state: Packed) -> Packed:
        return self.prize if self.rungs & 1 else -self.prize


@dataclass(frozen=True)
class Sums(PackedGame):
    """Add 1, 2 or 4 in turn, four times from any start; the last bits of the sum are the first player's.

    Bit 0 of a state is the side to move, above it are three bits of moves, then the sum. It tells the ply, to
    which `lie` is added where the sum is odd.
    """

    lie: int = 0

    @property
    def action_count(self) -> int:
        return 3

    @property
    def initial(self) -> int:
        return 64

    def initial_states(self) -> Iterable[int]:
        return (64, 0, 192)

    def to_move(self, state: Packed) -> Packed:
        return state & 1

    def is_terminal(self, state: Packed) -> Packed:
        return state >> 1 & 7 == 4

    def legal(self, state: Packed, action: int) -> Packed:
        return (state >> 4) % (action + 1) != 1

    def result(self, state: Packed, action: int) -> Packed:
        return (state ^ 1) + 2 + (1 << (4 + action))

    def utility(self, state: Packed) -> Packed:
        return (state >> 4 & 7) - 3

    def ply(self, state: Packed) -> Packed:
        return (state >> 1 & 7) + self.lie * (state >> 4 & 1)
