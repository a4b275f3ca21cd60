"""A game with move names that a folded database does not store."""

from dataclasses import dataclass

from solver import Game, Symmetry

MIRRORED = str.maketrans("lr", "rl")


@dataclass(frozen=True)
class LeftRight(Game[str, str]):
    """Go left or right, which is the same but for its name; there the other player ends the game, 1 or 2."""

    @property
    def initial(self) -> str:
        return ""

    def to_move(self, state: str) -> int:
        return int(len(state) == 1)

    def actions(self, state: str) -> list[str]:
        return [["l", "r"], [f"{state}1", f"{state}2"], []][len(state)]

    def result(self, state: str, action: str) -> str:
        return action

    def utility(self, state: str) -> int:
        return 1 if state.endswith("1") else -1

    def symmetries(self) -> list[Symmetry[str, str]]:
        return [Symmetry(mirrored, mirrored)]


def mirrored(name: str) -> str:
    return name.translate(MIRRORED)
