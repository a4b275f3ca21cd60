"""The names of columns and rows of a board, where the names of all its cells are made of them."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from solver.game import AnyGame, Cell
from solver.rules.asking import cell_names_of

NAME = re.compile(r"([a-z]*)(\d+)")
"""The name of a cell: the letters of its column and the number of its row, or a number for both."""

Names = Sequence[Sequence[str]]


class Coordinates(NamedTuple):
    """The names along the sides of a board."""

    columns: Sequence[str]
    """The name of each column, below it; "" for none."""
    rows: Sequence[str]
    """The name of each row, beside it; none where columns alone tell the cells of moves."""


def coordinates_of(game: AnyGame) -> Coordinates | None:
    """The coordinates of the boards of a game; None unless the names of all cells are made of them."""
    names = cell_names_of(game)
    if not all(NAME.fullmatch(name) for row in names for name in row if name):
        return None
    columns = _shared(zip_longest(*names, fillvalue=""), lambda name: NAME.sub(_column, name))
    rows = _shared(names, lambda name: NAME.sub(_row, name))
    if not columns or rows is None:
        return None
    return Coordinates(columns, rows if any(rows) else ())


def names_in_cells(game: AnyGame) -> dict[Cell, str]:
    """The names to be written into the cells; none where coordinates beside the board tell them."""
    if coordinates_of(game) is not None:
        return {}
    names = cell_names_of(game)
    return {(row, at): name for row, line in enumerate(names) for at, name in enumerate(line) if name}


def _column(name: re.Match[str]) -> str:
    return name[1] or name[0]


def _row(name: re.Match[str]) -> str:
    return name[2] if name[1] else ""


def _shared(lines: Iterable[Iterable[str]], part: Callable[[str], str]) -> list[str] | None:
    """The part that all names of a line share, "" for a line without names; None if one shares nothing."""
    found = [{part(name) for name in line if name} for line in lines]
    return [next(iter(each), "") for each in found] if all(len(each) < 2 for each in found) else None
