"""Holds what a packed file says of itself as a whole against what was found in its blocks."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from solver.database import Database
from solver.database.header import crc32_of
from solver.database.packed.counts import count_rows
from solver.database.packed.label_code import LabelCode
from solver.database.packed.reader import PackedDatabase
from solver.database.schema import PACKED_FORMAT
from solver.proof.metadata import problems_of_facts
from solver.proof.packed.findings import Kind
from solver.proof.packed.rules import SHOWN, CheckedRules
from solver.rules.arrays import Keys
from solver.rules.notation import write_position

Row = tuple[Any, ...]
"""Of the table of counts, but for the number of states: ply, is_terminal, to_move, value, remoteness."""


def problems_of_counts(db: PackedDatabase, form: LabelCode, kinds: Counter[Kind]) -> Iterator[str]:
    """Where the table of counts does not have these numbers of states of each kind."""
    said, right = count_rows(db), Counter[Row]()
    for kind, states in kinds.items():
        right[_row(form, *kind)] += states
    rows = Counter(row[:-1] for row in said)
    yield from (f"counts has {number} rows of {_in_words(row)}" for row, number in rows.items() if number > 1)
    for *row, states in said:
        if states != right.pop(tuple(row), None):
            yield f"counts has {states!r} states of {_in_words(tuple(row))}, which are not so many"
    yield from (f"counts does not have the {n:,} states of {_in_words(row)}" for row, n in right.items())
    if db.about["counts_crc32"] != str(crc32_of(said)):
        yield "the CRC-32 of counts is another"


def problems_of_labels(db: Database, form: LabelCode) -> Iterator[str]:
    """Where labels are not of the form that the values of the file, and its plies, ask for."""
    for key, right in form.metadata_rows.items():
        if db.about.get(key) != right:
            words = f"with values = {db.about['values']} and its plies it should be {right}"
            yield f"about says {key} = {db.about.get(key)}, but {words}"


def problems_of_about(db: Database, form: LabelCode, kinds: Counter[Kind], moves: int) -> Iterator[str]:
    """Where the facts about the whole file do not hold, given the kinds of states and the number of moves."""
    values = [form.value(label) for *_, label in kinds]
    yield from problems_of_facts(db, PACKED_FORMAT, frozenset(PackedDatabase.about_keys))
    facts = {
        "states": str(kinds.total()),
        "terminal": str(sum(states for kind, states in kinds.items() if kind[1])),
        "moves": str(moves),
        "values": f"[{min(values, default=0)}, {max(values, default=0)}]",
    }
    for key, right in facts.items():
        if db.about.get(key) != right:
            yield f"about says {key} = {db.about.get(key)}, but it should be {right}"


MOST_STARTS = 1000
"""So many times may the rules name a state in which play begins, or one that is symmetric to it."""


def problems_of_starts(db: Database, asked: CheckedRules, first: Keys) -> Iterator[str]:
    """Where the states of ply 0, in ascending order, are not those in which play begins."""
    if db.about["starts"] != str(len(first)):
        yield f"about says starts = {db.about['starts']}, but {len(first)} positions are at ply 0"
    starts = [asked.start]
    if len(first) > 1:
        starts = list(islice(asked.game.initial_states(), MOST_STARTS * len(first)))
        if starts[0] != asked.start:
            yield f"about says start = {db.start!r}, but the rules {write_position(asked.game, starts[0])!r}"
    expected = np.unique(asked.stored(np.array(starts, np.int64)))
    for key in np.setdiff1d(expected, first)[:SHOWN].tolist():
        yield f"{asked.named(key, 0)}: play begins there, but it is not in the file"
    for key in np.setdiff1d(first, expected)[:SHOWN].tolist():
        yield f"{asked.named(key, 0)}: play does not begin there"


def _row(form: LabelCode, ply: int, is_terminal: int, mover: int, label: int) -> Row:
    """The row of a kind of states."""
    end = form.end_ply(label)
    remoteness = 0 if is_terminal else None if end is None else end - ply
    return ply, is_terminal, mover, form.value(label), remoteness


def _in_words(row: Row) -> str:
    names = ("ply", "is_terminal", "to_move", "value", "remoteness")
    return ", ".join(f"{name} {value}" for name, value in zip(names, row, strict=True))
