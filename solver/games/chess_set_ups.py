"""All legal positions of a chess ending, computed thousands at a time."""

from collections.abc import Sequence

from solver.games.chess_geometry import Place
from solver.games.chess_moves import Moves
from solver.packed import short


def set_ups(moves: Moves, side: int, first: Sequence[int]) -> list[int]:
    """The legal positions with a side to move and the squares of all pieces but the last two, in order."""
    import numpy as np  # which a lookup does without

    last = np.arange(64 * 64)
    squares = [*first, last >> 6, last & 63]
    can_take_king = moves.is_check([Place(short(square)) for square in squares], by=side)
    is_legal = moves.material.are_apart(squares) & (can_take_king == 0)
    states: list[int] = moves.material.packed(side, squares)[is_legal].tolist()
    return states
