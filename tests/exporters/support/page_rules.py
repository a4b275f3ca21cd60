"""Small games for pages, in a rules file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from solver.game import Game

EVIL = (
    "<script>alert(1)</script>",
    "\"'\\\u202eevil",
    "</script><img src=x onerror=alert(2)>",
    "<!--<script>",
    "a" * 300,
    "two\nlines\u2028more",
    "&lt;b&gt; &amp;",
    "__proto__",
)
"""Names that come out as text, or something is badly wrong."""


@dataclass(frozen=True)
class Evil(Game[str, str]):
    """From the first position one move leads to each of the others, which are won, drawn and lost in turn."""

    players: ClassVar[tuple[str, str]] = (EVIL[0], EVIL[1])

    @property
    def initial(self) -> str:
        return "{{document}} " + EVIL[2]

    def to_move(self, state: str) -> int:
        return int(state != self.initial)

    def actions(self, state: str) -> Sequence[str]:
        return EVIL if state == self.initial else ()

    def result(self, state: str, action: str) -> str:
        return f"after {action}"

    def utility(self, state: str) -> int:
        return 1 - EVIL.index(state.removeprefix("after ")) % 3

    def board(self, state: str) -> Sequence[Sequence[str]]:
        return [[*EVIL[:4]], ["" if state == self.initial else EVIL[5], "", "", EVIL[7]]]


@dataclass(frozen=True)
class Countdown(Game[int, str]):
    """Take one or two; whoever takes the last one wins. Play begins with any number up to `most`."""

    most: int = 6

    @property
    def initial(self) -> int:
        return self.most * 2

    def initial_states(self) -> Iterable[int]:
        return [item * 2 + side for side in (0, 1) for item in range(self.most, 2, -1)]

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Sequence[str]:
        return ("take one", "take two")[: state // 2]

    def result(self, state: int, action: str) -> int:
        return (state - (4 if action == "take two" else 2)) ^ 1

    def utility(self, state: int) -> int:
        return 1 if state % 2 else -1

    def position(self, state: int) -> str:
        return f"{state // 2} {self.players[state % 2]}"

    def parse(self, text: str) -> int:
        number, _, name = text.partition(" ")
        return int(number) * 2 + self.player(name)


class Wordy(Countdown):
    """The same with long positions."""

    def position(self, state: int) -> str:
        return "there are left " * 5 + super().position(state)

    def parse(self, text: str) -> int:
        return super().parse(text.replace("there are left ", ""))
