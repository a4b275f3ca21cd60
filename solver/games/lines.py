"""k in a row: the lines of a board of rows and columns, and the marks that lie in them, as bits."""

from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter
from solver.packed import Packed

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of lines, as rows down and columns to the right."""


def starts_of_rows(marks: Packed, step: int, k: int) -> Packed:
    """The marks with which k of them start, each `step` bits above the one before."""
    length = 1
    while length < k:  # twice as long each time: log k steps
        more = length if 2 * length <= k else k - length
        marks = marks & (marks >> more * step)
        length += more
    return marks


@dataclass(frozen=True)
class Lines:
    """The lines of k cells on a board whose cell 0, at the top left, is the lowest bit."""

    rows: int
    columns: int
    k: int

    def refuse_none(self) -> None:
        """Raise `BadParameter` when no line of k cells fits on the board."""
        longest = max(self.rows, self.columns)
        if self.k > longest:
            raise BadParameter(
                f"k={self.k} in a row do not fit on a board of {self.rows} rows and {self.columns} columns; "
                f"k can be at most {longest}"
            )

    def held(self, marks: Packed, boards: int = 1) -> Packed:
        """Whether there are marks in all cells of a line, on any of the `boards`: each above the one before.

        Bits above the last one do not count.
        """
        each = sum(1 << board * self.rows * self.columns for board in range(boards))
        found = 0
        for step, starts in self._ways:
            found = found | starts_of_rows(marks, step, self.k) & starts * each
        return found != 0

    def lead(self, first: int, second: int) -> int:
        """The sum over all lines with marks of one side only: 3**(n-1) for n marks, negative for `second`."""
        total = 0
        for line in self._cells:
            mine, other = (first & line).bit_count(), (second & line).bit_count()
            if not (mine and other):
                total += self._weights[mine] - self._weights[other]
        return total

    @cached_property
    def _weights(self) -> list[int]:
        """The score of a line with n marks."""
        return [0, *(3**n for n in range(self.k))]

    @cached_property
    def _ways(self) -> list[tuple[int, int]]:
        """By direction: the distance to the next cell, and the cells where a line can start, as bits."""
        found = []
        for down, right in WAYS:
            starts = 0
            for row in range(self.rows - down * (self.k - 1)):
                for column in range(self.columns):
                    if 0 <= column + right * (self.k - 1) < self.columns:
                        starts |= 1 << (row * self.columns + column)
            if starts:
                found.append((down * self.columns + right, starts))
        return found

    @cached_property
    def _cells(self) -> list[int]:
        """The cells of each line, as bits."""
        return [
            sum(1 << (start + nth * step) for nth in range(self.k))
            for step, starts in self._ways
            for start in range(self.rows * self.columns)
            if starts >> start & 1
        ]
