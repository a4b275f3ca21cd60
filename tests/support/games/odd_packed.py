"""Packed games made up to be hard in one way each."""

from dataclasses import dataclass

from solver.packed import Packed, PackedGame


@dataclass(frozen=True)
class Ladder(PackedGame):
    """Climb one rung a turn; who reaches the top wins."""

    height: int = 10

    @property
    def action_count(self) -> int:
        return 1

    @property
    def initial(self) -> int:
        return 0

    def to_move(self, state: Packed) -> Packed:
        return state & 1

    def is_terminal(self, state: Packed) -> Packed:
        return state == self.height

    def legal(self, state: Packed, action: int) -> Packed:
        return state >= 0

    def result(self, state: Packed, action: int) -> Packed:
        return state + 1

    def utility(self, state: Packed) -> Packed:
        return 2 * (state & 1) - 1


class Stuck(Ladder):
    """A ladder from whose top there is no way, but it is not said to be over."""

    def is_terminal(self, state: Packed) -> Packed:
        return state > self.height

    def legal(self, state: Packed, action: int) -> Packed:
        return state < self.height


class Raise(Ladder):
    """A ladder whose rules fail."""

    def is_terminal(self, state: Packed) -> Packed:
        raise ValueError("no")


@dataclass(frozen=True)
class Climb(PackedGame):
    """Many ways up, and from the rung `loop` one back to the bottom; it never ends."""

    loop: int = 7

    @property
    def action_count(self) -> int:
        return 2

    @property
    def initial(self) -> int:
        return 0

    def to_move(self, state: Packed) -> Packed:
        return state & 1

    def is_terminal(self, state: Packed) -> Packed:
        return state < 0

    def legal(self, state: Packed, action: int) -> Packed:
        return (action == 0) | (state == self.loop)

    def result(self, state: Packed, action: int) -> Packed:
        return (state + 1) * (1 - action)

    def utility(self, state: Packed) -> Packed:
        return 0


@dataclass(frozen=True)
class Weights(PackedGame):
    """Take one of the weights in turn until all are taken; the first player's total less the second's counts.

    Bits 0 to n-1 are the first player's weights, n to 2n-1 the second's; the weight i weighs i*i, one is
    owed to the first player from the outset, and who holds a heavy lead of more than 15 has won at once.
    """

    n: int = 5

    @property
    def action_count(self) -> int:
        return self.n

    @property
    def initial(self) -> int:
        return 0

    def _taken(self, state: Packed) -> Packed:
        return sum((state >> at) & 1 for at in range(2 * self.n))

    def _lead(self, state: Packed) -> Packed:
        return sum(((state >> at & 1) - (state >> (at + self.n) & 1)) * at * at for at in range(self.n))

    def to_move(self, state: Packed) -> Packed:
        return self._taken(state) & 1

    def is_terminal(self, state: Packed) -> Packed:
        lead = self._lead(state)
        return (self._taken(state) == self.n) | (lead > 15) | (lead < -15)

    def legal(self, state: Packed, action: int) -> Packed:
        return (state >> action | state >> (action + self.n)) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        return state + (1 << (action + self.n * self.to_move(state)))

    def utility(self, state: Packed) -> Packed:
        return self._lead(state)
