"""The canonical state of a class of symmetric states."""

from collections.abc import Callable
from typing import Any

from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.rules.asking import symmetries_of
from solver.rules.notation import write_position


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
