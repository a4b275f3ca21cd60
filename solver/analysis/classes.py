"""The classes of which a folded file has one position each: what leads from it to the others."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.database import Database
from solver.game import AnyGame
from solver.rules.arrays import broadcast
from solver.rules.asking import symmetries_of
from solver.rules.notation import read_position, write_position

Names: TypeAlias = NDArray[Any]
"""Positions: states that are integers, or texts, as objects."""


class Image(NamedTuple):
    """What leads from each position of a folded file to another one of its class."""

    state: Callable[[Any], Any]
    """From a state, or an array of packed ones, to another; the rules may fail."""
    sign: int
    """-1 if the players change places, so that values are negated, otherwise 1."""


def images_of(db: Database) -> list[Image]:
    """The ways from each position of a file to the others of its class; none unless it is folded."""
    alike = [Image(each.state, 1) for each in symmetries_of(db.game)] if db.folded else []
    if not db.exchanged:
        return alike
    exchanged: Callable[[Any], Any] = db.game.exchanged  # type: ignore[attr-defined]
    return [*alike, Image(exchanged, -1), *(Image(_after(exchanged, each.state), -1) for each in alike)]


def _after(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda state: then(first(state))


def mapped(game: AnyGame, image: Callable[[Any], Any], names: Names) -> Names:
    """The images of positions."""
    if names.dtype.kind == "i":
        return broadcast(image(names), names)
    return names_of(game, map(image, states_of(game, names)))


def names_of(game: AnyGame, states: Iterable[Any]) -> Names:
    """The positions of states, in texts."""
    return np.array([write_position(game, state) for state in states], object)


def states_of(game: AnyGame, names: Names) -> Iterator[Any]:
    """The states of positions."""
    return (read_position(game, name) if isinstance(name, str) else name for name in names.tolist())
