"""Rows of a readable file as arrays, for queries about many positions."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.database.columns import COLUMNS, MISSING, Batch, Field, Selection, WholeGame, fields_of
from solver.database.entry import BatchResult, PositionRow
from solver.database.interface import written_state
from solver.errors import UnknownPosition, UnreadablePosition
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import actions_of
from solver.rules.notation import known_state, write_action
from solver.system.progress import Progress, reported

if TYPE_CHECKING:
    from solver.database.readable.reader import ReadableDatabase

MOVES = "select position_id, child_id from moves not indexed order by position_id, rowid"
"""The moves without the use of an index, which may differ from the checked rows."""

ROWS_AT_ONCE = 1 << 14
"""Rows that are read at a time."""

POSITIONS_PER_QUERY = 500
"""Positions that one query looks up."""


def columns_of(db: "ReadableDatabase", names: Sequence[str], selection: Selection | None) -> Iterator[Batch]:
    """Yield the columns of these names of selected positions; see `Database.columns`."""
    chosen, fields = selection or Selection(), fields_of(db, names)
    rows = db.labelled(
        "where (? is null or ply between ? and ?) and (? is null or outcome = ?) "
        "and (? is null or remoteness = ?) order by id",
        *([None] * 3 if chosen.plies is None else [1, chosen.plies.start, chosen.plies.stop - 1]),
        *[chosen.outcome] * 2,
        *[chosen.remoteness] * 2,
    )
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        yield tuple(_column(db, field, batch) for field in fields)


def _column(db: "ReadableDatabase", field: Field, rows: Sequence[PositionRow]) -> NDArray[Any]:
    try:
        if field.name == "state":
            return np.asarray([db.state_of(row.position) for row in rows], field.dtype)
        at = PositionRow._fields.index(field.name)
        values = [row[at] for row in rows]
        if field.optional:
            none = "" if field.dtype == "U" else MISSING
            values = [none if value is None else value for value in values]
        if field.words is not None:
            numbers: dict[Any, int] = {word: number for number, word in field.words.items()}
            values = [numbers[value] for value in values]
        return np.asarray(values, field.dtype)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise db.damage(f"{type(error).__name__}: {error}") from error


def whole_game(db: "ReadableDatabase", progress: Progress) -> WholeGame:
    """All positions and moves, in the order of ids; raises `DamagedFile` if rows are inconsistent."""
    states = db.number("states")
    if db.tuples("select count(*), min(id), max(id) from positions") != [(states, 1, states)]:
        raise db.damage(f"it does not have the {states:,} states that about says, numbered from 1 on")
    columns = db.columns(COLUMNS)
    parts = reported(progress, "reading positions", columns, states, lambda part: len(part[0]))
    pairs = np.fromiter(chain.from_iterable(_pairs(db, progress)), np.int64).reshape(-1, 2)
    if len(pairs) != db.number("moves") or ((pairs < 1) | (pairs > states)).any():
        raise db.damage("its moves are not between its positions")
    parents, children = (pairs - 1).T
    game = WholeGame.made(np.arange(1, states + 1), parts, np.bincount(parents, minlength=states), children)
    if ((np.diff(game.cuts) == 0) != game.over).any():
        raise db.damage("it has non-terminal positions without moves, or terminal ones with moves")
    return game


def _pairs(db: "ReadableDatabase", progress: Progress) -> Iterator[tuple[int, int]]:
    """Yield the ids of the positions before and after each move, in the order of the positions."""
    for done, (before, after) in enumerate(db.stream(MOVES), start=1):
        if type(before) is not int or type(after) is not int:
            raise db.damage("a move leads from or to no position")
        yield before, after
        if done % ROWS_AT_ONCE == 0:
            progress("reading moves", done, db.number("moves"))


def labels_of(db: "ReadableDatabase", positions: Sequence[str] | Keys, *, best: bool) -> BatchResult:
    """The labels of many positions, looked up one by one; see `Database.lookup`."""
    listed = positions.tolist() if isinstance(positions, np.ndarray) else positions
    game, states = db.game, [db.asked_state(position) for position in listed]
    entries = [db.entry_of(state) for state in states]
    chosen = [tuple(move.move for move in entry.moves_by_action if best and move.best) for entry in entries]
    if best and isinstance(game, PackedGame):  # actions may share a name
        moves = [write_action(game, action) for action in range(game.action_count)]
        flags = [[False] * len(moves) for _ in entries]
        for row, state, entry in zip(flags, states, entries, strict=True):
            for action, move in zip(actions_of(game, state), entry.moves_by_action, strict=True):
                row[action] = move.best
    else:
        moves = [*dict.fromkeys(move.move for entry in entries for move in entry.moves_by_action if best)]
        flags = [[move in best_moves for move in moves] for best_moves in chosen]
    return BatchResult(
        np.array([entry.value for entry in entries], np.int64),
        np.array([MISSING if entry.remoteness is None else entry.remoteness for entry in entries], np.int64),
        tuple(moves),
        np.array(flags, np.bool_).reshape(len(entries), len(moves)),
        chosen,
    )


def labels_present(db: "ReadableDatabase", positions: Sequence[str] | Keys) -> tuple[Flags, Keys, Keys]:
    """Whether each of many positions is in the file, and their labels; see `Database.present`."""
    db.check_index()
    texts = [_stored_text(db, position) for position in positions]
    labels = dict[str | None, tuple[int, int | None]]()
    for begin in range(0, len(texts), POSITIONS_PER_QUERY):
        part = texts[begin : begin + POSITIONS_PER_QUERY]
        rows = db.labelled(f"where position in ({', '.join('?' * len(part))})", *part)
        labels |= {row.position: (row.value, row.remoteness) for row in rows}
    values, remoteness = np.zeros((2, len(texts)), np.int64)
    for at, text in enumerate(texts):
        values[at], plies = labels.get(text, (0, None))
        remoteness[at] = MISSING if plies is None else plies
    return np.array([text in labels for text in texts], np.bool_), values, remoteness


def _stored_text(db: "ReadableDatabase", position: Any) -> str | None:
    """The text by which a file would store a position or a state; None for what is no position."""
    with suppress(UnknownPosition, UnreadablePosition, UnicodeEncodeError):
        if not isinstance(position, str):
            return db.stored_text(known_state(db.game, position))
        if not db.folded:
            position.encode()
            return position
        if (state := written_state(db.game, position)) is not None:
            return db.stored_text(state)
    return None
