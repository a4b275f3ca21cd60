"""The positions of a solved game as columns, batch by batch, whichever layout it is in.

state         the integer that the rules take for it, in games whose states are integers
position      the state as text: in all other games, and where it is asked for
ply           plies since a start
to_move       the player to move
value         the minimax value, for the first player
outcome       win, draw or loss for the player to move
remoteness    plies to the end under best play
is_terminal   whether the game is over
best_move     the first of the best moves, where it is asked for
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.database.entry import PositionRow
from solver.database.interface import Database
from solver.database.packed.reader import PackedDatabase
from solver.database.readable.reader import ReadableDatabase
from solver.errors import UsageError
from solver.game import OUTCOMES, SIGNS
from solver.packed import PackedGame
from solver.rules.notation import write_action, write_position

BATCH_ROWS = 1 << 17
"""Rows of a batch at least, except for the last one."""

MISSING = -1
"""Stands for a missing ply, remoteness or best move."""


@dataclass(frozen=True)
class Field:
    """The type and the meaning of a column."""

    name: str
    dtype: str
    """The NumPy type; `U` for texts."""
    words: Mapping[int, str] | None = None
    """The words that the numbers stand for."""
    optional: bool = False
    """Whether values may be missing: `MISSING`, or an empty text."""


Batch: TypeAlias = tuple[NDArray[Any], ...]
"""An array for each field."""


@dataclass(frozen=True)
class Selection:
    """The positions to select, and the columns that take time."""

    plies: range | None = None
    """None for all."""
    outcome: str | None = None
    """`win`, `draw` or `loss`; None for all."""
    positions: bool = False
    """Whether to write positions as texts also where states are integers."""
    best_moves: bool = False
    """Whether to look up best moves."""


def fields(db: Database, selection: Selection) -> tuple[Field, ...]:
    """The columns of a selection, in order."""
    packed = isinstance(db.game, PackedGame)
    players = dict(enumerate(db.game.players))
    return (
        *([Field("state", "i8")] if packed else []),
        *([Field("position", "U")] if selection.positions or not packed else []),
        Field("ply", "i4", optional=True),
        Field("to_move", "i1", players),
        Field("value", "i8"),
        Field("outcome", "i1", OUTCOMES),
        Field("remoteness", "i4", optional=True),
        Field("is_terminal", "?"),
        *([Field("best_move", _move_dtype(db), optional=True)] if selection.best_moves else []),
    )


def batches(db: Database, selection: Selection) -> Iterator[Batch]:
    """The columns of the selected positions, in the order of the file.

    Raises `UsageError` if plies are selected of a game whose positions have no single one.
    """
    if selection.plies is not None and any(kind.ply is None for kind in db.counts()):
        raise UsageError(f"positions of {db.path} have no single ply: leave --ply out")
    if isinstance(db, PackedDatabase):
        return _gathered(fields(db, selection), _of_packed(db, selection))
    assert isinstance(db, ReadableDatabase)
    return _gathered(fields(db, selection), _of_readable(db, selection))


def selected(db: Database, selection: Selection) -> int:
    """The number of selected positions."""
    return sum(
        kind.positions
        for kind in db.counts()
        if selection.outcome in (None, kind.outcome)
        and (selection.plies is None or kind.ply in selection.plies)
    )


def _gathered(columns: Sequence[Field], parts: Iterable[Sequence[Any]]) -> Iterator[Batch]:
    """The parts, concatenated to batches of `BATCH_ROWS` rows or a few more."""
    waiting: list[Sequence[Any]] = []
    for part in chain(parts, [None]):
        if part is not None:
            waiting.append(part)
        if waiting and (part is None or sum(len(rows[0]) for rows in waiting) >= BATCH_ROWS):
            yield tuple(
                np.concatenate([np.asarray(values, field.dtype) for values in column])
                for field, column in zip(columns, zip(*waiting, strict=True), strict=True)
            )
            waiting = []


def _of_packed(db: PackedDatabase, selection: Selection) -> Iterator[Sequence[Any]]:
    stages = db.stages_with(selection.outcome)
    for states in db.states([at for at in stages if selection.plies is None or at in selection.plies]):
        ply = db.label_code.ply_of(states.stage)
        values, movers = db.label_code.values(states.labels), db.movers(states)
        gains = np.sign(values) * (1 - 2 * movers)
        columns = [states.keys, np.full(len(gains), MISSING if ply is None else ply), movers, values, gains]
        columns += [db.remoteness(states), states.is_terminal]
        rows = np.full(len(gains), True) if selection.outcome is None else gains == SIGNS[selection.outcome]
        if not rows.any():
            continue
        keys, *rest = (column[rows] for column in columns)
        texts = [[write_position(db.rules, key) for key in keys.tolist()]] if selection.positions else []
        best = [_best_moves(db, keys)] if selection.best_moves else []
        yield (keys, *texts, *rest, *best)


def _best_moves(db: PackedDatabase, keys: Any) -> list[Any]:
    """The first best move in each state."""
    names = [write_action(db.rules, action) for action in range(db.rules.action_count)]
    none = MISSING if _move_dtype(db) == "i8" else ""
    answers = db.lookup(keys)
    first = np.where(answers.best.any(axis=1), answers.best.argmax(axis=1), len(names))
    return [[*names, none][at] for at in first.tolist()]


def _of_readable(db: ReadableDatabase, selection: Selection) -> Iterator[Sequence[Any]]:
    plies = selection.plies
    rows = db.labelled(
        "where (? is null or ply between ? and ?) and (? is null or outcome = ?) order by id",
        *([None] * 3 if plies is None else [1, plies.start, plies.stop - 1]),
        *[selection.outcome] * 2,
    )
    movers = {name: player for player, name in enumerate(db.game.players)}
    while found := list(islice(rows, BATCH_ROWS)):
        try:
            yield _columns(db, selection, movers, found)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise db.damage(f"{type(error).__name__}: {error}") from error


def _columns(
    db: ReadableDatabase, selection: Selection, movers: Mapping[str, int], rows: Sequence[PositionRow]
) -> Sequence[Any]:
    """The columns of rows of the readable layout."""
    _, texts, names, plies, values, outcomes, remoteness, best, over = zip(*rows, strict=True)
    packed = isinstance(db.game, PackedGame)
    none = MISSING if _move_dtype(db) == "i8" else ""
    columns = [
        *([[db.state_of(text) for text in texts]] if packed else []),
        *([texts] if selection.positions or not packed else []),
        [MISSING if ply is None else ply for ply in plies],
        [movers[name] for name in names],
        values,
        [SIGNS[outcome] for outcome in outcomes],
        [MISSING if ply is None else ply for ply in remoteness],
        over,
        *([[none if move is None else move for move in best]] if selection.best_moves else []),
    ]
    return [
        np.asarray(column, field.dtype) for column, field in zip(columns, fields(db, selection), strict=True)
    ]


def _move_dtype(db: Database) -> str:
    """The type of the names of moves: `i8` or `U`."""
    if isinstance(db, PackedDatabase):
        return "i8" if isinstance(write_action(db.rules, 0), int) else "U"
    (kind,) = db.rows("select type from pragma_table_info('positions') where name = 'best_move'")[0]
    return "i8" if kind.lower() == "integer" else "U"
