"""Lines and leaps on a chessboard by arithmetic, for the squares of one position or of an array of them.

Squares are 0 (a1), 1 (b1) ... 63 (h8), and 64 for a piece that has been taken. Nothing is looked up: rows and
files are subtracted, multiplied and compared.
"""

from collections.abc import Iterable

from solver.games.chess_pieces import TAKEN
from solver.packed import Packed

SLIDERS = "QRB"


class Place:
    """A square, one number or an array, with its row and file from 0; a taken piece is in row 8."""

    __slots__ = ("file", "row", "square")

    def __init__(self, square: Packed) -> None:
        """Stand for this square."""
        self.square, self.row, self.file = square, square >> 3, square & 7

    @property
    def is_on_board(self) -> Packed:
        """Whether it is a square of the board."""
        return self.square != TAKEN


class Neighbour(Place):
    """The place some rows up and files to the right of another one; it may lie beyond the edge."""

    __slots__ = ()

    def __init__(self, origin: Place, up: Packed, right: Packed) -> None:
        """Stand for the place that far from `origin`."""
        self.row, self.file = origin.row + up, origin.file + right
        self.square = 8 * self.row + self.file

    @property
    def is_on_board(self) -> Packed:
        """Whether it is a square of the board."""
        return (self.row | self.file) >> 3 == 0


def is_between(place: Place, one: Place, other: Place) -> Packed:
    """Whether a place lies on the straight line between two others, and is neither of them.

    The vectors to these then have the cross product 0 and a negative dot product.
    """
    up, right = one.row - place.row, one.file - place.file
    up_too, right_too = other.row - place.row, other.file - place.file
    return (up * right_too == right * up_too) & (up * up_too + right * right_too < 0)


def is_in_reach(letter: str, origin: Place, target: Place) -> Packed:
    """Whether a piece goes from one place to another on an empty board; or, but for a knight, stays."""
    up, right = target.row - origin.row, target.file - origin.file
    if letter == "K":
        return up * up + right * right < 3
    if letter == "B":
        return up * up == right * right
    both = up * right
    if letter == "R":
        return both == 0
    if letter == "N":
        return both * both == 4
    return both * (up * up - right * right) == 0


def attacks(letter: str, origin: Place, target: Place, others: Iterable[Place]) -> Packed:
    """Whether a piece at one place attacks another one, none of the `others` being in between."""
    found = is_in_reach(letter, origin, target)
    if letter in SLIDERS:
        for other in others:
            found = found & (is_between(other, origin, target) == 0)
    return found


def step_towards(origin: Place, target: Place) -> tuple[Packed, Packed]:
    """The step, up and to the right, on the line from one place to another."""
    up, right = target.row - origin.row, target.file - origin.file
    return (up > 0) * 1 - (up < 0) * 1, (right > 0) * 1 - (right < 0) * 1
