"""Pairs of positions of two solved games: the labels in one file beside those in the other, batch by batch.

Two positions are the same if both games write them as the same text. If both files are packed, and their
rules write the same integers as the same texts, integers are compared instead of texts. In a folded file a
position is looked up by its canonical form. A position of a folded file that is not in the other file is
looked up there by the other positions of its class: play may reach one of these alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solver.analysis.classes import Image, Names, images_of, mapped
from solver.database import Database
from solver.database.interface import written_state
from solver.errors import NothingInCommon, SolverError
from solver.game import AnyGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import board_of
from solver.rules.failures import rules_asked
from solver.rules.notation import write_position


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
    shared = [text for text, db in ((a.start, b), (b.start, a)) if written_state(db.game, text) is not None]
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
    name = "state" if _write_alike(one, other) else "position"
    for names, plies, values, remoteness in one.columns((name, "ply", "value", "remoteness")):
        names = names if name == "state" else names.astype(object)
        labels = other.present(names)
        for image in images_of(one):
            if not labels[0].all():
                names = _seek_image(one, other, image, names, labels)
        yield Paired(names, plies, values, remoteness, *labels)


def _shape(game: AnyGame, text: str) -> str | None:
    """The lengths of the rows of the board, in words; None without a board."""
    state = written_state(game, text)
    board = None if state is None else board_of(game, state)
    return None if board is None else ", ".join(str(len(row)) for row in board)


def _write_alike(one: Database, other: Database) -> bool:
    """Whether both are packed and write the same state as the same text.

    That is tested on the first state of each block, and only if the rules differ in their parameters alone.
    """
    if one.packed is None or other.packed is None or type(one.game) is not type(other.game):
        return False
    firsts = (row[0] for db in (one, other) for row in db.rows("select first from blocks"))
    try:
        return all(write_position(one.game, key) == write_position(other.game, key) for key in firsts)
    except SolverError:
        return False


def _seek_image(
    one: Database, other: Database, image: Image, names: Names, labels: tuple[Flags, Keys, Keys]
) -> Names:
    """Look for the images of those positions of `one` that are not there; returns all names, with theirs."""
    lost = np.flatnonzero(~labels[0])
    with rules_asked(one.game):
        images = mapped(one.game, image.state, names[lost])
    present, values, remoteness = other.present(images)
    for column, sought in zip(labels, (present, image.sign * values, remoteness), strict=True):
        column[lost] = sought
    names = names.copy()
    names[lost[present]] = images[present]
    return names
