"""The names of columns and rows of a board, where the names of all its cells are made of them."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from solver.game import AnyGame, Cell
from solver.rules.asking import cell_names_of

NAME = re.compile(r"([a-z]*)(\d+)")
"""The name of a cell: the letters of its column and the number of its row, or a number for both."""


class Coordinates(NamedTuple):
    """The names along the sides of a board."""

    columns: Sequence[str]
    """The name of each column, below it; "" for none."""
    rows: Sequence[str]
    """The name of each row, beside it; none where columns alone tell the cells of moves."""


def coordinates_of(game: AnyGame) -> Coordinates | None:
    """The coordinates of the boards of a game; None unless the names of all cells are made of them."""
    names = [[name and NAME.fullmatch(name) for name in row] for row in cell_names_of(game)]
    if any(name is None for row in names for name in row):
        return None
    columns = _shared(zip_longest(*names), lambda name: name[1] or name[0])
    rows = _shared(names, lambda name: name[2] if name[1] else "")
    if not columns or rows is None:
        return None
    return Coordinates(columns, rows if any(rows) else ())


def names_in_cells(game: AnyGame) -> dict[Cell, str]:
    """The names to be written into the cells; none where coordinates beside the board tell them."""
    if coordinates_of(game) is not None:
        return {}
    names = cell_names_of(game)
    return {(row, at): name for row, line in enumerate(names) for at, name in enumerate(line) if name}


def _shared(lines: Iterable[Iterable[Any]], part: Callable[[re.Match[str]], str]) -> list[str] | None:
    """The part that all names of a line share, "" for a line without names; None if one shares nothing."""
    parts = [{part(name) for name in line if name} for line in lines]
    return ["".join(one) for one in parts] if all(len(one) < 2 for one in parts) else None
