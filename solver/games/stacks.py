"""Columns of stones as bits: one field of rows + 1 bits for each column.

A field has one bit a stone, the lowest stone lowest (1 is x, 0 is o), and over them a sentinel bit that marks
the height. A column of three rows with first an x and then an o:

    bit    3   2   1   0
           0   1   0   1
               |   o   x
               sentinel
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from solver.packed import Packed

Ways: TypeAlias = Counter[tuple[int, int]]
"""The number of ways to stack stones, by the numbers of x and o."""

BITS, MARKS = str.maketrans("xo", "10"), str.maketrans("10", "xo")


@dataclass(frozen=True)
class Stacks:
    """The layout of a board of so many rows and columns."""

    rows: int
    columns: int

    @cached_property
    def height(self) -> int:
        """The number of bits of a field."""
        return self.rows + 1

    @cached_property
    def empty(self) -> int:
        """The board without stones: all sentinels at the bottom."""
        return self._in_each_column(1)

    @cached_property
    def top(self) -> int:
        """The places of the sentinels of columns without room."""
        return self._in_each_column(1 << self.rows)

    def sentinel(self, board: Packed, column: int) -> Packed:
        """The sentinel of a column, as a bit of the board."""
        low = column * self.height
        under = self._filled(board >> low & ((1 << self.height) - 1))
        return under - (under >> 1) << low

    def stones(self, board: Packed) -> Packed:
        """The places of stones of either kind."""
        return self._filled(board) >> 1 & self._reaching[1]

    def mirrored(self, board: Packed) -> Packed:
        """The board with left and right exchanged."""
        image = 0
        for column in range(self.columns):
            field = board >> column * self.height & ((1 << self.height) - 1)
            image = image | field << (self.columns - 1 - column) * self.height
        return image

    def packed(self, stacks: Sequence[str]) -> int:
        """The board with these stones, `x` or `o` from the bottom, in its columns."""
        fields = [int("1" + stack[::-1].translate(BITS), 2) for stack in stacks]
        return sum(field << column * self.height for column, field in enumerate(fields))

    def pictured(self, board: int) -> list[str]:
        """The rows from the top, a letter for each cell: `x`, `o`, or `.` for none."""
        whole = (1 << self.height) - 1
        fields = [board >> low & whole for low in range(0, self.columns * self.height, self.height)]
        return list(map("".join, zip(*[_column(self.rows, field) for field in fields], strict=True)))

    def ways(self, k: int) -> tuple[Ways, Ways]:
        """Two counts of boards by their numbers of x and o, for k stones of a kind in a row in a column.

        Returns the number of boards without any, and of those with one only: k x, on top of their column.
        """
        one, topped = self._columns(k)
        without = Ways({(0, 0): 1})
        for _ in range(self.columns - 1):
            without = _side_by_side(without, one)
        ended = _side_by_side(without, topped)
        return _side_by_side(without, one), Ways({key: self.columns * n for key, n in ended.items()})

    def _columns(self, k: int) -> tuple[Ways, Ways]:
        """The same numbers for a single column, by the run of equal stones on its top."""
        without, topped = Ways({(0, 0): 1}), Ways()
        stacks = Counter({(0, 0, "", 0): 1})
        for _ in range(self.rows):
            taller = Counter[tuple[int, int, str, int]]()
            for (x, o, last, run), ways in stacks.items():
                for stone, numbers in (("x", (x + 1, o)), ("o", (x, o + 1))):
                    alike = run + 1 if stone == last else 1
                    if alike < k:
                        taller[*numbers, stone, alike] += ways
                        without[numbers] += ways
                    elif stone == "x":
                        topped[numbers] += ways
            stacks = taller
        return without, topped

    def _filled(self, board: Packed) -> Packed:
        """The board with all the bits below each sentinel set."""
        below, distance = board, 1
        while distance < self.height:
            below = below | (below >> distance & self._reaching[distance])
            distance *= 2
        return below

    def _in_each_column(self, field: int) -> int:
        """The board with the same field in each column."""
        return sum(field << column * self.height for column in range(self.columns))

    @cached_property
    def _reaching(self) -> list[int]:
        """By distance: the bits that a shift down by it does not fill from the next column."""
        return [self._in_each_column((1 << (self.height - distance)) - 1) for distance in range(self.height)]


@lru_cache(1 << 14)
def _column(rows: int, field: int) -> str:
    """The cells of a column with these bits, from the top."""
    return f"{field:b}"[1:].translate(MARKS).rjust(rows, ".")


def _side_by_side(one: Ways, other: Ways) -> Ways:
    """The ways to stack stones to the left, and others to the right."""
    both = Ways()
    for (x, o), ways in one.items():
        for (more_x, more_o), more in other.items():
            both[x + more_x, o + more_o] += ways * more
    return both
