"""Arrays of positions, as integer states or as texts, and the application of maps of states to them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import image_of
from solver.rules.notation import read_position, write_position

Names: TypeAlias = NDArray[Any]
"""An array of positions: integer states, or texts with dtype object."""


def mapped(game: AnyGame, image: Callable[[Any], Any], names: Names) -> Names:
    """The positions of the images, under `image`, of the states of positions."""
    if isinstance(game, PackedGame) and names.dtype.kind == "i":
        return image_of(game, image, names)
    return names_of(game, map(image, states_of(game, names)))


def names_of(game: AnyGame, states: Iterable[Any]) -> Names:
    """The positions of states, as texts."""
    return np.array([write_position(game, state) for state in states], object)


def states_of(game: AnyGame, names: Names) -> Iterator[Any]:
    """The states of positions."""
    return (read_position(game, name) if isinstance(name, str) else name for name in names.tolist())
