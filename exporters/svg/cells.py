"""The cells of a board: which have marks, which one a move fills."""

from exporters.boards import Board, Cell, changes


def marked(board: Board) -> dict[Cell, str]:
    """The marks by their cells, row by row."""
    return {
        (row, column): mark
        for row, marks in enumerate(board)
        for column, mark in enumerate(marks)
        if mark.strip()
    }


def cell_filled(before: Board | None, after: Board | None) -> Cell | None:
    """The cell that is empty in `before` and has a mark in `after`, if nothing else has changed."""
    before, after = before or (), after or ()
    if [len(row) for row in before] != [len(row) for row in after]:
        return None
    changed = changes(before, after)
    if len(changed) != 1:
        return None
    ((row, column),) = changed
    return (row, column) if after[row][column].strip() and not before[row][column].strip() else None
