"""The table of counts of a packed file: the number of states of each kind.

`counts_of` makes its rows; `checked_counts` reads and checks them before any lookup depends on them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.database.header import crc32_of
from solver.database.metadata import StoredMetadata
from solver.rules.arrays import Flags, Keys

MAX_STAGE = 2**31 - 1
"""The last stage that a file can have."""

MAX_STATES = 2**63 - 1
"""The most states that a row can count."""

COUNTS = "select * from counts order by rowid"


class CountRow(NamedTuple):
    """A row of the table: a kind of states of one stage, and their number."""

    stage: int
    is_terminal: int
    to_move: int
    value: int
    remoteness: int | None
    states: int


def counts_of(
    stage: int, is_terminal: Flags, movers: Keys, values: Keys, remoteness: Keys
) -> Iterator[CountRow]:
    """Yield the rows for the states of a stage, given as arrays; a remoteness of -1 is none."""
    kinds = np.stack([is_terminal, movers, values, remoteness])
    kinds, numbers = np.unique(kinds, axis=1, return_counts=True)
    for (over, mover, value, plies), states in zip(kinds.T.tolist(), numbers.tolist(), strict=True):
        yield CountRow(stage, over, mover, value, None if plies < 0 else plies, states)


def in_order(counts: Iterable[CountRow]) -> list[CountRow]:
    """The rows in the order of their columns; no remoteness comes before 0."""
    return sorted(counts, key=lambda count: [-1 if number is None else number for number in count[:-1]])


def checked_counts(file: StoredMetadata) -> list[CountRow]:
    """The rows, checked against each other and `about`; raises `DamagedFile`."""
    rows = count_rows(file)
    if file.about["counts_crc32"] != str(crc32_of(rows)):
        raise file.damage("the checksum of counts does not match")
    counts = [CountRow(*row) for row in rows]
    if wrong := _wrong_counts(file, counts):
        raise file.damage(f"counts: {wrong}")
    return counts


def count_rows(file: StoredMetadata) -> list[tuple[Any, ...]]:
    """The rows as stored; raises `DamagedFile` unless rowids ascend and values are integers or null."""
    rows, last = [], -(2**63)
    for number, *row in file.stream(COUNTS.replace("*", "rowid, *")):
        if not all(isinstance(value, int | None) for value in row):
            raise file.damage("counts does not hold numbers")
        if number <= last:
            raise file.damage(f"row {number} of counts follows row {last}")
        rows.append(tuple(row))
        last = number
    return rows


def _wrong_counts(file: StoredMetadata, counts: Sequence[CountRow]) -> str | None:
    """The first inconsistency of the rows with each other or with `about`, in words; None for none."""
    for count in counts:
        if not _is_sound(count, file.value_range):
            return (
                f"there cannot be {count.states} states of stage {count.stage}, value {count.value}, "
                f"remoteness {count.remoteness}"
            )
    stages = {count.stage for count in counts}
    last = max(stages, default=-1)
    states, terminal = file.number("states"), file.number("terminal")
    if not stages or len(stages) <= last:
        return "stages do not follow each other from 0 on"
    if sum(count.states for count in counts) != states:
        return f"there are not {states:,} states"
    if sum(count.states for count in counts if count.is_terminal) != terminal:
        return f"there are not {terminal:,} terminal states"
    for count in counts if "labels" not in file.about else ():
        if count.stage + (count.remoteness or 0) > last:
            return f"play from ply {count.stage} on ends after the last ply"
    return None


def _is_sound(count: CountRow, values: tuple[int, int]) -> bool:
    """Whether there can be states of this kind."""
    bounds = (0, MAX_STAGE), (0, 1), (0, 1), values, (0, MAX_STAGE), (1, MAX_STATES)
    numbers = count._replace(remoteness=count.remoteness or 0)
    return all(
        number is not None and least <= number <= greatest
        for number, (least, greatest) in zip(numbers, bounds, strict=True)
    )
