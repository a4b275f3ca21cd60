"""Lines and leaps on a chessboard by arithmetic, for the squares of one position or of an array of them.

Squares are 0 (a1), 1 (b1) ... 63 (h8), and 64 for a piece that has been taken. Nothing is looked up: rows,
files and diagonals are numbers that are compared.
"""

from collections.abc import Iterable
from functools import cached_property

from solver.games.chess_pieces import TAKEN
from solver.packed import Packed

LINES = {
    "Q": ("row", "file", "rising", "falling"),
    "R": ("row", "file"),
    "B": ("rising", "falling"),
}
"""The lines along which pieces slide: properties of a `Place`, equal for all places on the same line."""


class Place:
    """A square, one number or an array, and the lines through it; a taken piece is in row 8."""

    def __init__(self, square: Packed) -> None:
        """Stand for this square."""
        self.square = square

    @cached_property
    def row(self) -> Packed:
        """The row, from 0."""
        return self.square >> 3

    @cached_property
    def file(self) -> Packed:
        """The file, from 0."""
        return self.square & 7

    @cached_property
    def rising(self) -> Packed:
        """The number of the diagonal that rises to the right."""
        return self.row - self.file

    @cached_property
    def falling(self) -> Packed:
        """The number of the diagonal that falls to the right."""
        return self.row + self.file

    @property
    def is_on_board(self) -> Packed:
        """Whether it is a square of the board."""
        return self.square != TAKEN


class Neighbour(Place):
    """The place some rows up and files to the right of another one; it may lie beyond the edge."""

    def __init__(self, origin: Place, up: Packed, right: Packed) -> None:
        """Stand for the place that far from `origin`."""
        self.row, self.file = origin.row + up, origin.file + right
        super().__init__(8 * self.row + self.file)

    @property
    def is_on_board(self) -> Packed:
        """Whether it is a square of the board."""
        return (self.row | self.file) >> 3 == 0


def attacks(letter: str, origin: Place, target: Place, others: Iterable[Place]) -> Packed:
    """Whether a piece at one place attacks another one, none of the `others` being in between.

    All but a knight also attack their own place.
    """
    if letter not in LINES:
        return _leaps(letter, origin, target)
    shared = {line: getattr(origin, line) == getattr(target, line) for line in LINES[letter]}
    found, free = False, True
    for is_shared in shared.values():
        found = found | is_shared
    for other in others:
        beside = False
        for line, is_shared in shared.items():
            beside = beside | is_shared & (getattr(other, line) == getattr(target, line))
        free = free & ((beside & _is_between(other, origin, target)) == 0)
    return found & free


def step_towards(origin: Place, target: Place) -> tuple[Packed, Packed]:
    """The step, up and to the right, on the line from one place to another."""
    up, right = target.row - origin.row, target.file - origin.file
    return (up > 0) * 1 - (up < 0) * 1, (right > 0) * 1 - (right < 0) * 1


def _leaps(letter: str, origin: Place, target: Place) -> Packed:
    """Whether a king or a knight goes from one place to another; or, but for a knight, stays."""
    up, right = target.row - origin.row, target.file - origin.file
    if letter == "K":
        return up * up + right * right < 3
    both = up * right
    return (both == 2) | (both == -2)


def _is_between(place: Place, one: Place, other: Place) -> Packed:
    """Whether a place on a line with two others lies between them, and is neither of them.

    Along every line squares ascend or descend, so the differences to these have different signs.
    """
    return (one.square - place.square) * (other.square - place.square) < 0
