"""Proves the metadata and the table of counts of a packed file from the states in its blocks.

Counts are derived from the blocks again, separately from `solver.database.packed.writer` on purpose.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from solver.database import Database
from solver.database.header import crc32_of
from solver.database.packed.counts import count_rows
from solver.database.packed.label_code import LabelCode
from solver.database.packed.reader import PackedDatabase
from solver.errors import BrokenRules
from solver.proof.metadata import problems_of_metadata, wrong_rows
from solver.proof.packed.rules import EXAMPLES, CheckedRules
from solver.proof.packed.symmetry import problems_of_members
from solver.rules.arrays import Keys, distinct
from solver.rules.notation import write_position
from solver.system.words import number_of

StateKind: TypeAlias = tuple[int, int, int, int]
"""Ply, is_terminal, player to move, label."""

CountRow: TypeAlias = tuple[Any, ...]
"""A row of the table of counts without the number of states: ply, is_terminal, to_move, value, remoteness."""


def _problems_of_counts(db: PackedDatabase, code: LabelCode, kinds: Counter[StateKind]) -> Iterator[str]:
    stored, right = count_rows(db), Counter[CountRow]()
    for (ply, is_terminal, mover, label), states in kinds.items():
        remoteness = 0 if is_terminal else code.plies_left(label, ply)
        right[ply, is_terminal, mover, code.value(label), remoteness] += states
    rows = Counter(row[:-1] for row in stored)
    yield from (f"counts has {number} rows of {_in_words(row)}" for row, number in rows.items() if number > 1)
    for *row, states in stored:
        if states != right.pop(tuple(row), None):
            yield f"counts says {states!r} states of {_in_words(tuple(row))}, which is wrong"
    for kind, number in right.items():
        yield f"counts does not have the {number_of(number, 'state')} of {_in_words(kind)}"
    if db.about["counts_crc32"] != str(crc32_of(stored)):
        yield "the CRC-32 of counts does not match"


def problems_of_labels(db: Database, code: LabelCode) -> Iterator[str]:
    """Yield how the stated code of labels differs from the one that values and plies require."""
    for key, right in code.metadata_rows.items():
        if db.about.get(key) != right:
            words = f"with values = {db.about['values']} and its plies it should be {right}"
            yield f"about says {key} = {db.about.get(key)}, but {words}"


def problems_of_about(
    db: PackedDatabase, code: LabelCode, kinds: Counter[StateKind], moves: int
) -> Iterator[str]:
    """Yield the problems of counts and metadata, given the numbers of states of each kind and of moves."""
    yield from _problems_of_counts(db, code, kinds)
    values = [code.value(label) for *_, label in kinds]
    yield from problems_of_metadata(db, {*db.about_keys, *code.metadata_rows})
    expected = {
        "states": str(kinds.total()),
        "terminal": str(sum(states for kind, states in kinds.items() if kind[1])),
        "moves": str(moves),
        "values": f"[{min(values, default=0)}, {max(values, default=0)}]",
    }
    yield from wrong_rows(db, expected)


STARTS_PER_STATE = 1000
"""The most initial states of the rules per stored start: they may repeat, or be symmetric."""


def problems_of_starts(db: Database, rules: CheckedRules, first: Keys) -> Iterator[str]:
    """Yield how the states of ply 0, in ascending order, differ from the starts."""
    if db.about["starts"] != str(len(first)):
        begun = number_of(len(first), "position is", "positions are")
        yield f"about says starts = {db.about['starts']}, but {begun} at ply 0"
    starts = np.fromiter(starting_states(db, rules, len(first)), np.int64)
    yield from problems_of_start(db, rules, starts)
    representatives = rules.representatives(starts)
    yield from problems_of_members(rules, starts, representatives)
    expected = distinct(representatives)
    for key in np.setdiff1d(expected, first)[:EXAMPLES].tolist():
        yield f"{rules.named(key, 0)}: play begins there, but it is not in the file"
    for key in np.setdiff1d(first, expected)[:EXAMPLES].tolist():
        yield f"{rules.named(key, 0)}: play does not begin there"


def starting_states(db: Database, rules: CheckedRules, stored: int) -> Iterator[int]:
    """Yield the starts: the user's choice, or the initial states of the rules.

    Raises `BrokenRules` if the rules name too many for the number of `stored` starts.
    """
    if db.about["starts"] == "1" and db.has_own_start:
        yield rules.start
        return
    most = STARTS_PER_STATE * max(1, stored)
    states = iter(rules.game.initial_states())
    yield from islice(states, most)
    if next(states, None) is not None:
        raise BrokenRules(f"the rules name over {most:,} initial states, of which {stored:,} are in the file")


def problems_of_start(db: Database, rules: CheckedRules, starts: Keys) -> list[str]:
    """The problem of the stated start, if any, given all starts."""
    first = int(starts[0])
    if first == rules.start:
        return []
    return [f"about says start = {db.start!r}, but the rules {write_position(rules.game, first)!r}"]


def _in_words(row: CountRow) -> str:
    names = ("ply", "is_terminal", "to_move", "value", "remoteness")
    return ", ".join(f"{name} {value}" for name, value in zip(names, row, strict=True))
