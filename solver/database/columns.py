"""The columns of the positions of a solved game, in either layout.

state         the state, in games whose states are integers
position      the state as text: in all other games, and on request
ply           plies since a start
to_move       the player to move
value         the minimax value, for the first player
outcome       win, draw or loss for the player to move
remoteness    plies to the end under best play
is_terminal   whether the game is over
best_move     the first of the best moves, on request

In the readable layout all but `state` are columns of the table of positions (schema.sql). A `WholeGame` has
the columns of every position of a file, and every move, as arrays of indices:

index        0     1     2     3        over      no   no   yes  yes
cuts         0     2     3     3   3    the moves of 0 are 0 and 1, that of 1 is 2
children     1     2     3              they lead to 1, 2 and 3
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.database.backwards import leading_to
from solver.errors import UsageError, shown
from solver.game import OUTCOMES
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.notation import write_action
from solver.system.plugins import names_instead

if TYPE_CHECKING:
    from solver.database.interface import Database
    from solver.database.packed.decoded import StateBatch
    from solver.database.packed.reader import PackedDatabase


BATCH_ROWS = 1 << 17
"""The least number of rows of a batch, except for the last one."""

MISSING = -1
"""Stands for a missing ply, remoteness or best move."""


@dataclass(frozen=True)
class Field:
    """The type and the meaning of a column."""

    name: str
    dtype: str
    """The NumPy type; `U` for texts."""
    of_packed: "Callable[[PackedDatabase, StateBatch], Any]"
    """The function that computes the column for states of a packed file; a missing number is `MISSING`."""
    words: Mapping[int, str] | None = None
    """The words that the numbers stand for."""
    optional: bool = False
    """Whether values may be missing: `MISSING`, or an empty text."""


Batch: TypeAlias = tuple[NDArray[Any], ...]
"""An array for each field."""


@dataclass(frozen=True)
class Selection:
    """The positions to select, and the slow columns to include."""

    plies: range | None = None
    """None for all."""
    outcome: str | None = None
    """`win`, `draw` or `loss`; None for all."""
    remoteness: int | None = None
    """None for all."""
    positions: bool = False
    """Whether to include positions as texts even if states are integers."""
    best_moves: bool = False
    """Whether to look up best moves."""


def _best_moves(db: "PackedDatabase", states: "StateBatch") -> list[str | int]:
    names = [write_action(db.rules, action) for action in range(db.rules.action_count)]
    best = db.lookup(states.keys).best
    first = best.argmax(axis=1).tolist() if names else []
    none = MISSING if db.move_type == "integer" else ""
    return [names[at] if is_best[at] else none for at, is_best in zip(first, best, strict=True)]


FIELDS = {
    field.name: field
    for field in (
        Field("state", "i8", lambda db, states: states.keys),
        Field("position", "U", lambda db, states: db.texts(states)),
        Field("ply", "i4", lambda db, states: db.plies(states), optional=True),
        Field("to_move", "i1", lambda db, states: db.movers(states)),
        Field("value", "i8", lambda db, states: db.label_code.values(states.labels)),
        Field("outcome", "i1", lambda db, states: db.gains(states), OUTCOMES),
        Field("remoteness", "i4", lambda db, states: db.remoteness(states), optional=True),
        Field("is_terminal", "?", lambda db, states: states.is_terminal),
        Field("best_move", "U", _best_moves, optional=True),
    )
}
"""All columns, by name; `fields_of` adapts them to a game."""


def fields_of(db: "Database", names: Iterable[str]) -> tuple[Field, ...]:
    """The columns of these names; raises `UsageError` for a name of no column of this game."""
    known = [name for name in FIELDS if name != "state" or isinstance(db.game, PackedGame)]
    for name in (names := list(names)):
        if name not in known:
            raise UsageError(f"{db.path} has no column {shown(name)}; {names_instead(str(name), known)}")
    players, move_dtype = dict(enumerate(db.game.players)), "i8" if db.move_type == "integer" else "U"
    of_game = {
        "to_move": replace(FIELDS["to_move"], words=players),
        "best_move": replace(FIELDS["best_move"], dtype=move_dtype),
    }
    return tuple(of_game.get(name, FIELDS[name]) for name in names)


def fields(db: "Database", selection: Selection) -> tuple[Field, ...]:
    """The columns of a selection, in order."""
    packed = isinstance(db.game, PackedGame)
    without = {
        *([] if packed else ["state"]),
        *([] if selection.positions or not packed else ["position"]),
        *([] if selection.best_moves else ["best_move"]),
    }
    return fields_of(db, [name for name in FIELDS if name not in without])


def batches(db: "Database", selection: Selection) -> Iterator[Batch]:
    """The columns of the selected positions, in the order of the file, in large batches.

    Raises `UsageError` if plies are selected and positions have no single ply.
    """
    if selection.plies is not None and db.has_loops:
        raise UsageError(f"positions of {db.path} have no single ply: omit --ply")
    parts = db.columns([field.name for field in fields(db, selection)], selection)
    return gathered(parts, BATCH_ROWS)


def selected(db: "Database", selection: Selection) -> int:
    """The number of selected positions."""
    return sum(
        count.positions
        for count in db.counts()
        if selection.outcome in (None, count.outcome)
        and (selection.plies is None or count.ply in selection.plies)
    )


def joined(parts: Iterable[Batch], names: Sequence[str]) -> Batch:
    """The columns of these names in one batch."""
    empty = tuple(np.zeros(0, FIELDS[name].dtype) for name in names)
    return tuple(map(np.concatenate, zip(empty, *parts, strict=True)))


def gathered(parts: Iterable[Batch], number: int) -> Iterator[Batch]:
    """The parts, concatenated to batches of this number of rows or a few more."""
    waiting: list[Batch] = []
    for part in chain(parts, [None]):
        if part is not None:
            waiting.append(part)
        if waiting and (part is None or sum(len(rows[0]) for rows in waiting) >= number):
            yield tuple(map(np.concatenate, zip(*waiting, strict=True)))
            waiting = []


def merged(streams: Iterable[Iterator[Batch]]) -> Iterator[Batch]:
    """The rows of all streams, in ascending order of the first column, in which each stream ascends.

    Each batch has the rows, copied, up to the least of the last keys of the streams' current batches.
    """
    at_hand = [(stream, rows) for stream in streams if (rows := next(stream, None))]
    while at_hand:
        cut = min(rows[0][-1] for _, rows in at_hand)
        parts = [(stream, rows, int(rows[0].searchsorted(cut, "right"))) for stream, rows in at_hand]
        yield in_order(tuple(column[:end] for column in rows) for _, rows, end in parts)
        at_hand = [
            (stream, rest)
            for stream, rows, end in parts
            if (rest := tuple(column[end:] for column in rows) if end < len(rows[0]) else next(stream, None))
        ]


def in_order(parts: Iterable[Batch]) -> Batch:
    """The rows of all parts, in ascending order of the first column."""
    columns = [*map(np.concatenate, zip(*parts, strict=True))]
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


COLUMNS = ("ply", "to_move", "value", "remoteness", "is_terminal")
"""The columns of which a `WholeGame` is made."""


@dataclass(frozen=True)
class WholeGame:
    """All positions and moves of a file; -1 stands for a missing ply or remoteness."""

    keys: Keys
    """The state, or the id, of each position."""
    plies: Keys
    movers: Keys
    values: Keys
    remoteness: Keys
    over: Flags
    cuts: Keys
    """The index of the first move of each position, and the number of moves."""
    children: Keys
    """The index of the position after each move."""

    @classmethod
    def made(cls, keys: Keys, columns: Iterable[Batch], numbers: Keys, children: Keys) -> "WholeGame":
        """The game of positions with these `COLUMNS` and `numbers` of moves, and the index of each child."""
        plies, movers, values, remoteness, over = joined(columns, COLUMNS)
        return cls(
            keys=keys,
            plies=plies.astype(np.int64),
            movers=movers.astype(np.int64),
            values=values,
            remoteness=remoteness.astype(np.int64),
            over=over,
            cuts=np.concatenate([[0], np.cumsum(numbers)]),
            children=children,
        )

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.keys)

    @cached_property
    def parents(self) -> Keys:
        """The index of the position before each move."""
        return np.repeat(np.arange(len(self)), np.diff(self.cuts))

    @cached_property
    def can_end(self) -> Flags:
        """Whether some play from each position reaches an end."""
        return leading_to(self.parents, self.children, self.over)

    def place_of(self, key: int) -> int:
        """The index of a state, or of an id, of the file."""
        return int(np.flatnonzero(self.keys == key)[0])
