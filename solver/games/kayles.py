"""Kayles: a row of pins, of which a move knocks down one or two neighbours.

A state is one integer: the player to move in the lowest bit, above it one bit a pin, set when it is down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.game import Look, Symmetry
from solver.games.grid import MOST_CELLS, mover_of_bits, refuse_outside
from solver.games.sides import board_and_side, last_mover_wins, unreadable
from solver.packed import Packed, PackedGame


@dataclass(frozen=True)
class Kayles(PackedGame):
    """Knock down one pin or two neighbours; who cannot move loses, or with `misere` wins.

    The move `3` knocks down the pin 3 and `3+4` two pins; they are numbered from 0.
    """

    n: int = 8
    misere: bool = False

    look = Look(glyphs={"|": "▮", "": "·"}, ground="open")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a row that is empty or does not fit into a packed state."""
        refuse_outside(1, MOST_CELLS, n=self.n)

    @property
    def title(self) -> str:
        """The game and the number of pins."""
        return f"Kayles with {self.n} pins{', misère' * self.misere}"

    @property
    def action_count(self) -> int:
        """One action for each pin, and then one for each two neighbours."""
        return 2 * self.n - 1

    @property
    def initial(self) -> int:
        """All pins up, the first player to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """The player to move."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the pins are up."""
        return state & self._pins(action) == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The row with the pins down, the other side to move."""
        return (state ^ 1) + self._pins(action)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether all pins are down."""
        return state >> 1 == (1 << self.n) - 1

    def utility(self, state: Packed) -> Packed:
        """1 when the first player knocked down the last pin, else -1; the reverse in misère play."""
        return last_mover_wins(state & 1, misere=self.misere)

    def action_name(self, action: int) -> str:
        """The numbers of the pins."""
        return str(action) if action < self.n else f"{action - self.n}+{action - self.n + 1}"

    def position(self, state: int) -> str:
        """The row, `|` a pin and `.` a gap, and the side to move."""
        return f"{''.join(self._row(state))} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `||.|.. second`; without a side the first player is to move."""
        wanted = f"{self.n} pins, each | or where it is down . then first or second: the side to move"
        row, side = board_and_side(text, self.players, wanted)
        row = row.translate(str.maketrans("_-", ".."))
        if len(row) != self.n or not set(row) <= {"|", "."}:
            raise unreadable(text, wanted)
        return (side or 0) + sum(2 << pin for pin, mark in enumerate(row) if mark == ".")

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """One row: "|" for a pin, "" for a gap."""
        return [[mark.strip(".") for mark in self._row(state)]]

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the pins."""
        return [[str(pin) for pin in range(self.n)]]

    def show(self, state: int) -> str:
        """The pins in a line, their numbers below."""
        width = len(str(self.n - 1)) + 1
        pins = "".join(f"{mark:>{width}}" for mark in self._row(state))
        return f"{pins}\n{''.join(f'{pin:>{width}}' for pin in range(self.n))}"

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        if self.n == 1:
            return ()
        single, double = range(self.n)[::-1], range(self.n, 2 * self.n - 1)[::-1]
        return (Symmetry(mover_of_bits(single), [*single, *double].__getitem__),)

    def states_at_most(self) -> int:
        """Two (for the side to move) times the sets of pins."""
        return int(2 ** (self.n + 1))

    def _pins(self, action: int) -> int:
        return 2 << action if action < self.n else 6 << (action - self.n)

    def _row(self, state: int) -> list[str]:
        return [".|"[state >> (1 + pin) & 1 == 0] for pin in range(self.n)]
