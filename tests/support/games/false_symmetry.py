"""Games whose rules claim a symmetry that they do not have."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from solver.game import Symmetry
from solver.games.mnk import TicTacToe
from solver.packed import Packed
from tests.support.games.packed import MirroredTable, Table, at_places


@dataclass(frozen=True)
class Crooked(TicTacToe):
    """Tic-tac-toe that claims the corner and the edge next to it to be symmetric."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The exchange of the first two cells."""
        moved = (1, 0, *range(2, 9))
        return [Symmetry(lambda state: self._exchanged(state), moved.__getitem__)]

    def canonical(self, state: int) -> int:
        """The lesser of the two."""
        return min(state, self._exchanged(state))

    def _exchanged(self, state: int) -> int:
        cells, *side = self.position(state).split()
        players = (*side, "xo"[state & 1])[:1]
        return self.parse(f"{cells[1]}{cells[0]}{cells[2:]} {players[0]}")


@dataclass(frozen=True)
class Astray(MirroredTable):
    """A table whose symmetry maps one state to something other than its mirror image."""

    stray: int = -1
    goal: int = -1

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        (mirror,) = super().symmetries()

        def state_map(state: Packed) -> Packed:
            image = mirror.state(state)
            return image + (self.goal - image) * (state == self.stray)

        return [Symmetry(state_map, mirror.action)]


class Renamed(MirroredTable):
    """A table whose symmetry maps actions to others than those that lead to the images."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(mirror.state, lambda action: (action + 1) % 3) for mirror in super().symmetries()]


@dataclass(frozen=True)
class Mapped(Table):
    """A table with maps of its states that it says are symmetries."""

    maps: tuple[tuple[int, ...], ...] = ()

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(partial(at_places, images), int) for images in self.maps]
