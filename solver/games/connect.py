"""Connect-k: drop stones into columns; the first to have k in a row wins. Connect Four is 6,7,4.

A state is one integer: the side to move in the lowest bit (0 is x, 1 is o), above it one field of rows + 1
bits for each column. A field has one bit a stone, the lowest stone lowest (1 is x, 0 is o), and over them a
sentinel bit that marks the height. A column of three rows with first an x and then an o:

    bit    3   2   1   0
           0   1   0   1
               |   o   x
               sentinel

Dropping a stone moves the sentinel up and so always makes the integer larger; of two states with the
same side to move that differ, the larger stays the larger when both get a stone in the same column.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from solver.errors import BadParameter
from solver.game import Symmetry
from solver.games.grid import by_row, drawn, plain_cells, refuse_below
from solver.games.sides import board_and_side, last_mover_wins, lead, side_with_fewer, unreadable
from solver.packed import STATE_BITS, Packed, PackedGame


@dataclass(frozen=True)
class Connect(PackedGame):
    """Drop stones into columns and get k in a row, column or diagonal; Connect Four is 6,7,4.

    Boards with columns * (rows + 1) up to 62 can be packed: 6 rows of 8 columns can, 7 of 8 cannot.
    """

    rows: int = 4
    columns: int = 4
    k: int = 4

    players = ("x", "o")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed; k may be more than it holds."""
        refuse_below(1, rows=self.rows, columns=self.columns, k=self.k)
        if self.columns * self._height >= STATE_BITS:
            raise BadParameter(
                f"a board of {self.rows} rows and {self.columns} columns is too large to be packed: "
                f"columns * (rows + 1) can be at most {STATE_BITS - 1}, not {self.columns * self._height}"
            )

    @property
    def action_count(self) -> int:
        """One action a column: drop a stone there."""
        return self.columns

    @property
    def initial(self) -> int:
        """The empty board, x to move: nothing but sentinels."""
        return self._floor << 1

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the column has room: its sentinel is not at the top."""
        return state >> (1 + action * self._height + self.rows) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the mover's stone on top of the column, the other side to move."""
        low = 1 + action * self._height
        under = self._filled(state >> low & ((1 << self._height) - 1))
        sentinel = under - (under >> 1)
        return (state ^ 1) + (sentinel << (low + 1 - (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player who has just moved has k in a row, or the board is full."""
        return self._won(state) | (state >> 1 & self._top == self._top)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has, 0 when nobody has."""
        return self._won(state) * last_mover_wins(state & 1)

    def position(self, state: int) -> str:
        """The rows from the top, and the side to move unless it is what play from the start makes it."""
        cells = "".join(self._cells(state))
        text = "/".join(map("".join, by_row(cells, self.columns)))
        return text if lead(cells) == state & 1 else f"{text} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `..../..../.o../.xx.` or `..../..../.o../.xx. x`.

        Where it does not say who is to move, it is the side with fewer stones, or x.
        """
        wanted = (
            f"{self.rows} rows of {self.columns} cells of x, o or . from the top, no stone above a gap, "
            "then x or o to say who is to move"
        )
        board, side = board_and_side(text, self.players, wanted)
        cells = plain_cells(board)
        stacks = ["".join(cells[column :: self.columns])[::-1].rstrip(".") for column in range(self.columns)]
        if len(cells) != self.rows * self.columns or not set("".join(stacks)) <= {"x", "o"}:
            raise unreadable(text, wanted)
        state = side_with_fewer(cells) if side is None else side
        for column, stack in enumerate(stacks):
            field = sum((mark == "x") << row for row, mark in enumerate(stack)) | 1 << len(stack)
            state |= field << (1 + column * self._height)
        if self._won(state ^ 1):
            raise unreadable(text, f"a board on which {self.players[state & 1]}, to move, has not won before")
        return state

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells, the top row first: "x", "o" or ""."""
        return by_row([mark.strip(".") for mark in self._cells(state)], self.columns)

    def show(self, state: int) -> str:
        """The board in lines, and the numbers of the columns below it."""
        names = [str(column) for column in range(self.columns)]
        return drawn([mark.replace(".", " ") for mark in self._cells(state)] + names, self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        if self.columns == 1:
            return ()
        return (Symmetry(self._mirror, lambda column: self.columns - 1 - column),)

    def states_at_most(self) -> int:
        """The number of ways to stack as many x as o, or one more: some of them lie behind a win."""
        stacks = Counter({0: 1})  # how many ways there are to stack so many stones, whatever their colours
        for _ in range(self.columns):
            taller = [Counter({n + more: ways for n, ways in stacks.items()}) for more in range(self._height)]
            stacks = sum(taller, Counter())
        return sum(ways * comb(stones, stones // 2) for stones, ways in stacks.items())

    def _mirror(self, state: Packed) -> Packed:
        image = state & 1
        for column in range(self.columns):
            field = state >> (1 + column * self._height) & ((1 << self._height) - 1)
            image = image | field << (1 + (self.columns - 1 - column) * self._height)
        return image

    def _won(self, state: Packed) -> Packed:
        """Whether the player who is not to move has k in a row."""
        board = state >> 1
        stones = self._filled(board) >> 1 & self._reaching[1] & (board ^ ((state & 1) - 1))
        found = False
        for step in (1, self._height - 1, self._height, self._height + 1):
            line, length = stones, 1
            while length < self.k:  # twice as long each time: log k steps
                more = min(length, self.k - length)
                line = line & (line >> more * step)
                length += more
            found = found | (line != 0)
        return found

    def _filled(self, board: Packed) -> Packed:
        """The board with all the bits below each sentinel set."""
        below, distance = board, 1
        while distance < self._height:
            below = below | (below >> distance & self._reaching[distance])
            distance *= 2
        return below

    def _in_each_column(self, field: int) -> int:
        """The board with the same field in each column."""
        return sum(field << column * self._height for column in range(self.columns))

    @cached_property
    def _floor(self) -> int:
        return self._in_each_column(1)

    @cached_property
    def _top(self) -> int:
        return self._in_each_column(1 << self.rows)

    @cached_property
    def _reaching(self) -> list[int]:
        """For each distance the bits that a shift down by it does not fill from the next column."""
        return [
            self._in_each_column((1 << (self._height - distance)) - 1) for distance in range(self._height)
        ]

    @property
    def _height(self) -> int:
        return self.rows + 1

    def _cells(self, state: int) -> list[str]:
        """The cells row by row from the top."""
        board = state >> 1
        stones = self._filled(board) >> 1 & self._reaching[1]
        places = [c * self._height + r for r in reversed(range(self.rows)) for c in range(self.columns)]
        return ["." if not stones >> at & 1 else "x" if board >> at & 1 else "o" for at in places]
