"""Proves from the rules alone that a row of a folded database stands for every state of its class.

Call a state x and a row r related if x is r or the image of r under one of the symmetries that the rules
claim. Let `problems_of_class` find nothing in any row. Then in related x and r the same player is to move,
the game is over in both or in neither and has the same utility, and the moves of x lead to states related to
the same rows as the moves of r. So the relation is a bisimulation, and x and r have the same value and
remoteness. The starts are related to the first rows, and so, ply by ply, is every reachable state. The
symmetries need not form a group, and the rules may choose any canonical state.
"""

from collections.abc import Iterator
from typing import Any

from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.rules.asking import actions_of, mover_of, representative, symmetries_of, utility_of
from solver.rules.notation import write_position


def problems_of_class(game: AnyGame, state: Any) -> Iterator[str]:
    """How a canonical `state` fails to stand for its images under the symmetries of the rules."""
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
    """What tells classes apart: player to move, utility of an end, classes of the children."""
    actions = actions_of(game, state)
    children = frozenset(representative(game, game.result(state, action)) for action in actions)
    return mover_of(game, state), None if actions else utility_of(game, state), children
