"""Boards of rows and columns: cells numbered row by row from 0 at the top left, drawn, read and turned."""

from collections.abc import Callable, Sequence

from solver.errors import BadParameter, shown
from solver.packed import STATE_BITS, Packed

MOST_CELLS = STATE_BITS - 1
"""The most cells that fit into a state beside the side to move, with one bit each."""


def by_row(cells: Sequence[str], columns: int) -> list[Sequence[str]]:
    """The cells row by row."""
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]


def written(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a position writes them: with `/` between them, and `.` for a cell without a mark."""
    return "/".join("".join(mark or "." for mark in row) for row in rows)


def drawn(texts: Sequence[str], columns: int) -> str:
    """A picture of the board for a terminal, with the text of each cell and lines between the cells."""
    width = max(map(len, texts))
    rows = ["|".join(f" {text:>{width}} " for text in row).rstrip() for row in by_row(texts, columns)]
    rule = "+".join(["-" * (width + 2)] * columns)
    return f"\n{rule}\n".join(rows)


def cell_names(cells: int, columns: int) -> list[str]:
    """The names of the cells: the column as a letter and the row, counted from the top, such as `c2`."""
    return [f"{chr(ord('a') + cell % columns)}{cell // columns + 1}" for cell in range(cells)]


def labelled(rows: Sequence[Sequence[str]]) -> str:
    """A picture of the board for a terminal, with the names of rows and columns beside and below it."""
    wide = len(str(len(rows)))
    lines = [
        f"{number:>{wide}} {' '.join(mark or '.' for mark in row)}"
        for number, row in enumerate(rows, start=1)
    ]
    columns = " ".join(name[0] for name in cell_names(len(rows[0]), len(rows[0])))
    return "\n".join([*lines, f"{'':{wide}} {columns}"])


def plain_cells(board: str) -> str:
    """The cells of a board as a person writes it: without `/` between rows, and `.` for `_` and `-`."""
    return board.replace("/", "").translate(str.maketrans("_-", ".."))


def marks_of(state: int, cells: int, names: str = "xo") -> list[str]:
    """The mark of each cell, "" for none, of a state with the side to move and then a board of each side."""
    first, second = state >> 1, state >> (1 + cells)
    return [names[0] if first >> at & 1 else names[1] if second >> at & 1 else "" for at in range(cells)]


def state_of(side: int, marks: Sequence[str], names: str = "xo") -> int:
    """The state that has these marks, and this side to move: the reverse of `marks_of`."""
    first, second = (sum(1 << at for at, mark in enumerate(marks) if mark == name) for name in names)
    return side | first << 1 | second << (1 + len(marks))


def refuse_outside(least: int, most: int, **parameters: int) -> None:
    """Raise `BadParameter` for the first of `parameters` that is below `least` or above `most`."""
    for name, number in parameters.items():
        if not least <= number <= most:
            raise BadParameter(f"{name} must be at least {least:,} and at most {most:,}, not {shown(number)}")


def refuse_unpackable(rows: int, columns: int, planes: int = 1, more: int = 0) -> None:
    """Raise `BadParameter` for a board too large for a state.

    It has a bit for the side to move, `planes` bits a cell and `more` bits besides.
    """
    room = (MOST_CELLS - more) // planes
    if rows * columns > room:
        raise BadParameter(
            f"a board of {rows} rows and {columns} columns has {rows * columns} cells; "
            f"a packed state has room for {room}"
        )


def turns(rows: int, columns: int, *, quarter: bool = True) -> list[tuple[int, ...]]:
    """The reflections and rotations of the board, without the identity, each as the image of every cell.

    Without `quarter`, those that exchange rows and columns are left out too.
    """
    grid = [list(range(row * columns, (row + 1) * columns)) for row in range(rows)]
    images = []
    for turned in (grid, [list(column) for column in zip(*grid, strict=True)]):
        for flipped in (turned, turned[::-1]):
            images += [flipped, [row[::-1] for row in flipped]]
    possible = images if quarter and rows == columns else images[:4]
    moved = dict.fromkeys(tuple(cell for row in image for cell in row) for image in possible)
    return [cells for cells in moved if cells != tuple(range(rows * columns))]


def mover_of_bits(moved: Sequence[int], planes: int = 1) -> Callable[[Packed], Packed]:
    """The function that moves the bits of each cell to the cell `moved[cell]`.

    The state has one bit that stays, the lowest, and above it `planes` boards of one bit a cell.
    """
    masks: dict[int, int] = {}  # of the bits that move equally far
    for cell, target in enumerate(moved):
        unit = sum(1 << (1 + cell + plane * len(moved)) for plane in range(planes))
        masks[target - cell] = masks.get(target - cell, 0) | unit

    def image(state: Packed) -> Packed:
        found = state & 1
        for distance, mask in masks.items():
            bits = state & mask
            found = found | (bits << distance if distance > 0 else bits >> -distance)
        return found

    return image
