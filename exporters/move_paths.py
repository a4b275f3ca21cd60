"""The cells of a move on its board: the one in which it is made, or those from and to which it goes.

Pages use the same cells for clicks (`html/clicks.js`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from exporters.boards import Board, changes, is_there, mark_at, marked
from solver.game import AnyGame, Cell
from solver.rules.asking import cell_names_of, owner_of

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
