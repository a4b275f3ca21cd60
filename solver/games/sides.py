"""Positions that are a board and then the side to move; and who wins when a player cannot move."""

from collections.abc import Sequence

from solver.errors import UnreadablePosition
from solver.games.grid import plain_cells
from solver.packed import Packed


def unreadable(text: str, wanted: str) -> UnreadablePosition:
    """The error for a `text` that is not a position; it says what is `wanted`."""
    return UnreadablePosition(f"cannot read the position {text!r}: it should be {wanted}")


def board_and_side(text: str, players: Sequence[str], wanted: str) -> tuple[str, int | None]:
    """Returns the board of a position and the player named by its last word, None without that word.

    Both are read in any case. Raises `UnreadablePosition`, which says what is `wanted`, for more words.
    """
    board, *side = text.lower().split() or [""]
    names = [name.lower() for name in players]
    if len(side) > 1:
        raise unreadable(text, wanted)
    if side and side[0] not in names:
        raise UnreadablePosition(
            f"cannot read the position {text!r}: the side to move is {names[0]} or {names[1]}"
        )
    return board, names.index(side[0]) if side else None


def cells_and_side(
    text: str, players: Sequence[str], count: int, marks: str, wanted: str
) -> tuple[str, int | None]:
    """The cells of a position, each one of `marks` or `.`, and the side as in `board_and_side`.

    Raises `UnreadablePosition`, which says what is `wanted`, for other cells or more or less than `count`.
    """
    board, side = board_and_side(text, players, wanted)
    cells = plain_cells(board)
    if len(cells) != count or not set(cells) <= {*marks, "."}:
        raise unreadable(text, wanted)
    return cells, side


def with_side(board: str, players: Sequence[str], side: int, expected: int | None = None) -> str:
    """The position of a board: with the side to move as the last word, unless it is the `expected` one."""
    return board if side == expected else f"{board} {players[side]}"


def lead(cells: Sequence[str]) -> int:
    """The number of x minus the number of o."""
    return cells.count("x") - cells.count("o")


def side_with_fewer(cells: Sequence[str]) -> int:
    """The side to move if a text does not say it: the one with fewer marks, or x."""
    return int(lead(cells) > 0)


def last_mover_wins(to_move: Packed, *, misere: bool = False) -> Packed:
    """The utility if the player to move cannot move and so has lost; with `misere`, has won."""
    return (1 - 2 * to_move) if misere else (2 * to_move - 1)
