"""A person at the keyboard as a player."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from solver.errors import NoMove, cut
from solver.game import AnyGame
from solver.rules.asking import actions_of, mover_of, picture_of
from solver.rules.notation import write_action

MOST_LISTED = 2_000
"""Characters of the list of moves in a refusal."""


@dataclass(frozen=True)
class Human:
    """Ask the person at the keyboard."""

    game: AnyGame

    def choose(self, state: Any, random: Random) -> Any:
        """The move that the person types, after any illegal ones; raises `NoMove` at the end of input."""
        name = self.game.players[mover_of(self.game, state)]
        moves = moves_by_name(self.game, state)
        print(picture_of(self.game, state), file=sys.stderr)
        while True:
            print(f"{name}> ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise NoMove("the person at the keyboard left")
            if line.strip() in moves:
                return moves[line.strip()]
            print(refusal(line, moves), file=sys.stderr)


def moves_by_name(game: AnyGame, state: Any) -> dict[str, Any]:
    """The legal actions by their names as a person types them, in action order."""
    return {str(write_action(game, action)): action for action in actions_of(game, state)}


def refusal(typed: str, moves: Iterable[str]) -> str:
    """The message for typed text that is not the name of one of these moves."""
    return f"{typed.strip()!r} is not a move here: play one of {cut(', '.join(moves), MOST_LISTED)}"
