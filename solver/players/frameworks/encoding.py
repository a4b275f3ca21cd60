"""Actions and states of a solved game as numbers of a fixed range, as learning programs want them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database import Database
from solver.packed import STATE_BITS, PackedGame
from solver.rules.asking import actions_of
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Encoding:
    """The numbers that stand for the actions and states of a game."""

    action_names: tuple[str | int, ...]
    """The names of all actions of the game; an action's number is its place here."""
    length: int
    """The length of an observation."""
    high: int
    """The greatest number in an observation; the least is 0."""
    observed: Callable[[Any], NDArray[np.uint8]]
    """Returns the observation of a state, from which the state can be told: uint8, (length,)."""


def encoding_of(db: Database) -> Encoding:
    """The encoding of the game of a database.

    A state that is an integer is observed as its bits, the lowest first, any other as the bytes of its text
    in UTF-8, filled up with zeros. Of games whose states are no integers every position is read, once.
    """
    game = db.checked_game
    if isinstance(game, PackedGame):
        names = tuple(write_action(game, action) for action in range(game.action_count))
        bits = np.arange(STATE_BITS)
        return Encoding(names, STATE_BITS, 1, lambda state: (state >> bits & 1).astype(np.uint8))
    found, length = set[str | int](), 0
    for state in _all_states(db):
        found.update(write_action(game, action) for action in actions_of(game, state))
        length = max(length, len(write_position(game, state).encode()))

    def text(state: Any) -> NDArray[np.uint8]:
        return np.frombuffer(bytearray(write_position(game, state).encode().ljust(length, b"\0")), np.uint8)

    return Encoding(tuple(sorted(found, key=lambda name: (isinstance(name, str), name))), length, 255, text)


def _all_states(db: Database) -> Iterator[Any]:
    """The states of a database, those included that a folded one does not store."""
    symmetries = db.game.symmetries() if db.folded else ()
    for position in db:
        state = db.state_of(position)
        yield state
        yield from (symmetry.state(state) for symmetry in symmetries)
