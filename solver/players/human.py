"""A person at the keyboard as a player."""

import sys
from dataclasses import dataclass
from random import Random
from typing import Any

from solver.errors import NoMove
from solver.game import AnyGame
from solver.rules.asking import actions_of, key_of, mover_of, picture_with_keys


@dataclass(frozen=True)
class Human:
    """Ask the person at the keyboard."""

    game: AnyGame

    def choose(self, state: Any, random: Random) -> Any:
        """The move that the person types, after any illegal ones; raises `NoMove` at the end of input."""
        name = self.game.players[mover_of(self.game, state)]
        keys = keys_of(self.game, state)
        print(picture_with_keys(self.game, state), file=sys.stderr)
        while True:
            print(f"{name}> ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise NoMove("the person at the keyboard left")
            if line.strip() in keys:
                return keys[line.strip()]
            print(refusal(line, keys), file=sys.stderr)


def keys_of(game: AnyGame, state: Any) -> dict[str, Any]:
    """The legal actions by the keys that a person types for them, in action order."""
    return {key_of(game, action): action for action in actions_of(game, state)}


def refusal(typed: str, keys: dict[str, Any]) -> str:
    """The message for typed text that is not a legal move."""
    return f"{typed.strip()!r} is not a move here: play one of {', '.join(keys)}"
