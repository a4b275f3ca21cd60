"""The blocks of a packed file as series, each the states of one ply in which play is, or is not, over.

    id             1    2   3    4    5    6       blocks are numbered on and on
    ply            0    1   1    1    2    2
    is_terminal    0    0   0    1    0    1
    series         |    |---|    |    |    |

A series is cut every `BLOCK` states, from its least key on. `Reader` reads blocks in any order, and finds out
whether each holds what the table says of it.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block import BLOCK, checksum, decode_keys, decode_labels
from solver.database.packed.label_code import LabelCode
from solver.rules.arrays import Keys, Labels, max_abs_value

TABLE = "select id, ply, is_terminal, first, states from blocks order by id"

COLUMNS = ("id", "ply", "is_terminal", "first", "states")


class Damage(Exception):
    """Something because of which a part of the file cannot be checked."""


@dataclass(frozen=True, eq=False)  # there is one of each
class Series:
    """The states of one ply in which play is, or is not, over."""

    ply: int
    is_terminal: int
    number: int
    """Of the first of its blocks."""
    firsts: Keys
    """The least key of each of its blocks."""
    states: int
    """How many there are, of which every block but the last has `BLOCK`."""

    @property
    def blocks(self) -> int:
        """How many blocks it has."""
        return len(self.firsts)

    def size(self, block: int) -> int:
        """How many states a block has, of those counted from 0 in this series."""
        return min(BLOCK, self.states - block * BLOCK)


def table_of(connection: sqlite3.Connection) -> NDArray[np.int64]:
    """The numbers in the table of blocks, a row for each; raises `Damage` where it has no such."""
    kind = np.dtype([(column, np.int64) for column in COLUMNS])
    try:
        rows = np.fromiter(_ascending(connection.execute(TABLE)), kind)
    except (sqlite3.DatabaseError, TypeError, ValueError, OverflowError) as error:
        raise Damage(f"the table of blocks cannot be read: {error}") from error
    if not len(rows):
        raise Damage("there are no blocks")
    return rows.view(np.int64).reshape(-1, len(COLUMNS))


def _ascending(rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows; raises ValueError where a number is not above the last: such a table may have no end."""
    last = 0
    for row in rows:
        if not last < row[0]:
            raise ValueError(f"block {row[0]} is behind block {last}")
        last = row[0]
        yield tuple(row)


def problems_of_table(table: NDArray[np.int64]) -> Iterator[str]:
    """Where blocks are not numbered in order, or not cut as they should be."""
    ids, plies, over, firsts, states = table.T
    ply_rises, over_rises = np.diff(plies), np.diff(over)
    begins = (ply_rises != 0) | (over_rises != 0)
    before = (ply_rises == 0) & ((over_rises < 0) | (over_rises == 0) & (np.diff(firsts) <= 0))
    skips = (ply_rises < 0) | (ply_rises > 1)
    full = (states == BLOCK) | np.append(begins, True) & (states > 0) & (states < BLOCK)
    faults = {
        "its number should be one more than that of the last": ids != np.arange(1, len(ids) + 1),
        "is_terminal should be 0 or 1": (over != 0) & (over != 1),
        "its ply should be that of the last block, or the next": np.append(plies[0] != 0, skips),
        "it should come before the block before it": np.append(firsts[0] < 0, before),
        f"it should have {BLOCK} states, or fewer if it is the last of its kind": ~full,
    }
    for problem, wrong in faults.items():
        for row in np.flatnonzero(wrong).tolist():
            yield f"block {ids[row]}, of ply {plies[row]}: {problem}"


def series_of(table: NDArray[np.int64]) -> dict[tuple[int, int], Series]:
    """The series by ply and is_terminal, given a table in which there are no problems."""
    ids, plies, over, firsts, states = table.T
    cuts = np.flatnonzero((np.diff(plies) != 0) | (np.diff(over) != 0)) + 1
    found = {}
    for begin, end in zip([0, *cuts.tolist()], [*cuts.tolist(), len(ids)], strict=True):
        kind = int(plies[begin]), int(over[begin])
        found[kind] = Series(*kind, int(ids[begin]), firsts[begin:end].copy(), int(states[begin:end].sum()))
    return found


ROW = "select ply, is_terminal, first, states, crc32, keys, labels from blocks where id = ?"


class Run(NamedTuple):
    """States in ascending order."""

    keys: Keys
    labels: Labels
    """Where play is over, they are those of the utilities."""


class Reader:
    """What blocks are read from; the last ones are kept as they are."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        form: LabelCode,
        utilities: Callable[[Keys], Keys],
        kept: int,
    ) -> None:
        """Read labels of this form, and keep some `kept` bytes of blocks.

        `utilities` says what ends are worth.
        """
        self._connection, self.form, self._utilities = connection, form, utilities
        self.block = lru_cache(max(1, kept // (BLOCK * (8 + form.dtype.itemsize))))(self._block)

    def run(self, series: Series, blocks: Sequence[int]) -> Run:
        """The states of one or more blocks, counted from 0 in the series, one after the other.

        Raises `Damage` where the file does not say them.
        """
        runs = [self.block(series, block) for block in blocks]
        if len(runs) == 1:
            return runs[0]
        keys, labels = zip(*runs, strict=True)
        return Run(np.concatenate(keys), np.concatenate(labels))

    def _block(self, series: Series, block: int) -> Run:
        number = series.number + block
        try:
            (row,) = self._connection.execute(ROW, (number,)).fetchall()
            return self._decoded(series, block, row)
        except Exception as error:
            raise Damage(f"block {number}, of ply {series.ply}: {error}") from error

    def _decoded(self, series: Series, block: int, row: Sequence[Any]) -> Run:
        ply, is_terminal, first, states, crc32, data, labels = row
        if checksum(ply, is_terminal, first, states, data, labels) != crc32:
            raise ValueError("its checksum is another")
        keys = decode_keys(first, states, data)
        if block + 1 < series.blocks and keys[-1] >= series.firsts[block + 1]:
            raise ValueError(f"its last state, {keys[-1]}, is not below the first of the next block")
        if not is_terminal:
            return Run(keys, decode_labels(states, labels, self.form.dtype))
        if labels is not None:
            raise ValueError("it has labels, though play is over")
        return Run(keys, self._labels_of_ends(keys, ply))

    def _labels_of_ends(self, keys: Keys, ply: int) -> Labels:
        utilities = self._utilities(keys)
        most = max_abs_value(utilities)
        if most > self.form.max_abs_value:
            raise ValueError(f"an end in it is worth {most}, more than the values that about has")
        return self.form.of_ends(utilities, ply)
