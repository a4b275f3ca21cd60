"""The rows of a readable file, each value of the type and in the range that it should be."""

from collections.abc import Iterable
from typing import Any, NamedTuple, get_type_hints

from solver.database.entry import KindCount, PositionRow
from solver.game import SIGNS

MOST_PLIES = 2**31 - 1
"""More plies play does not have."""

TYPES = tuple(get_type_hints(PositionRow).values())
"""The types of the columns."""

MOVES = (
    "select move, child.position, moves.outcome, moves.remoteness, is_best, child.value, child.remoteness, "
    "child.ply from moves left join positions as child on child.id = child_id "
    "where position_id = ? order by moves.rowid"
)
"""The moves of a position, by its id, as `MoveRow`."""

VALUES_BELOW = (
    "select child.position, min(below.value), max(below.value) from moves "
    "join positions as child on child.id = moves.child_id join moves as next on next.position_id = child.id "
    "join positions as below on below.id = next.child_id where moves.position_id = ? group by child.id"
)
"""For each position after one, by its id, the least and the greatest value of those that follow it."""


class MoveRow(NamedTuple):
    """A row of the table of moves, and what matters of the row that the move leads to."""

    move: str | int
    position: str
    """After the move."""
    outcome: str
    remoteness: int | None
    best: int
    """0 or 1."""
    value: int
    """The value of the position after the move."""
    below: int | None
    """The remoteness of the position after the move."""
    ply: int | None
    """The ply of the position after the move."""


def position_row(values: Iterable[Any]) -> PositionRow:
    """The row of these values; raises ValueError where one is none."""
    row = PositionRow(*values)
    if not (all(map(isinstance, row, TYPES)) and are_labels(row) and row.is_terminal in (0, 1)):
        raise ValueError("a value in it is not one that its column can have")
    return row


def move_row(values: Iterable[Any]) -> MoveRow:
    """The row of these values; raises ValueError where one is none."""
    row = MoveRow(*values)
    if not (
        isinstance(row.move, str | int)
        and isinstance(row.position, str)
        and are_labels(row)
        and _are_plies(row.below)
        and type(row.best) is int
        and row.best in (0, 1)
    ):
        raise ValueError("a value in one of its moves is not one that its column can have")
    return row


def are_labels(row: PositionRow | MoveRow | KindCount) -> bool:
    """Whether labels in columns are what they should be; SQLite has integers of 64 bits."""
    return (
        type(row.value) is int and row.outcome in SIGNS and _are_plies(row.remoteness) and _are_plies(row.ply)
    )


def _are_plies(plies: Any) -> bool:
    return plies is None or (type(plies) is int and 0 <= plies <= MOST_PLIES)
