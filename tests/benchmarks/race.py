"""A game of a million states that are plain tuples, with loops, for `tests.benchmarks.any_game`."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver import Game

State = tuple[int, int, int, int]
"""The place of the player to move, the place of the other, the fuel that they share, and who is to move."""


@dataclass(frozen=True)
class Race(Game[State, str]):
    """Two cars on a line share a tank. Whoever reaches the end first wins; nobody may stand still."""

    length: int = 100
    tank: int = 50

    @property
    def initial(self) -> State:
        return (0, 0, self.tank, 0)

    def to_move(self, state: State) -> int:
        return state[3]

    def actions(self, state: State) -> Sequence[str]:
        _, other, fuel, _ = state
        if other >= self.length:
            return ()
        legal = [] if fuel == self.tank else ["fill"]
        if fuel >= 1:
            legal.append("one")
        if fuel >= 2:
            legal.append("two")
        if fuel >= 3 and other > 0:
            legal.append("push")
        return legal

    def result(self, state: State, action: str) -> State:
        own, other, fuel, mover = state
        if action == "fill":
            return (other, own, min(self.tank, fuel + 3), 1 - mover)
        if action == "push":
            return (other - 1, own, fuel - 3, 1 - mover)
        steps = 1 if action == "one" else 2
        return (other, own + steps, fuel - steps, 1 - mover)

    def utility(self, state: State) -> int:
        return 1 if state[3] == 1 else -1

    def position(self, state: State) -> str:
        own, other, fuel, mover = state
        return f"{own} {other} {fuel} {self.players[mover]}"

    def parse(self, text: str) -> State:
        own, other, fuel, mover = text.split()
        return (int(own), int(other), int(fuel), self.players.index(mover))
