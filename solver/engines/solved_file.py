"""Writes the readable database of a game whose labelled states are all in memory, for any engine."""

import sqlite3
from collections import deque
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from solver.database.header import MAX_ROW_BYTES
from solver.database.metadata import Metadata
from solver.database.readable.writer import Batch, write_readable
from solver.database.schema import FORMAT
from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.rules.notation import equality_hint, refuse_unreadable, write_action, write_position


def write_solved(
    path: Path,
    facts: Metadata,
    states: Iterable[Any],
    names: Collection[str | int],
    positions: Iterable[Batch],
    moves: Iterable[Batch],
    *,
    bulk: bool = False,
) -> None:
    """Write a readable file at `path`: its `positions`, and its `moves`, all of whose `names` are given.

    For `bulk` see `write_readable`. Raises `UnwritableFile`, and `BrokenRules` if the texts of `states` or
    moves are ambiguous or too long, or the rules cannot read what they write.
    """
    game = facts.folding.game
    for state in (facts.start, *deque(states, maxlen=1)):
        refuse_unreadable(game, state)
    try:
        move_type = _type_of(game, names)
        write_readable(path, positions, moves, facts.rows(), move_type=move_type, bulk=bulk)
    except sqlite3.DataError:
        raise BrokenRules(
            f"the rules of {type(game).__name__} write texts of more than "
            f"{MAX_ROW_BYTES[FORMAT] >> 20} MiB for a "
            "state, an action or their parameters: shorter ones would do"
        ) from None
    except sqlite3.IntegrityError:
        raise BrokenRules(_same_position(game, states)) from None


def names_of(game: AnyGame, actions: Iterable[Any]) -> dict[Any, str | int]:
    """The names of actions, by action; raises `BrokenRules` if the rules give none."""
    return {action: write_action(game, action) for action in actions}


def _type_of(game: AnyGame, names: Collection[str | int]) -> str:
    numbers = sum(isinstance(name, int) for name in names)
    if 0 < numbers < len(names):
        raise BrokenRules(f"the rules of {type(game).__name__} name some actions by numbers, some by texts")
    return "integer" if numbers == len(names) else "text"


def _same_position(game: AnyGame, states: Iterable[Any]) -> str:
    """A message about two states with the same text."""
    first: dict[str, Any] = {}
    for state in states:
        other = first.setdefault(write_position(game, state), state)
        if other != state:
            text = write_position(game, state)
            both = f"{other!r} and {state!r}{equality_hint(state)}"
            return f"the position {text!r} stands for two states, {both}"
    return "a row does not fit into the database"
