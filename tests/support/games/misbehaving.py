"""Rules that misbehave, one member and one way at a time, and sound games to compare them with."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from typing import Any

from solver.game import Game, Look, Symmetry


class Sound(Game[Any, Any]):
    """Take one or two of four; whoever takes the last one wins. Each member can be broken."""

    players = ("first", "second")

    @property
    def initial(self) -> Any:
        return (0, 4)

    def initial_states(self) -> Any:
        return [(0, 4)]

    def to_move(self, state: Any) -> Any:
        return state[0]

    def actions(self, state: Any) -> Any:
        return [taken for taken in (1, 2) if taken <= state[1]]

    def result(self, state: Any, action: Any) -> Any:
        return (1 - state[0], max(0, state[1] - action))

    def utility(self, state: Any) -> Any:
        return 2 * state[0] - 1

    def is_terminal(self, state: Any) -> Any:
        return not state[1]

    def position(self, state: Any) -> Any:
        return f"{state[1]} {'ab'[state[0]]}"

    def parse(self, text: str) -> Any:
        left, side = text.split()
        return ("ab".index(side), int(left))

    def action_name(self, action: Any) -> Any:
        return action

    def board(self, state: Any) -> Any:
        return [["x"] * state[1] + [""] * (4 - state[1])]

    @property
    def look(self) -> Any:
        return Look()

    def show(self, state: Any) -> Any:
        return "x" * state[1]

    def symmetries(self) -> Any:
        return [Symmetry(lambda state: state, lambda action: action)]

    def canonical(self, state: Any) -> Any:
        return state

    def evaluate(self, state: Any) -> Any:
        return 0.5

    def states_at_most(self) -> Any:
        return 10


class Fork(Game[Any, Any]):
    """Two moves from `root`: a small sound game. Tests break each of its members."""

    initial: Any = "root"

    def to_move(self, state: Any) -> Any:
        return int(state != "root")

    def actions(self, state: Any) -> Any:
        return ("left", "right") if state == "root" else ()

    def result(self, state: Any, action: Any) -> Any:
        return f"end {action}"

    def utility(self, state: Any) -> Any:
        return 1

    def symmetries(self) -> Sequence[Symmetry[Any, Any]]:
        return [Symmetry(turned, turned)]


def turned(text: str) -> str:
    """The text with left and right exchanged."""
    return EXCHANGED.get(text, text)


EXCHANGED = {"left": "right", "right": "left", "end left": "end right", "end right": "end left"}


def failing(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("division by zero")


class Unspeakable(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise ValueError("unspeakable")


class Odd:
    """An object whose methods all fail."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("nothing equals it")

    def __hash__(self) -> int:
        raise ValueError("it has no hash")

    def __repr__(self) -> str:
        raise ValueError("it cannot be shown")

    __str__ = __repr__


class Hashable(Odd):
    """A hashable object, which does harm in a dict."""

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> Any:
        return 5


def raising(error: Callable[[], BaseException]) -> Any:
    def rule(self: Any, *_: Any) -> Any:
        raise error()

    return rule


def endless(self: Any, *_: Any) -> Any:
    """Recurse for ever, through a function without arguments.

    Python 3.13.0 to 3.13.7 do not stop the recursion of a function that takes any number of arguments: see
    https://github.com/python/cpython/issues/132744.
    """
    return _again()


def _again() -> Any:
    return _again()


@cache
def deep() -> Any:
    value: Any = ()
    for _ in range(100_000):
        value = (value,)
    return value


def array() -> Any:
    import numpy as np

    return np.zeros(3)


def giving(value: Callable[[], Any]) -> Any:
    return lambda self, *_: value()


MISBEHAVIOURS: dict[str, Any] = {
    "raises": raising(lambda: ZeroDivisionError("division\nby zero")),
    "exits": raising(lambda: SystemExit(7)),
    "unspeakable": raising(Unspeakable),
    "file": raising(lambda: FileNotFoundError(2, "none", "file")),
    "recursion": endless,
    "none": giving(lambda: None),
    "float": giving(lambda: 0.5),
    "nan": giving(lambda: float("nan")),
    "huge": giving(lambda: 10**6000),
    "array": giving(array),
    "generator": giving(lambda: (number for number in (1, 2))),
    "endless": giving(count),
    "deep": giving(deep),
    "odd": giving(Odd),
    "hashable": giving(Hashable),
    "text": giving(lambda: "x" * 10_000_000),
    "bytes": giving(lambda: b"x"),
}
"""The misbehaviours of a member, by name."""

MEMBERS = tuple(name for name in vars(Sound) if not name.startswith("_") and name != "players")
"""The members that misbehave in turn."""


def broken(member: str, misbehaviour: str) -> type[Sound]:
    """The sound game with one member that misbehaves."""
    rule = MISBEHAVIOURS[misbehaviour]
    isproperty = isinstance(vars(Sound)[member], property)
    return type("Broken", (Sound,), {member: property(rule) if isproperty else rule})
