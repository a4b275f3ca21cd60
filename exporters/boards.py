"""The cells of boards: their places in a picture, their names, their marks, and the cells of moves.

Pages use the same cells of a move for clicks (`html/clicks.js`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from exporters.palette import tiles_of
from solver.game import AnyGame, Cell
from solver.rules.asking import board_of, cell_names_of, look_of, owner_of

Board: TypeAlias = Sequence[Sequence[str]]

NAME = re.compile(r"([a-z]*)(\d+)")
"""The name of a cell: the letters of its column and the number of its row, or only a number."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of lines of k marks, as (down, right)."""


def is_there(board: Board, cell: Cell) -> bool:
    """Whether the board has the cell."""
    return cell[0] < len(board) and cell[1] < len(board[cell[0]])


def mark_at(board: Board, cell: Cell) -> str:
    """The mark in a cell; "" if it is empty or beyond the board."""
    return board[cell[0]][cell[1]].strip() if is_there(board, cell) else ""


def marked(board: Board) -> dict[Cell, str]:
    """The non-empty texts of a board, marks or names, by cell, row by row."""
    return {
        (row, column): mark
        for row, marks in enumerate(board)
        for column, mark in enumerate(marks)
        if mark.strip()
    }


class Layout(NamedTuple):
    """The layout of a board in a picture."""

    places: Mapping[Cell, Cell]
    """The place of each cell: its row and column in the picture."""
    marks: Mapping[Cell, str]
    """The mark of each cell, by place."""
    rows: int
    columns: int
    ground: Board
    """The cells with lines between them, from the upper left corner on."""

    def placed(self, texts: Mapping[Cell, str]) -> dict[Cell, str]:
        """The texts of cells by place; those of cells that the board lacks are left out."""
        return {self.places[cell]: text for cell, text in texts.items() if cell in self.places}


def laid_out(game: AnyGame, board: Board) -> Layout:
    """The layout of a board; short rows of boards with ways are centred, and hands are beside the board."""
    cells = [(row, at) for row, marks in enumerate(board) for at in range(len(marks))]
    columns, ground = max(map(len, board), default=0), board
    if tiles_of(game):
        ground = board[1:-1]
        hands = {(0, 0): (0, columns), (len(board) - 1, 0): (len(ground) - 2, columns)}
        places = {cell: hands.get(cell, (cell[0] - 1, cell[1])) for cell in cells}
        columns += 1
    elif look_of(game).ways:
        places = {(row, at): (row, at + (columns - len(board[row])) // 2) for row, at in cells}
    else:
        places = {cell: cell for cell in cells}
    marks = {places[row, at]: board[row][at] for row, at in cells}
    return Layout(places, marks, len(ground), columns, ground)


def ways(game: AnyGame, layout: Layout) -> list[tuple[Cell, Cell]]:
    """The places of the two ends of each way, in ascending order."""
    ends = ([layout.places.get((row, at), (row, at)) for row, at in way] for way in look_of(game).ways)
    return [(start, end) for start, end in map(sorted, ends)]


def changes(before: Board | None, after: Board | None) -> list[Cell]:
    """The cells of `after` that differ from `before`, row by row."""
    return [
        (row, cell)
        for row, (old, new) in enumerate(zip_longest(before or (), after or (), fillvalue=()))
        for cell, (was, mark) in enumerate(zip_longest(old, new, fillvalue=""))
        if mark != was and cell < len(new)
    ]


def cell_filled(before: Board | None, after: Board | None) -> Cell | None:
    """The only cell that differs, if it is empty in `before` and marked in `after`; else None."""
    before, after = before or (), after or ()
    cell, is_alike = _only(changes(before, after)), [*map(len, before)] == [*map(len, after)]
    return cell if cell and is_alike and mark_at(after, cell) and not mark_at(before, cell) else None


def cell_played(game: AnyGame, before: Any, state: Any) -> Cell | None:
    """The only cell that has a new mark in `state` after the state `before`; None if there is not one."""
    board = board_of(game, state) or ()
    return _only([cell for cell in changes(board_of(game, before), board) if board[cell[0]][cell[1]]])


def cells_changed(game: AnyGame, before: Iterable[Any], state: Any) -> list[Cell]:
    """The cells that differ in `state` from the states `before`; [] unless they are the same for all."""
    changed = [changes(board_of(game, earlier), board_of(game, state)) for earlier in before]
    return changed[0] if changed and changed.count(changed[0]) == len(changed) else []


def rows_of_k(game: AnyGame, board: Board, last: Cell) -> list[tuple[Cell, Cell]]:
    """The first and last cells of each line of at least k equal marks through the cell `last`.

    A game without an attribute `k` has none.
    """
    k = getattr(game, "k", None)
    if not isinstance(k, int):
        return []
    marks, rows = marked(board), []
    for down, right in DIRECTIONS:
        ends = []
        for way in (-1, 1):
            row, column = last
            while marks.get((row + way * down, column + way * right)) == marks[last]:
                row, column = row + way * down, column + way * right
            ends.append((row, column))
        length = max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1)) + 1
        if length >= k:
            rows.append((ends[0], ends[1]))
    return rows


