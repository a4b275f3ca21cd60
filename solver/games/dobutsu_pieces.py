"""The pieces of Dobutsu shogi and how they go, on a board that is packed into an integer.

The cells are numbered row by row from 0 at the top left; the first player's pieces go up.

    bit   62             61 ... 56      53 ... 48      47 ... 44     3 ... 0
          side to move   second's hand  first's hand   cell 11 ...   cell 0

A cell has a piece, or 0; bit 3 is set for the second player's. A hand has two bits each for the number of
giraffes, of elephants and of chicks. When a lion has been taken, only the side to move is left. The bits of a
piece say how it goes:

    bit 0   up, down and sideways            giraffe  1        chick  4
    bit 1   diagonally                       elephant 2        hen    5 = 4 + 1
    bit 2   ahead, and with bit 0 also       lion     3 = 1 + 2
            diagonally ahead
"""

from collections.abc import Sequence
from typing import NamedTuple

from solver.games.steps import DIRECTIONS
from solver.packed import Packed

ROWS, COLUMNS = 4, 3
CELLS = ROWS * COLUMNS

PIECES = GIRAFFE, ELEPHANT, LION, CHICK, HEN = range(1, 6)
SECOND = 8
"""The bit of the second player's pieces; also the bits from the first player's hand to the second's."""

HELD = (GIRAFFE, ELEPHANT, CHICK)
"""The pieces that a hand can hold, in the order of its bits."""

HANDS, SIDE = 48, 62
"""The lowest bit of the hands, and the bit of the side to move."""

GAINS = sum(
    1 << (8 * piece + 2 * kind) for kind, piece in ((0, GIRAFFE), (1, ELEPHANT), (2, CHICK), (2, HEN))
)
"""What a hand gains that takes a piece: the eight bits from 8 * piece on."""

ENTERED = sum(1 << piece for piece in (0, *range(SECOND, 16))) | 0xFF << 16
"""What may be in a cell that a move enters, none of the mover's own: bit 16 * side + piece."""

ONES, LEFT, RIGHT, TOP = (
    sum(1 << 4 * cell for cell in cells)
    for cells in (range(CELLS), range(0, CELLS, COLUMNS), range(2, CELLS, COLUMNS), range(COLUMNS))
)
"""The lowest bits of all cells, of the columns on the left and on the right, and of the top row."""

ROW = 4 * COLUMNS
"""The bits from a cell to the one below."""


class PieceMove(NamedTuple):
    """A way from cell to cell, for pieces of both sides."""

    origin: int
    target: int
    movers: int
    """The pieces that may go this way: bit 16 * side + piece."""
    promotes: bool
    """Whether a chick that goes this way becomes a hen."""


class Drop(NamedTuple):
    """The way of a piece from the hand to a cell."""

    piece: int
    target: int
    held: int
    """The lowest bit of the number of these pieces in the first player's hand."""


def goes(piece: int, ahead: int, aside: int) -> bool:
    """Whether a piece takes a step of so many rows ahead and columns aside: -1, 0 or 1 each."""
    straight, diagonal, forward = piece & 1, piece >> 1 & 1, piece >> 2 & (ahead == 1)
    return bool(diagonal | (straight & forward) if ahead and aside else straight | forward)


def moves() -> list[PieceMove]:
    """All moves, by the cell left and the direction."""
    found = []
    for origin in range(CELLS):
        for down, right in DIRECTIONS:
            row, column = origin // COLUMNS + down, origin % COLUMNS + right
            if 0 <= row < ROWS and 0 <= column < COLUMNS:
                first = sum(1 << piece for piece in PIECES if goes(piece, -down, right))
                second = sum(1 << (SECOND + piece) for piece in PIECES if goes(piece, down, right))
                promotes = right == 0 and (down, row) in ((-1, 0), (1, ROWS - 1))
                found.append(PieceMove(origin, COLUMNS * row + column, first | second << 16, promotes))
    return found


MOVES: Sequence[PieceMove] = moves()
DROPS: Sequence[Drop] = [
    Drop(piece, cell, HANDS + 2 * kind) for kind, piece in enumerate(HELD) for cell in range(CELLS)
]


def lion_attackers(state: Packed) -> Packed:
    """The pieces of the side to move that can take the other lion, in the lowest bits of their cells."""
    side = state >> SIDE & 1
    others = _others(state)
    lion = state & state >> 1 & others
    straight, diagonal, forward = (state >> bit & (others ^ ONES) for bit in range(3))
    beside = (lion << 4 & (ONES ^ LEFT)) | (lion >> 4 & (ONES ^ RIGHT))
    above, below = lion >> ROW, lion << ROW
    corners_above, corners_below = beside >> ROW, beside << ROW
    return (
        (beside | above | below) & straight
        | (corners_above | corners_below) & diagonal
        | _behind(side, above, below) & forward
        | _behind(side, corners_above, corners_below) & forward & straight
    )


def lion_arrived(state: Packed) -> Packed:
    """The other lion if it is in its far row, in the lowest bit of its cell, otherwise 0."""
    row = TOP << 4 * (CELLS - COLUMNS) * (1 - (state >> SIDE & 1))
    return state & state >> 1 & _others(state) & row


def mirrored(state: Packed) -> Packed:
    """The state with left and right exchanged."""
    left, right = state & 15 * LEFT, state & 15 * RIGHT
    return state ^ left ^ right ^ left << 8 ^ right >> 8


def upside_down(state: Packed) -> Packed:
    """The state with the rows in reverse order, and all pieces, hands and the side to move exchanged."""
    outer = state >> 3 * ROW & TOP * 15 | (state & TOP * 15) << 3 * ROW
    inner = state >> ROW & TOP * 15 << ROW | (state & TOP * 15 << ROW) << ROW
    board = outer | inner
    pieces = (board | board >> 1 | board >> 2) & ONES
    hands = (state >> SECOND & 63 << HANDS) | (state & 63 << HANDS) << SECOND
    return (board ^ pieces * SECOND) | hands | (state & 1 << SIDE ^ 1 << SIDE)


def _others(state: Packed) -> Packed:
    """The cells of the other side's pieces and maybe empty ones, in the lowest bits of cells."""
    return (state >> 3 ^ -(state >> SIDE & 1)) & ONES


def _behind(side: Packed, above: Packed, below: Packed) -> Packed:
    """The cells above a row or those below it, whichever are behind it for the side to move."""
    return above ^ ((above ^ below) & (side - 1))
