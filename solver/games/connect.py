"""Connect-k: drop stones into columns; the first to have k in a row wins. Connect Four is 6,7,4.

A state is one integer: the side to move in the lowest bit (0 is x, 1 is o), above it the columns of stones as
`solver.games.stacks` has them, in each a sentinel bit over the stones.

Dropping a stone moves the sentinel up and so always makes the integer larger; of two states with the
same side to move that differ, the larger stays the larger when both get a stone in the same column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter
from solver.game import Look, Symmetry
from solver.games.grid import MOST_CELLS, drawn, refuse_outside
from solver.games.lines import starts_of_rows
from solver.games.sides import cells_and_side, last_mover_wins, lead, side_with_fewer, unreadable, with_side
from solver.games.stacks import Stacks
from solver.packed import STATE_BITS, Packed, PackedGame, bit_count


@dataclass(frozen=True)
class Connect(PackedGame):
    """Drop stones into columns and get k in a row, column or diagonal; Connect Four is 6,7,4.

    Boards with columns * (rows + 1) up to 62 can be packed: 6 rows of 8 columns can, 7 of 8 cannot.
    """

    rows: int = 4
    columns: int = 4
    k: int = 4

    players = ("x", "o")
    look = Look(glyphs={"x": "●", "o": "◎"})

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board that cannot be played or packed; k may be more than it holds."""
        refuse_outside(1, MOST_CELLS, rows=self.rows, columns=self.columns, k=self.k)
        needed = self.columns * self._stacks.height
        if needed >= STATE_BITS:
            raise BadParameter(
                f"a board of {self.rows} rows and {self.columns} columns is too large to be packed: "
                f"columns * (rows + 1) can be at most {STATE_BITS - 1}, not {needed}"
            )

    @property
    def title(self) -> str:
        """The game with its k, and the size of its board."""
        return f"Connect {self.k} on {self.rows} x {self.columns}"

    @property
    def action_count(self) -> int:
        """One action a column: drop a stone there."""
        return self.columns

    @property
    def initial(self) -> int:
        """The empty board, x to move: nothing but sentinels."""
        return self._stacks.empty << 1

    def to_move(self, state: Packed) -> Packed:
        """0 when x is to move, 1 when o is."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the column has room: its sentinel is not at the top."""
        return state >> (1 + action * self._stacks.height + self.rows) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The board with the mover's stone on top of the column, the other side to move."""
        sentinel = self._stacks.sentinel(state >> 1, action)
        return (state ^ 1) + (sentinel << (2 - (state & 1)))

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the player who has just moved has k in a row, or the board is full."""
        return self._won(state) | (state >> 1 & self._stacks.top == self._stacks.top)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has, 0 when nobody has."""
        return self._won(state) * last_mover_wins(state & 1)

    def ply(self, state: Packed) -> Packed:
        """The number of stones."""
        return bit_count(self._stacks.stones(state >> 1))

    def position(self, state: int) -> str:
        """The rows from the top, and the side to move unless it is what play from the start makes it."""
        rows = "/".join(self._stacks.pictured(state >> 1))
        return with_side(rows, self.players, state & 1, lead(rows))

    def parse(self, text: str) -> int:
        """The state of a text such as `..../..../.o../.xx.` or `..../..../.o../.xx. x`.

        Where it does not say who is to move, it is the side with fewer stones, or x.
        """
        wanted = (
            f"{self.rows} rows of {self.columns} cells of x, o or . from the top, no stone above a gap, "
            "then x or o to say who is to move"
        )
        cells, side = cells_and_side(text, self.players, self.rows * self.columns, "xo", wanted)
        stacks = [cells[column :: self.columns][::-1].rstrip(".") for column in range(self.columns)]
        if "." in "".join(stacks):
            raise unreadable(text, wanted)
        state = self._stacks.packed(stacks) << 1 | (side_with_fewer(cells) if side is None else side)
        if self._won(state ^ 1):
            raise unreadable(text, f"a board on which {self.players[state & 1]}, to move, has not won before")
        return state

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of cells, the top row first: "x", "o" or ""."""
        return [[cell.strip(".") for cell in row] for row in self._stacks.pictured(state >> 1)]

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The number of the column, of each cell in it."""
        return [[str(column) for column in range(self.columns)]] * self.rows

    def show(self, state: int) -> str:
        """The board in lines, and the numbers of the columns below it."""
        names = [str(column) for column in range(self.columns)]
        cells = "".join(self._stacks.pictured(state >> 1)).replace(".", " ")
        return drawn([*cells, *names], self.columns)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        if self.columns == 1:
            return ()
        return (
            Symmetry(
                lambda state: state & 1 | self._stacks.mirrored(state >> 1) << 1,
                lambda column: self.columns - 1 - column,
            ),
        )

    def states_at_most(self) -> int:
        """The number of ways to stack as many x as o, or one more, with no column won but by the last stone.

        Some of them lie behind a win in a row or a diagonal.
        """
        without, topped = self._stacks.ways(self.k)
        even, odd = ([(n + more, n) for n in range(self.rows * self.columns + 1)] for more in (0, 1))
        won = sum(topped[o, x] for x, o in even) + sum(topped[x, o] for x, o in odd)
        return sum(without[numbers] for numbers in even + odd) + won

    def _won(self, state: Packed) -> Packed:
        """Whether the player who is not to move has k in a row."""
        board = state >> 1
        stones = self._stacks.stones(board) & (board ^ ((state & 1) - 1))
        found = False
        for step in (1, self._stacks.height - 1, self._stacks.height, self._stacks.height + 1):
            found = found | (starts_of_rows(stones, step, self.k) != 0)
        return found

    @cached_property
    def _stacks(self) -> Stacks:
        return Stacks(self.rows, self.columns)
