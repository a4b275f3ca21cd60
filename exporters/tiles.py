"""Pieces that are tiles with their moves marked, of games whose hands are beside the board."""

from collections.abc import Mapping, Sequence

from solver.game import AnyGame
from solver.rules.loading import game_name

Steps = Sequence[tuple[int, int]]

AHEAD, ACROSS, SLANTED = (-1, 0), ((0, -1), (0, 1), (1, 0)), ((-1, -1), (-1, 1), (1, -1), (1, 1))

OF_THE_FIRST: Mapping[str, Steps] = {
    "L": (AHEAD, *ACROSS, *SLANTED),
    "G": (AHEAD, *ACROSS),
    "E": SLANTED,
    "C": (AHEAD,),
    "H": (AHEAD, *ACROSS, *SLANTED[:2]),
}
"""The steps of the first player's pieces of Dobutsu shogi, as (down, right)."""

DOBUTSU: dict[str, Steps] = {**OF_THE_FIRST} | {
    mark.lower(): [(-down, -right) for down, right in steps] for mark, steps in OF_THE_FIRST.items()
}


def tiles_of(game: AnyGame) -> dict[str, Steps]:
    """The steps of each piece that is a tile, by its mark; none in games without tiles.

    In games with tiles the first and the last row of a board are the hands, each a cell that names pieces.
    """
    return dict(DOBUTSU) if game_name(game) == "dobutsu" else {}