class Coordinates(NamedTuple):
    """The names of the columns and rows of a board."""

    columns: Sequence[str]
    """The name of each column, drawn below it; "" for none."""
    rows: Sequence[str]
    """The name of each row, drawn beside it; empty if names of cells have only columns."""


def coordinates_of(game: AnyGame) -> Coordinates | None:
    """The coordinates of the boards of a game; None unless all names of cells consist of them."""
    names = [[name and NAME.fullmatch(name) for name in row] for row in cell_names_of(game)]
    if any(name is None for row in names for name in row):
        return None
    columns = _shared(zip_longest(*names), lambda name: name[1] or name[0])
    rows = _shared(names, lambda name: name[2] if name[1] else "")
    if not columns or rows is None:
        return None
    return Coordinates(columns, rows if any(rows) else ())


def names_in_cells(game: AnyGame) -> dict[Cell, str]:
    """The names to write into the cells; empty if there are coordinates beside the board."""
    return marked(cell_names_of(game)) if coordinates_of(game) is None else {}


def _shared(lines: Iterable[Iterable[Any]], part: Callable[[re.Match[str]], str]) -> list[str] | None:
    """The part shared by all names of each line, "" if it has no name; None if names of a line differ."""
    parts = [{part(name) for name in line if name} for line in lines]
    return ["".join(one) for one in parts] if all(len(one) < 2 for one in parts) else None


Path: TypeAlias = tuple[Cell, ...]


class MovePaths:
    """The cells of moves on a board."""

    def __init__(self, game: AnyGame, board: Board, mover: int) -> None:
        """Take a board on which the player `mover` is to move."""
        self.game, self.board, self.mover = game, board, mover
        names = marked(cell_names_of(game))
        uses = Counter(names.values())
        self._cells = {name: cell for cell, name in names.items() if uses[name] == 1}
        longest = sorted(self._cells, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest))) if longest else None

    def of(self, name: str, after: Board | None) -> list[Path]:
        """The paths of a move: the cells in its name, those from and to which it goes, or the changed cell.

        `after` is the board after the move. If equal rows are interchangeable, there is a path in each of
        them; if the board does not show the move, there is none.
        """
        named = [self._cells[cell] for cell in self._pattern.findall(name)] if self._pattern else []
        if len(named) > 1:
            return [tuple(named)]
        after = after or ()
        changed = [cell for cell in changes(self.board, after) if is_there(self.board, cell)]
        filled = [cell for cell in changed if not self._was(cell) and mark_at(after, cell)]
        left = [cell for cell in changed if self._was(cell) and not mark_at(after, cell)]
        rest = (cell for cell in changed if self._was(cell) and mark_at(after, cell))
        turned = [cell for cell in rest if self._own(mark_at(after, cell))]
        to = named[0] if named else _only(filled) or (None if filled else _only(turned))
        if to is None:
            return [] if filled else [(cell,) for cell in _taken(self.board, after)]
        begin = _only([cell for cell in left if self._own(self._was(cell))])
        return [(begin, to)] if begin and begin != to else [(to,)]

    def is_a_way(self, path: Path, after: Board | None) -> bool:
        """Whether a path goes from one cell to another, rather than both cells changing in the same way."""
        if len(path) != 2 or path[0] == path[1]:
            return False
        if set(changes(self.board, after or ())) != set(path):
            return True
        filled = {(bool(self._was(cell)), bool(mark_at(after or (), cell))) for cell in path}
        return len(filled) > 1

    def _was(self, cell: Cell) -> str:
        return mark_at(self.board, cell)

    def _own(self, mark: str) -> bool:
        return owner_of(self.game, mark) in (None, self.mover)


def _only(cells: Sequence[Cell]) -> Cell | None:
    return cells[0] if len(cells) == 1 else None


def _taken(before: Board, after: Board) -> Iterator[Cell]:
    """Yield the first emptied cell of the only row that changed, up to order, in each row equal to it."""
    rows_before, rows_after = (Counter(map(tuple, board)) for board in (before, after))
    removed, added = rows_before - rows_after, rows_after - rows_before
    if removed.total() != 1 or added.total() != 1:
        return
    (row,), (left,) = removed, added
    column = next((at for at, mark in enumerate(row) if mark != (*left, *[None] * len(row))[at]), None)
    if column is not None:
        yield from ((at, column) for at, other in enumerate(before) if tuple(other) == row)
