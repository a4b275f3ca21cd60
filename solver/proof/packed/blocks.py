"""The blocks of a packed file, grouped into series: the terminal or the non-terminal states of one ply.

    id             1    2   3    4    5    6       numbered through the whole file
    ply            0    1   1    1    2    2
    is_terminal    0    0   0    1    0    1
    series         |    |---|    |    |    |

The states of a series ascend, and every block but its last has `BLOCK` states. `Reader` decodes blocks in any
order and checks each against its row.

Lookups decode blocks by `solver.database.packed.block_reader`, separate code on purpose.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block import BLOCK, checksum, decode_labels
from solver.database.packed.keys.key_code import KeyDecoder
from solver.database.packed.label_code import LabelCode
from solver.rules.arrays import Keys, Labels, max_abs_value

SELECT_TABLE = "select id, {}, is_terminal, first, states from blocks order by id"

CACHED_BYTES = 128 << 20
"""The bytes of decoded blocks that a process caches."""


class Damage(Exception):
    """Raised if a part of the file is unreadable; the message names the part."""


@dataclass(frozen=True, eq=False)  # compared by identity: each exists once
class Series:
    """The terminal, or the non-terminal, states of one ply."""

    ply: int
    is_terminal: int
    number: int
    """The id of its first block."""
    firsts: Keys
    """The least key of each block, ascending: int64, (blocks,)."""
    states: int

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self.firsts)

    def offset(self, block: int) -> int:
        """The number of states before a block, given its index in the series."""
        return block * BLOCK

    def size(self, block: int) -> int:
        """The number of states in a block, given its index in the series."""
        return min(BLOCK, self.states - block * BLOCK)


def table_of(connection: sqlite3.Connection, stage_column: str) -> NDArray[np.int64]:
    """The table of blocks: int64, (blocks, 5); raises `Damage` if it cannot be read."""
    kind: Any = np.dtype((np.int64, 5))
    try:
        rows = np.fromiter(_ascending(connection.execute(SELECT_TABLE.format(stage_column))), kind)
    except (sqlite3.DatabaseError, TypeError, ValueError, OverflowError) as error:
        raise Damage(f"the table of blocks cannot be read: {error}") from error
    if not len(rows):
        raise Damage("there are no blocks")
    return rows


def _ascending(rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows; raises ValueError if ids do not ascend, as such a table may have no end."""
    last = 0
    for row in rows:
        if not last < row[0]:
            raise ValueError(f"block {row[0]} follows block {last}")
        last = row[0]
        yield tuple(row)


def problems_of_table(table: NDArray[np.int64]) -> Iterator[str]:
    """Yield the problems of blocks that are out of order or of the wrong size."""
    ids, plies, is_terminal, firsts, states = table.T
    ply_rises, is_terminal_rises = np.diff(plies), np.diff(is_terminal)
    begins = (ply_rises != 0) | (is_terminal_rises != 0)
    before = (ply_rises == 0) & ((is_terminal_rises < 0) | (is_terminal_rises == 0) & (np.diff(firsts) <= 0))
    skips = (ply_rises < 0) | (ply_rises > 1)
    full = (states == BLOCK) | np.append(begins, True) & (states > 0) & (states < BLOCK)
    faults = {
        "its number should be one more than that of the last": ids != np.arange(1, len(ids) + 1),
        "is_terminal should be 0 or 1": (is_terminal != 0) & (is_terminal != 1),
        "its ply should be that of the last block, or the next": np.append(plies[0] != 0, skips),
        "it should come before the block before it": np.append(firsts[0] < 0, before),
        f"it should have {BLOCK} states, or fewer if it is the last of its kind": ~full,
    }
    for problem, wrong in faults.items():
        for row in np.flatnonzero(wrong).tolist():
            yield f"block {ids[row]}, of ply {plies[row]}: {problem}"


def series_of(table: NDArray[np.int64]) -> dict[tuple[int, int], Series]:
    """The series by (ply, is_terminal), given a table without problems."""
    ids, plies, is_terminal, firsts, states = table.T
    cuts = np.flatnonzero((np.diff(plies) != 0) | (np.diff(is_terminal) != 0)) + 1
    series = {}
    for begin, end in zip([0, *cuts.tolist()], [*cuts.tolist(), len(ids)], strict=True):
        place = int(plies[begin]), int(is_terminal[begin])
        series[place] = Series(
            *place, int(ids[begin]), firsts[begin:end].copy(), int(states[begin:end].sum())
        )
    return series


Part = TypeVar("Part", range, Keys)


def cut(whole: Part, size: int) -> list[Part]:
    """A range of blocks, or states, in consecutive parts of this size; the last one may be shorter."""
    return [whole[at : at + size] for at in range(0, len(whole), size)]


SELECT_BLOCK = "select * from blocks where id = ?"


class LabelledStates(NamedTuple):
    """States in ascending order, with their labels."""

    keys: Keys
    labels: Labels
    """The label of each state; for terminal states, derived from the utility."""


class Reader:
    """Decodes and checks blocks, and caches those used last."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        decoder: KeyDecoder,
        code: LabelCode,
        utilities: Callable[[Keys], Keys],
        *,
        compiled: bool = False,
    ) -> None:
        """Read keys by `decoder`, and labels in this code.

        `utilities` returns the utility of each terminal state. If `compiled`, keys are decoded by compiled
        code, if numba is installed.
        """
        self._connection, self._decoder, self.code = connection, decoder, code
        self._utilities, self._compiled = utilities, compiled
        self.block = lru_cache(max(1, CACHED_BYTES // (BLOCK * (8 + code.dtype.itemsize))))(self._block)

    def states(self, series: Series, blocks: Sequence[int]) -> LabelledStates:
        """The states of blocks, given ascending indices in the series; raises `Damage` for a wrong block."""
        parts = [self.block(series, block) for block in blocks]
        if len(parts) == 1:
            return parts[0]
        keys, labels = zip(*parts, strict=True)
        return LabelledStates(np.concatenate(keys), np.concatenate(labels))

    def _block(self, series: Series, block: int) -> LabelledStates:
        number = series.number + block
        try:
            (row,) = self._connection.execute(SELECT_BLOCK, (number,)).fetchall()
            return self._decoded(series, block, row)
        except Exception as error:
            raise Damage(f"block {number}, of ply {series.ply}: {error}") from error

    def _decoded(self, series: Series, block: int, row: Sequence[Any]) -> LabelledStates:
        _, ply, is_terminal, first, states, crc32, data, labels = row
        if checksum(ply, is_terminal, first, states, data, labels) != crc32:
            raise ValueError("its checksum does not match")
        keys = self._decoder.keys([data], [states], [first], compiled=self._compiled)
        if block + 1 < series.blocks and keys[-1] >= series.firsts[block + 1]:
            raise ValueError(f"its last state, {keys[-1]}, is not below the first of the next block")
        if not is_terminal:
            return LabelledStates(keys, decode_labels([labels], [states], self.code.dtype))
        if labels is not None:
            raise ValueError("it has labels, though play is over")
        return LabelledStates(keys, self._labels_of_ends(keys, ply))

    def _labels_of_ends(self, keys: Keys, ply: int) -> Labels:
        utilities = self._utilities(keys)
        most = max_abs_value(utilities)
        if most > self.code.max_abs_value:
            raise ValueError(f"it has a terminal state of utility {most}, above the values in about")
        return self.code.encode_ends(utilities, self.code.counted_from(ply))
