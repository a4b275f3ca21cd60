"""One position for all that are symmetric to it: its labels hold for each, its moves become theirs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from solver.asking import actions_of, symmetries_of
from solver.entry import Entry
from solver.errors import BrokenRules
from solver.notation import AnyGame, write_action, write_position


def representative(game: AnyGame, state: Any) -> Any:
    """The canonical state of the class of `state`.

    Raises `BrokenRules` where no symmetry of the rules takes it to `state`: then it may be of another class.
    """
    chosen = game.canonical(state)
    if state != chosen and all(state != symmetry.state(chosen) for symmetry in symmetries_of(game)):
        raise BrokenRules(
            f"the rules of {type(game).__name__} say that {write_position(game, chosen)!r} stands for "
            f"{write_position(game, state)!r}, but none of their symmetries takes the one to the other"
        )
    return chosen


def from_representative(game: AnyGame, state: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The canonical state of the class of `state`, and what takes its actions to those of `state`.

    Raises `BrokenRules` as `representative` does.
    """
    chosen = representative(game, state)
    if chosen == state:
        return chosen, _unchanged
    return chosen, next(each.action for each in symmetries_of(game) if each.state(chosen) == state)


def _unchanged(action: Any) -> Any:
    return action


def of_member(game: AnyGame, entry: Entry, state: Any) -> Entry:
    """What is known of `state`, given the `entry` of the class that it is of, as the file has it.

    Its moves are its own, in its own order; each has the labels of the class that it leads to. Raises
    `BrokenRules` where a move leads to a class that no move of the representative does.
    """
    labels = {move.position: move for move in entry.moves}
    moves = []
    for action in actions_of(game, state):
        child = game.result(state, action)
        found = labels.get(write_position(game, representative(game, child)))
        if found is None:
            raise BrokenRules(
                f"{write_position(game, state)!r} and {entry.position!r} are not symmetric, whatever the "
                f"rules of {type(game).__name__} say: nothing in the second is like the move "
                f"{write_action(game, action)} in the first; solve without --fold"
            )
        name, position = write_action(game, action), write_position(game, child)
        moves.append(replace(found, move=name, position=position))
    best = next((move.move for move in moves if move.best), None)
    return replace(entry, position=write_position(game, state), moves=tuple(moves), best_move=best, game=game)
