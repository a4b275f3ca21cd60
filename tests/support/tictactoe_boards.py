"""Tic-tac-toe by brute force over boards of nine letters, without the solver."""

from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def x_moves(cells: str) -> bool:
    return cells.count("x") == cells.count("o")


def result(cells: str) -> int | None:
    """1 if x has a line, -1 if o has, 0 if the board is full, None while play goes on."""
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != ".":
            return 1 if cells[a] == "x" else -1
    return None if "." in cells else 0


@cache
def children(cells: str) -> dict[int, str]:
    """The board after the move into each cell; empty if play is over."""
    if result(cells) is not None:
        return {}
    mark = "x" if x_moves(cells) else "o"
    return {cell: cells[:cell] + mark + cells[cell + 1 :] for cell in range(9) if cells[cell] == "."}


@cache
def label(cells: str, misere: bool = False) -> tuple[int, int]:
    """The value for x, and the plies to the end if the winner hurries; with `misere` a line loses."""
    if (ended := result(cells)) is not None:
        return -ended if misere else ended, 0
    below, sign = [label(child, misere) for child in children(cells).values()], 1 if x_moves(cells) else -1
    best = sign * max(sign * value for value, _ in below)
    plies = [plies for value, plies in below if value == best]
    return best, 1 + (min(plies) if best == sign else max(plies))
