"""The placements of an L of four cells on a board of four by four, as numbers with one bit a cell."""

from functools import cache

from solver.games.grid import turns

SIZE = 4
CELLS = SIZE * SIZE
LETTERS = "abcdefghijklmnop"


def bits(board: int) -> list[int]:
    """The single bits that are set in `board`, the lowest first."""
    return [1 << cell for cell in range(CELLS) if board >> cell & 1]


@cache
def moved(board: int, turn: tuple[int, ...]) -> int:
    """The board with each bit taken to where `turn` says."""
    return sum(1 << turn[bit.bit_length() - 1] for bit in bits(board))


def places() -> tuple[int, ...]:
    """The 48 ways to put an L on the board, in ascending order."""
    corner = 0b0011_0001_0001  # a, e, i and j
    slid = [corner << (row * SIZE + column) for row in range(2) for column in range(SIZE - 1)]
    return tuple(sorted({moved(place, turn) for place in slid for turn in (IDENTITY, *TURNS)}))


IDENTITY = tuple(range(CELLS))
TURNS = tuple(turns(SIZE, SIZE))
PLACES = places()
