"""Games for the searches: acyclic ones, and very long ones."""

from dataclasses import dataclass

from hypothesis import strategies as st

from solver.game import Game
from tests.support.games.explicit_graph import ExplicitGame


@dataclass(frozen=True)
class LongGame(Game[int, int]):
    """A line of `plies` moves, after which the first player has won; action 1 is to resign."""

    plies: int = 5000

    @property
    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return abs(state) % 2

    def actions(self, state: int) -> tuple[int, ...]:
        return (0, 1) if 0 <= state < self.plies else ()

    def result(self, state: int, action: int) -> int:
        return state + 1 if action == 0 else -1 - state

    def utility(self, state: int) -> int:
        if state == self.plies:
            return 1
        return 1 if (-1 - state) % 2 else -1


def go_on(state: int) -> int:
    """The action that does not resign."""
    return 0


@st.composite
def acyclic_games(draw: st.DrawFn, most: int = 9, utility: int = 1) -> ExplicitGame:
    """Acyclic games: moves lead to states with higher numbers, and many lines lead to the same state."""
    size = draw(st.integers(1, most))
    children = [
        tuple(draw(st.lists(st.integers(state + 1, size - 1), max_size=3))) if state + 1 < size else ()
        for state in range(size)
    ]
    movers = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    utilities = draw(st.lists(st.integers(-utility, utility), min_size=size, max_size=size))
    return ExplicitGame(tuple(children), tuple(movers), tuple(utilities))
