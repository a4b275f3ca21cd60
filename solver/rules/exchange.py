"""States as the first player would see them, for files in which that player is to move in all states.

`PackedGame.exchanged` tells the state in which the players have changed places: its label is the negated one.
"""

from typing import Any

import numpy as np

from solver.errors import BrokenRules, shown
from solver.game import FIRST, SECOND
from solver.packed import PackedGame
from solver.rules.arrays import Keys, batch_answers
from solver.rules.asking import mover_of


def with_first_to_move(game: PackedGame, state: int) -> int:
    """The state, or if the second player is to move the one with exchanged players.

    Raises `BrokenRules` if the first player is not to move there, or it is not exchanged for the state again.
    """
    if mover_of(game, state) == FIRST:
        return state
    other: Any = game.exchanged(state)
    if mover_of(game, other) != FIRST or game.exchanged(other) != state:
        raise BrokenRules(
            f"the rules of {type(game).__name__} say that the players of the state {state} have changed "
            f"places in {shown(other)}, but not the other way round"
        )
    return int(other)


def with_first_to_move_in_all(game: PackedGame, states: Keys) -> Keys:
    """For each state what `with_first_to_move` gives, unchecked; raises `BrokenRules` if the rules fail."""
    return np.where(is_of_second(game, states), batch_answers(game, "exchanged", states), states)


def is_of_second(game: PackedGame, states: Keys) -> Any:
    """Whether the second player is to move in each state: bool, (states,)."""
    return batch_answers(game, "to_move", states) == SECOND
