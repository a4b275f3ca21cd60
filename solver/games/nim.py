"""Nim: heaps of objects, of which a move takes any number from one heap.

A state is a tuple: the player to move (0 or 1), then the sizes of the heaps in ascending order, empty ones
included. An action is a pair: the size of a heap and how many objects are left of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from operator import gt

from solver.errors import BadParameter
from solver.game import FIRST, Game, Look
from solver.games.grid import refuse_outside
from solver.games.sides import board_and_side, last_mover_wins, unreadable

Heaps = tuple[int, ...]
Take = tuple[int, int]

MOST_HEAPS, LARGEST_HEAP = 100, 1_000
"""So that a state has fewer than 100,000 actions."""


@dataclass(frozen=True)
class Nim(Game[Heaps, Take]):
    """Take any number from one heap; the player who cannot move loses, or with `misere` wins.

    There may be 100 heaps, and 1,000 objects in each. The move `5-2` takes 2 from a heap of 5.
    """

    heaps: tuple[int, ...] = (1, 2, 3)
    misere: bool = False

    look = Look(glyphs={"o": "●", "": "·"}, ground="open")

    def __post_init__(self) -> None:
        """Raise `BadParameter` when there is no heap, or an empty one, or too much of either."""
        if not 1 <= len(self.heaps) <= MOST_HEAPS:
            raise BadParameter(f"heaps must be one heap to {MOST_HEAPS} heaps, such as heaps=1,2,3")
        for heap in self.heaps:
            refuse_outside(1, LARGEST_HEAP, heaps=heap)

    @property
    def title(self) -> str:
        """The game and its heaps."""
        return f"Nim with heaps of {', '.join(map(str, self.heaps))}{', misère' * self.misere}"

    @property
    def initial(self) -> Heaps:
        """All heaps, the first player to move."""
        return (FIRST, *sorted(self.heaps))

    def to_move(self, state: Heaps) -> int:
        """The player to move."""
        return state[0]

    def actions(self, state: Heaps) -> Sequence[Take]:
        """Every smaller size of every heap; heaps of equal size count as one."""
        return [(heap, left) for heap in dict.fromkeys(state[1:]) for left in range(heap)]

    def result(self, state: Heaps, action: Take) -> Heaps:
        """The heaps after one has become smaller, the other side to move."""
        heap, left = action
        mover, *heaps = state
        heaps[heaps.index(heap)] = left
        return (1 - mover, *sorted(heaps))

    def utility(self, state: Heaps) -> int:
        """1 when the second player cannot move, -1 when the first cannot; the reverse in misère play."""
        return int(last_mover_wins(state[0], misere=self.misere))

    def action_name(self, action: Take) -> str:
        """The size of the heap, and the number taken."""
        heap, left = action
        return f"{heap}-{heap - left}"

    def position(self, state: Heaps) -> str:
        """The sizes of the heaps and the side to move."""
        return f"{','.join(map(str, state[1:]))} {self.players[state[0]]}"

    def parse(self, text: str) -> Heaps:
        """The state of a text such as `1,2,3 first`; without a side the first player is to move."""
        wanted = (
            f"{len(self.heaps)} heaps of at most {','.join(map(str, sorted(self.heaps)))}, with commas, "
            "then first or second: the side to move"
        )
        board, side = board_and_side(text, self.players, wanted)
        sizes = board.split(",")
        if not all(size.isdecimal() and size.isascii() and len(size) < 19 for size in sizes):
            raise unreadable(text, wanted)
        heaps, most = sorted(map(int, sizes)), sorted(self.heaps)
        if len(heaps) != len(most) or any(map(gt, heaps, most)):
            raise unreadable(text, wanted)
        return (side or FIRST, *heaps)

    def board(self, state: Heaps) -> Sequence[Sequence[str]]:
        """A row a heap, an "o" for each object."""
        width = max(self.heaps)
        return [["o"] * heap + [""] * (width - heap) for heap in state[1:]]

    def show(self, state: Heaps) -> str:
        """The heaps in lines, the size before each."""
        width = len(str(max(self.heaps)))
        return "\n".join(f"{heap:>{width}}  {'o ' * heap}".rstrip() for heap in state[1:])

    def states_at_most(self) -> int:
        """Two (for the side to move) times the ways to choose sizes up to those of the heaps."""
        return 2 * prod(heap + 1 for heap in self.heaps)
