"""Small games that hypothesis draws: any graph with any movers and utilities is a game."""

from dataclasses import dataclass

from hypothesis import strategies as st

from solver.errors import UnreadablePosition
from solver.game import Game


@dataclass(frozen=True)
class DrawnGame(Game[int, int]):
    """A game on a graph: in each state its mover and its children, or for an end its utility."""

    movers: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    utilities: tuple[int, ...]

    @property
    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def actions(self, state: int) -> range:
        return range(len(self.children[state]))

    def result(self, state: int, action: int) -> int:
        return self.children[state][action]

    def utility(self, state: int) -> int:
        assert not self.children[state]
        return self.utilities[state]

    def parse(self, text: str) -> int:
        if not text.isdigit() or int(text) >= len(self.movers):
            raise UnreadablePosition(f"{text!r} should be a number below {len(self.movers)}")
        return int(text)


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
    """The action by which nobody resigns."""
    return 0


@st.composite
def acyclic_games(draw: st.DrawFn, most: int = 9, utility: int = 1) -> DrawnGame:
    """Games in which play only leads to states with higher numbers; many lines lead to one state."""
    size = draw(st.integers(1, most))
    children = [
        tuple(draw(st.lists(st.integers(state + 1, size - 1), max_size=3))) if state + 1 < size else ()
        for state in range(size)
    ]
    return _game(draw, children, utility)


@st.composite
def looping_games(draw: st.DrawFn, most: int = 9, utility: int = 1) -> DrawnGame:
    """Games in which play may return to any state."""
    size = draw(st.integers(1, most))
    states = st.lists(st.integers(0, size - 1), max_size=3)
    return _game(draw, [tuple(draw(states)) for _ in range(size)], utility)


def _game(draw: st.DrawFn, children: list[tuple[int, ...]], utility: int) -> DrawnGame:
    size = len(children)
    movers = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    utilities = draw(st.lists(st.integers(-utility, utility), min_size=size, max_size=size))
    return DrawnGame(tuple(movers), tuple(children), tuple(utilities))
