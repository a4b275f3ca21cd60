"""The rows of a readable file: each value is checked, and each entry against the rules.

Values must have the right type and range. An accidental change of a row is detected when its position is
looked up: the moves must be those of the rules, the label must follow from the children's labels
(solver/rules/labels.py), and all other columns from these. `solver.proof.readable_row` checks the same with
separate code on purpose: what proves a file shares no code with what writes or reads it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, get_type_hints

from solver.database.entry import Entry, KindCount, PositionRow, entry_from
from solver.database.interface import Database
from solver.game import SIGNS
from solver.rules.asking import is_over, mover_of, representative, utility_of
from solver.rules.labels import Label, before, label_of
from solver.rules.notation import write_action, write_child

MAX_PLIES = 2**31 - 1
"""The most plies of a ply or a remoteness."""

TYPES = tuple(get_type_hints(PositionRow).values())
"""The types of the columns."""

MOVES = (
    "select move, child.position, moves.outcome, moves.remoteness, is_best, child.value, child.remoteness, "
    "child.ply from moves left join positions as child on child.id = child_id "
    "where position_id = ? order by moves.rowid limit ?"
)
"""The query for the first moves of a position, by its id and their number, as `MoveRow`."""

VALUES_BELOW = (
    "select child.position, min(below.value), max(below.value) from moves "
    "join positions as child on child.id = moves.child_id join moves as next on next.position_id = child.id "
    "join positions as below on below.id = next.child_id where moves.position_id = ? group by child.id"
)
"""The query for the least and the greatest value of the children of each child of a position, by its id."""


class MoveRow(NamedTuple):
    """A row of the table of moves, then value, remoteness and ply of the position after the move."""

    move: str | int
    position: str
    """The position after the move."""
    outcome: str
    remoteness: int | None
    best: int
    """0 or 1."""
    value: int
    below: int | None
    ply: int | None


def position_row(values: Iterable[Any]) -> PositionRow:
    """The row of these values; raises ValueError for one of the wrong type or range."""
    row = PositionRow(*values)
    if not (all(map(isinstance, row, TYPES)) and are_labels(row) and row.is_terminal in (0, 1)):
        raise ValueError("a value in it is not one that its column can have")
    return row


def move_row(values: Iterable[Any]) -> MoveRow:
    """The row of these values; raises ValueError for one of the wrong type or range."""
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
    """Whether labels in columns have the right types and ranges; SQLite's integers have 64 bits."""
    return (
        type(row.value) is int and row.outcome in SIGNS and _are_plies(row.remoteness) and _are_plies(row.ply)
    )


def _are_plies(plies: Any) -> bool:
    return plies is None or (type(plies) is int and 0 <= plies <= MAX_PLIES)


Extremes = Mapping[str, tuple[int, int]]
"""The least and the greatest value of the children of a position."""


def checked_entry(
    db: Database,
    state: Any,
    row: PositionRow,
    actions: Sequence[Any],
    moves: Iterable[MoveRow],
    below: Extremes | None,
) -> Entry:
    """The entry of `state`, with these `actions`, by its `row` and `moves`.

    Raises ValueError for what does not follow from the rules and the children. In a scored game outcomes do
    not determine values: then `below` has the extreme values of each child's children, to check the child's.
    """
    game, endless_value = db.checked_game, db.endless_value
    read = list[MoveRow]()
    for move, expected in zip_longest(moves, _children(db, state, actions)):
        if move is None or expected is None or (move.move, move.position) != expected[:2]:
            raise ValueError("its moves are not those of the rules")
        _same("the ply after a move", move.ply, None if row.ply is None else row.ply + 1)
        _check_value(db, move, expected[2], below)
        read.append(move)
    labels: list[Label] = [(move.value, move.below) for move in read]
    label = (
        label_of(mover_of(game, state), labels, endless_value) if actions else (utility_of(game, state), 0)
    )
    offers = [
        (move.move, move.position, before(child, endless_value))
        for move, child in zip(read, labels, strict=True)
    ]
    entry = entry_from(game, state, row.ply, label, offers, db.margin)
    for column in PositionRow._fields[1:]:
        _same(column, getattr(row, column), getattr(entry, column))
    for move, derived in zip(read, entry.moves_by_action, strict=True):
        _same("what a move gets", (move.outcome, move.remoteness), (derived.outcome, derived.remoteness))
        _same("is_best", move.best, derived.best)
    return entry


def _children(db: Database, state: Any, actions: Iterable[Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield, for each action, its name, the position after it, and that state."""
    game, folded = db.checked_game, db.folded
    for action in actions:
        child = game.result(state, action)
        child = representative(game, child) if folded else child
        yield write_action(game, action), write_child(game, child), child


def _check_value(db: Database, move: MoveRow, child: Any, below: Extremes | None) -> None:
    least, greatest = db.value_range
    if not least <= move.value <= greatest:
        raise ValueError("a value after a move is none of those that about has")
    if below is None:
        return
    game = db.checked_game
    over = is_over(game, child)
    expected = utility_of(game, child) if over else below[move.position][1 - mover_of(game, child)]
    _same("the value after a move", move.value, expected)


def _same(subject: str, stored: object, expected: object) -> None:
    if stored != expected:
        raise ValueError(f"{subject} does not follow from the rules and the rows after it")
