"""Pairs of positions of two solved games: the labels in one file beside those in the other, batch by batch.

Two positions are the same if both games write them as the same text. If both files are packed, and their
rules write the same integers as the same texts, integers are compared instead of texts. In a folded file a
position is looked up by its canonical form. A position of a folded file that is not in the other file is
looked up there by the other positions of its class: play may reach one of these alone.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np

from solver.analysis.classes import Image, images_of
from solver.database import Database
from solver.database.entry import PositionRow
from solver.database.packed.reader import PackedDatabase
from solver.database.readable.reader import OTHER_INDEX, ReadableDatabase
from solver.errors import BrokenRules, NothingInCommon, SolverError
from solver.game import AnyGame
from solver.rules.arrays import Flags, Keys, broadcast
from solver.rules.asking import board_of, representative
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position, write_position

Names: TypeAlias = Keys | Sequence[str]
"""Positions as states that are integers, or as texts."""

NONE = -1
"""Stands for a missing ply or remoteness."""

ROWS_PER_BATCH = 1 << 14
"""Rows of a readable file read at a time."""

POSITIONS_PER_QUERY = 500
"""Positions looked up in a readable file by one query."""


class Paired(NamedTuple):
    """Positions of one file, by ply and then in its order, with their labels in both files."""

    names: Names
    plies: Keys
    values: Keys
    """The minimax values in this file, for the first player."""
    remoteness: Keys
    """The remoteness in this file, in plies."""
    present: Flags
    """Whether the other file has the position; if not, its values and remoteness mean nothing."""
    other_values: Keys
    other_remoteness: Keys


def refuse_strangers(a: Database, b: Database) -> None:
    """Raise `NothingInCommon` if the games cannot share positions: their texts or boards differ in form."""
    shared = [text for text, db in ((a.start, b), (b.start, a)) if _state(db.game, text) is not None]
    if not shared:
        raise NothingInCommon(
            f"{a.path} and {b.path} do not write positions alike: {a.start!r} of {a.game_name} is none in "
            f"{b.game_name}, nor {b.start!r} the other way round; compare games on the same board"
        )
    one, two = (_shape(db.game, shared[0]) for db in (a, b))
    if None not in (one, two) and one != two:
        raise NothingInCommon(
            f"{a.path} and {b.path} are not played on the same board: one has rows of {one} cells, the "
            f"other of {two}; compare games on the same board"
        )


def paired(one: Database, other: Database) -> Iterator[Paired]:
    """All positions of `one`, in batches.

    Raises `BrokenRules` if what the rules tell of plies or tiers contradicts a file, and what reading raises.
    """
    by_state = _write_alike(one, other)
    for names, plies, values, remoteness in _rows(one, by_state=by_state):
        found = _sought(other, names)
        for image in images_of(one):
            if not found[0].all():
                names = _seek_image(one, other, image, names, found)
        yield Paired(names, plies, values, remoteness, *found)


def _state(game: AnyGame, text: str) -> object:
    """The state that the game itself writes as `text`; None if there is none."""
    try:
        state = read_position(game, text)
        return state if write_position(game, state) == text else None
    except SolverError:
        return None


def _shape(game: AnyGame, text: str) -> str | None:
    """The lengths of the rows of the board, in words; None without a board."""
    state = _state(game, text)
    board = None if state is None else board_of(game, state)
    return None if board is None else ", ".join(str(len(row)) for row in board)


def _write_alike(one: Database, other: Database) -> bool:
    """Return whether both are packed and write the same state as the same text.

    That is tested on the first state of each block, and only if the rules differ in their parameters alone.
    """
    if not (isinstance(one, PackedDatabase) and isinstance(other, PackedDatabase)):
        return False
    if type(one.rules) is not type(other.rules):
        return False
    firsts = (row[0] for db in (one, other) for row in db.rows("select first from blocks"))
    try:
        return all(write_position(one.rules, key) == write_position(other.rules, key) for key in firsts)
    except SolverError:
        return False


def _rows(db: Database, *, by_state: bool) -> Iterator[tuple[Names, Keys, Keys, Keys]]:
    """Positions, plies, values and remoteness, in batches."""
    if isinstance(db, ReadableDatabase):
        yield from _of_readable(db)
        return
    assert isinstance(db, PackedDatabase)
    for states in db.states():
        told = db.stages.told(states.keys)
        if told is not None and (told != states.stage).any():
            raise BrokenRules(
                f"the rules of {db.game_name} tell plies or tiers that are not those of {db.path}: correct "
                "`ply` or `tier`, or let it return None"
            )
        names: Names = states.keys
        if not by_state:
            names = [write_position(db.rules, key) for key in states.keys.tolist()]
        plies = np.full(len(states.keys), _number(db.label_code.ply_of(states.stage)))
        yield names, plies, db.label_code.values(states.labels), db.remoteness(states)


def _of_readable(db: ReadableDatabase) -> Iterator[tuple[list[str], Keys, Keys, Keys]]:
    """Positions, plies, values and remoteness, in batches."""
    rows = db.labelled("order by ply is null, ply, id")
    while found := list(islice(rows, ROWS_PER_BATCH)):
        plies = np.array([_number(row.ply) for row in found], np.int64)
        yield [row.position for row in found], plies, *_labels(found)


def _sought(db: Database, names: Names) -> tuple[Flags, Keys, Keys]:
    """Looks positions up in a file. Returns whether they are there, their values and their remoteness."""
    if isinstance(db, PackedDatabase):
        if isinstance(names, np.ndarray):
            return db.present(names)
        states = [_state(db.rules, text) for text in names]
        keys = np.array([state for state in states if state is not None], np.int64)
        return _spread([state is not None for state in states], *db.present(keys))
    assert isinstance(db, ReadableDatabase)
    texts = list(map(str, names))
    stored = [_standing_for(db.game, text) for text in texts] if db.folded else texts
    rows = {row.position: row for row in _labelled(db, [text for text in stored if text is not None])}
    found = [rows[text] for text in stored if text in rows]
    return _spread([text in rows for text in stored], np.full(len(found), True), *_labels(found))


def _seek_image(
    one: Database, other: Database, image: Image, names: Names, found: tuple[Flags, Keys, Keys]
) -> Names:
    """Look for the images of those positions of `one` that were not found; returns all names, with theirs."""
    lost = np.flatnonzero(~found[0])
    with rules_asked(one.game):
        if isinstance(names, np.ndarray):
            images: Names = broadcast(image.state(names[lost]), lost)
        else:
            states = (image.state(read_position(one.game, names[at])) for at in lost.tolist())
            images = [write_position(one.game, state) for state in states]
    present, values, remoteness = _sought(other, images)
    for column, sought in zip(found, (present, image.sign * values, remoteness), strict=True):
        column[lost] = sought
    seen = np.flatnonzero(present)
    if isinstance(names, np.ndarray):
        names = names.copy()
        names[lost[seen]] = np.asarray(images)[seen]
    else:
        names = list(names)
        for at in seen.tolist():
            names[lost[at]] = images[at]
    return names


def _labelled(db: ReadableDatabase, texts: Sequence[str]) -> Iterator[PositionRow]:
    """The rows of those positions that are in a readable file; raises `DamagedFile`."""
    if not db.index_is_whole:
        raise db.damage(OTHER_INDEX)
    for begin in range(0, len(texts), POSITIONS_PER_QUERY):
        part = texts[begin : begin + POSITIONS_PER_QUERY]
        yield from db.labelled(f"where position in ({', '.join('?' * len(part))})", *part)


def _standing_for(game: AnyGame, text: str) -> str | None:
    """The canonical form of a position in a folded file; None if the game has no such position."""
    state = _state(game, text)
    return None if state is None else write_position(game, representative(game, state))


def _spread(
    known: Sequence[bool], present: Flags, values: Keys, remoteness: Keys
) -> tuple[Flags, Keys, Keys]:
    """The columns of the `known` positions, extended to all positions."""
    at = np.flatnonzero(np.array(known, np.bool_))
    columns = np.full(len(known), False), np.zeros(len(known), np.int64), np.full(len(known), NONE)
    for column, given in zip(columns, (present, values, remoteness), strict=True):
        column[at] = given
    return columns


def _labels(rows: Sequence[PositionRow]) -> tuple[Keys, Keys]:
    """Returns values and remoteness as columns."""
    values = np.array([row.value for row in rows], np.int64)
    return values, np.array([_number(row.remoteness) for row in rows], np.int64)


def _number(plies: int | None) -> int:
    return NONE if plies is None else plies
