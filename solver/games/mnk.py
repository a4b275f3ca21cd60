"""m,n,k games: get k of your marks in a row on a board of m rows and n columns. Tic-tac-toe is 3,3,3.

A state is one integer; with n = rows * columns cells, numbered row by row from 0 at the top left:

    bit   2n ... n+1   n ... 1   0
          o's marks    x's marks side to move: 0 is x, 1 is o

Playing a cell sets one bit and flips the lowest, so it always makes the integer larger.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

from solver.errors import BadParameter, UnreadablePosition
from solver.game import Symmetry
from solver.packed import STATE_BITS, Packed, PackedGame

MARKS = "xo"

DIGITS = 9
"""Up to so many cells have a digit each, from 1."""

_WEIGHTS = [0, *(3**n for n in range(STATE_BITS))]
"""What a line with n marks counts in the heuristic."""


@dataclass(frozen=True)
class MNK(PackedGame):
    """Get k marks in a row, column or diagonal; with `misere`, whoever gets them loses."""

    rows: int = 3
    columns: int = 3
    k: int = 3
    misere: bool = False

    players = ("x", "o")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed."""
        for name in ("rows", "columns", "k"):
            if getattr(self, name) < 1:
                raise BadParameter(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.k > max(self.rows, self.columns):
            raise BadParameter(
                f"k={self.k} in a row do not fit on a board of {self.rows} rows and {self.columns} columns; "
                f"k can be at most {max(self.rows, self.columns)}"
            )
        if self.cells > (STATE_BITS - 1) // 2:
            raise BadParameter(
                f"a board of {self.rows} rows and {self.columns} columns has {self.cells} cells; "
                f"a packed state has room for {(STATE_BITS - 1) // 2}"
            )

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @property
    def action_count(self) -> int:
        """One action a cell: put the mover's mark there."""
        return self.cells

    @property
    def initial(self) -> int:
        """The empty board, x to move."""
        return 0

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the cell is empty."""
        return (state >> (1 + action) | state >> (1 + self.cells + action)) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the mover's mark in the cell, the other side to move."""
        return (state ^ 1) + (1 << (1 + action + self.cells * (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether somebody has k in a row or the board is full."""
        x, o = self._marks(state)
        return self._has_line(x) | self._has_line(o) | (x | o == self._full)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has, 0 when nobody has."""
        x, o = self._marks(state)
        gain = -1 if self.misere else 1
        return gain * self._has_line(x) - gain * self._has_line(o)

    def position(self, state: int) -> str:
        """The cells row by row, and the side to move unless it is what play from the empty board makes it."""
        cells = "".join(self._cells(state))
        return cells if _lead(cells) == state & 1 else f"{cells} {MARKS[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `xo..x....`, `xo./.x./...` or `oo.ox...x x`.

        Where it does not say who is to move, it is the side with fewer marks, or x.
        """
        board, *mover = text.lower().split() or [""]
        cells = board.replace("/", "").translate(str.maketrans("_-", ".."))
        if len(cells) != self.cells or len(mover) > 1 or not set(cells) <= {*MARKS, "."}:
            raise UnreadablePosition(
                f"cannot read the position {text!r}: it should be {self.cells} cells of x, o or . "
                f"({self.rows} rows of {self.columns}), then x or o to say who is to move"
            )
        if mover and mover[0] not in ("x", "o"):
            raise UnreadablePosition(f"cannot read the position {text!r}: the side to move is x or o")
        turn = MARKS.index(mover[0]) if mover else int(_lead(cells) > 0)
        marks = (sum(1 << cell for cell, mark in enumerate(cells) if mark == side) for side in MARKS)
        return turn | next(marks) << 1 | next(marks) << (1 + self.cells)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells: "x", "o" or ""."""
        cells = [mark.strip(".") for mark in self._cells(state)]
        return [cells[start : start + self.columns] for start in range(0, self.cells, self.columns)]

    def show(self, state: int) -> str:
        """The board in lines; an empty cell shows the number of the action that takes it."""
        return self._drawn(state, list(map(str, range(self.cells))))

    def key(self, action: int) -> str:
        """The number of the cell, from 1 on a board of up to 9 cells: one key of a keyboard each."""
        return str(action + 1 if self.cells <= DIGITS else action)

    def show_keys(self, state: int) -> str:
        """The board in lines; an empty cell shows the key that takes it."""
        return self._drawn(state, list(map(self.key, range(self.cells))))

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board."""
        return self._symmetries

    def evaluate(self, state: int) -> int:
        """The sum over all lines with marks of one side only: 3**(n-1) for n of them, negative for o's.

        For k = 3 that is 3*X2 + X1 - (3*O2 + O1), as Russell and Norvig have it in an exercise of *Artificial
        Intelligence: A Modern Approach* (chapter on adversarial search): Xn counts the lines with n x.
        """
        x, o = self._marks(state)
        guess = 0
        for line in self._lines_as_cells:
            mine, other = (x & line).bit_count(), (o & line).bit_count()
            if not (mine and other):
                guess += _WEIGHTS[mine] - _WEIGHTS[other]
        return -guess if self.misere else guess

    def states_at_most(self) -> int:
        """The number of ways to place as many x as o, or one more: some of them lie behind a win."""
        return sum(comb(self.cells, ply) * comb(ply, ply // 2) for ply in range(self.cells + 1))

    def _drawn(self, state: int, numbers: list[str]) -> str:
        """The board in lines, with the cell's text from `numbers` in each that is empty."""
        width = max(map(len, numbers))
        texts = [mark if mark != "." else numbers[cell] for cell, mark in enumerate(self._cells(state))]
        rows = [
            "|".join(f" {text:>{width}} " for text in texts[start : start + self.columns]).rstrip()
            for start in range(0, self.cells, self.columns)
        ]
        rule = "+".join(["-" * (width + 2)] * self.columns)
        return f"\n{rule}\n".join(rows)

    def _marks(self, state: Packed) -> tuple[Packed, Packed]:
        return state >> 1 & self._full, state >> (1 + self.cells) & self._full

    def _cells(self, state: int) -> list[str]:
        x, o = self._marks(state)
        return ["x" if x >> cell & 1 else "o" if o >> cell & 1 else "." for cell in range(self.cells)]

    def _has_line(self, marks: Packed) -> Packed:
        found = False
        for step, starts in self._lines:
            line = marks & starts
            for nth in range(1, self.k):
                line = line & (marks >> nth * step)
            found = found | (line != 0)
        return found

    @cached_property
    def _full(self) -> int:
        return (1 << self.cells) - 1

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """For each direction the distance to the next cell and, as bits, the cells where a line can start."""
        lines = []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            starts = 0
            for row in range(self.rows - down * (self.k - 1)):
                for column in range(self.columns):
                    if 0 <= column + right * (self.k - 1) < self.columns:
                        starts |= 1 << (row * self.columns + column)
            if starts:
                lines.append((down * self.columns + right, starts))
        return lines

    @cached_property
    def _lines_as_cells(self) -> list[int]:
        """Every line of k cells, as bits."""
        return [
            sum(1 << (start + nth * step) for nth in range(self.k))
            for step, starts in self._lines
            for start in range(self.cells)
            if starts >> start & 1
        ]

    @cached_property
    def _symmetries(self) -> tuple[Symmetry[int, int], ...]:
        grid = [list(range(row * self.columns, (row + 1) * self.columns)) for row in range(self.rows)]
        images = []
        for turned in (grid, [list(column) for column in zip(*grid, strict=True)]):
            for flipped in (turned, turned[::-1]):
                images += [flipped, [row[::-1] for row in flipped]]
        square = self.rows == self.columns
        moved = dict.fromkeys(
            tuple(cell for row in image for cell in row) for image in (images if square else images[:4])
        )
        identity = tuple(range(self.cells))
        return tuple(self._symmetry(cells) for cells in moved if cells != identity)

    def _symmetry(self, moved: tuple[int, ...]) -> Symmetry[int, int]:
        """The symmetry that takes the mark of each cell to the cell `moved[cell]`."""
        pair = 1 | 1 << self.cells

        def state(state: Packed) -> Packed:
            image = state & 1
            for cell, target in enumerate(moved):
                image = image | (state >> (1 + cell) & pair) << (1 + target)
            return image

        return Symmetry(state, moved.__getitem__)


def _lead(cells: str) -> int:
    """How many more x than o there are."""
    return cells.count("x") - cells.count("o")


@dataclass(frozen=True)
class TicTacToe(MNK):
    """Get three in a row on a board of 3 rows and 3 columns; with `misere`, whoever gets them loses."""

    rows: int = field(default=3, init=False)
    columns: int = field(default=3, init=False)
    k: int = field(default=3, init=False)
