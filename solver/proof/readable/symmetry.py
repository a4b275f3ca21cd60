"""Proves from the rules alone that a row of a folded database stands for every state of its class.

Call a state x and a row r related when x is r or the image of r under one of the symmetries that the rules
claim. Say that `problems_of_class` finds nothing in any row. Then in related x and r the same player is to
move, the game is over in both or in neither and is worth the same, and the moves of x lead to states related
to the same rows as the moves of r: the relation is a bisimulation, so x and r have the same value and
remoteness. The starts are related to the first rows, and so, ply by ply, is every state that play can reach.
It matters neither whether the symmetries are a group nor how the rules choose the canonical state.
"""

from collections.abc import Iterator
from typing import Any

from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.rules.asking import actions_of, mover_of, representative, symmetries_of, utility_of
from solver.rules.notation import write_position


def problems_of_class(game: AnyGame, state: Any) -> Iterator[str]:
    """Where a canonical `state` does not stand for its images under the symmetries of the rules."""
    if game.canonical(state) != state:
        yield f"it should be {write_position(game, game.canonical(state))!r}, the canonical one of its class"
    try:
        expected = _seen(game, state)
        for symmetry in symmetries_of(game):
            image = symmetry.state(state)
            if _seen(game, image) != expected:
                text = write_position(game, image)
                yield f"it should be symmetric to {text!r}, but the rules tell them apart"
                return
    except BrokenRules as error:
        yield str(error)


def _seen(game: AnyGame, state: Any) -> tuple[int, int | None, frozenset[Any]]:
    """All that distinguishes a class: who is to move, what an end is worth, the classes that come next."""
    actions = actions_of(game, state)
    children = frozenset(representative(game, game.result(state, action)) for action in actions)
    return mover_of(game, state), None if actions else utility_of(game, state), children
