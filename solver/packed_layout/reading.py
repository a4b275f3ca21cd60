"""The blocks of a packed file: found by ply and key, checked, decoded, the last ones kept at hand.

The states of a ply are two series of blocks: those in which play goes on, and those in which it is over.
How many states each has tells the numbers of its blocks. The least key of each tells in which block a key
must be, if it is in any:

    ply 4, play goes on     block 7: 12 ... 799   block 8: 801 ... 960   block 9: 977 ...

What a damaged index says is found to be wrong.
"""

import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.arrays import Flags, Keys, Labels
from solver.errors import DamagedFile
from solver.packed_layout.blocks import BLOCK, Block, checksum, decode_gaps, decode_labels, keys_of_gaps

KEPT = 512
"""How many blocks are kept decoded, of some 40 kB each."""

CHUNK = 64
"""How many gaps are summed up at once where one key is looked for."""

FEW = 2
"""Up to so many keys are found one by one sooner than after making all keys of the block."""

CHUNKS = np.arange(0, BLOCK, CHUNK)
"""Where such sums begin in a block."""

COLUMNS = "id, ply, is_terminal, first, states, crc32, keys, labels"

ROW = f"select {COLUMNS} from blocks where id = ?"

PLACE = (
    f"select {COLUMNS} from blocks where ply = ? and is_terminal = ? and first <= ? "
    "order by first desc limit 1"
)

FIRSTS = "select first from blocks where ply = ? and is_terminal = ? order by first"


@dataclass(frozen=True)
class Run:
    """The states of a block."""

    ply: int
    is_terminal: int
    first: int
    """The least key."""
    gaps: Keys
    """The differences of the keys, 0 for the first."""
    labels: Labels
    """All 0 where play is over: there the rules say what a state is worth."""

    @cached_property
    def keys(self) -> Keys:
        """The keys, in ascending order; raises ValueError where they are in none."""
        return keys_of_gaps(self.first, self.gaps)

    def places(self, keys: Keys) -> tuple[NDArray[np.intp], Flags]:
        """The indices of ascending keys, and which of them are there; the others have any index."""
        if len(keys) <= FEW:
            found = [self.place(key) for key in keys.tolist()]
            return np.array([at or 0 for at in found]), np.array([at is not None for at in found])
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        return places, self.keys[places] == keys

    def place(self, key: int) -> int | None:
        """The index of a key, found without making them all; None where it is not there."""
        reach = np.add.reduceat(self.gaps, CHUNKS[: (len(self.gaps) + CHUNK - 1) // CHUNK]).cumsum()
        above = key - self.first
        chunk = int(reach.searchsorted(above))
        begin = chunk * CHUNK
        if chunk:
            above -= int(reach[chunk - 1])
        keys = self.gaps[begin : begin + CHUNK].cumsum()
        at = int(keys.searchsorted(above))
        return begin + at if at < len(keys) and keys[at] == above else None


class States(NamedTuple):
    """Some states of one ply, in ascending order of keys."""

    ply: int
    keys: Keys
    is_terminal: Flags
    labels: Labels


class Blocks:
    """The blocks of a file. What is not as it was written is refused by an error that `damage` makes."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        damage: Callable[[object], DamagedFile],
        dtype: np.dtype[np.signedinteger],
        sizes: Mapping[tuple[int, int], int],
    ) -> None:
        """Read from `connection` labels that are integers of `dtype`.

        The number of states in each series is among `sizes`, by ply and is_terminal.
        """
        self._cursor, self.damage, self._dtype = connection.cursor(), damage, dtype
        self._cursor.row_factory = None  # plain tuples are made faster
        self._numbers = dict(_numbers(sizes))
        self._first_keys = lru_cache(None)(self._read_first_keys)
        self._kept: dict[int, Run] = {}

    def label(self, ply: int, is_terminal: int, key: int) -> int | None:
        """The label of a state; None where it is not in this series."""
        numbers = self._numbers.get((ply, is_terminal))
        if not numbers:
            return None
        rows = self._rows(PLACE, ply, is_terminal, key)
        after = numbers.start
        for row in rows:
            run, after = self._in_series(ply, is_terminal, row), row[0] + 1
            at = run.place(key)
            if at is not None:
                return int(run.labels[at])
        if after in numbers and self._block(ply, is_terminal, after).first <= key:
            raise self.damage("the index of its blocks leads astray")
        return None

    def labels(self, ply: int, is_terminal: int, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and which of them are in this series; each block is decoded once."""
        labels, present = np.zeros(len(keys), self._dtype), np.zeros(len(keys), np.bool_)
        places = self._first_keys(ply, is_terminal).searchsorted(keys, "right") - 1
        cuts = [0, *(np.flatnonzero(np.diff(places)) + 1).tolist(), len(keys)]
        start = self._numbers.get((ply, is_terminal), range(0)).start
        for begin, end in pairwise(cuts):
            if begin < end and places[begin] >= 0:
                run = self._block(ply, is_terminal, start + int(places[begin]))
                at, present[begin:end] = run.places(keys[begin:end])
                labels[begin:end] = run.labels[at]
        return labels, present

    def states(self, ply: int) -> Iterator[States]:
        """All states of a ply, in ascending order of keys; the labels are 0 where play is over."""
        series = [self._series(ply, is_terminal) for is_terminal in (0, 1)]
        begun: dict[int, tuple[Run, int]] = {}
        while True:
            for at, runs in enumerate(series):
                if at not in begun and (run := next(runs, None)):
                    begun[at] = run, 0
            if not begun:
                return
            cut = min(int(run.keys[-1]) for run, _ in begun.values())
            ends = [int(run.keys.searchsorted(cut, "right")) for run, _ in begun.values()]
            yield _merged([(*part, end) for part, end in zip(begun.values(), ends, strict=True)])
            rest = zip(begun.items(), ends, strict=True)
            begun = {at: (run, end) for (at, (run, _)), end in rest if end < len(run.keys)}

    def _series(self, ply: int, is_terminal: int) -> Iterator[Run]:
        for number in self._numbers.get((ply, is_terminal), ()):
            yield self._block(ply, is_terminal, number)

    def _block(self, ply: int, is_terminal: int, number: int) -> Run:
        """The block of this number, which is in this series."""
        kept = [(number,)] if number in self._kept else self._rows(ROW, number)
        for row in kept:
            return self._in_series(ply, is_terminal, row)
        raise self.damage(f"there is no block {number}")

    def _in_series(self, ply: int, is_terminal: int, row: Any) -> Run:
        """The block of a row, which is in this series."""
        number, *columns = row
        run = self._kept.get(number)
        if run is None:
            try:
                run = decoded(Block(*columns), self._dtype)
            except (ValueError, TypeError, struct.error) as error:
                raise self.damage(f"block {number}: {error}") from error
            if len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = run
        if run.ply != ply or run.is_terminal != is_terminal:
            raise self.damage(f"block {number} is not of ply {ply}")
        return run

    def _read_first_keys(self, ply: int, is_terminal: int) -> Keys:
        """The least keys of the blocks of a series."""
        rows = self._rows(FIRSTS, ply, is_terminal)
        if len(rows) != len(self._numbers.get((ply, is_terminal), ())):
            raise self.damage(f"ply {ply} has {len(rows)} blocks")
        return np.array([row[0] for row in rows], np.int64)

    def _rows(self, sql: str, *values: int) -> list[Any]:
        try:
            return self._cursor.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self.damage(error) from error


def decoded(block: Block, dtype: np.dtype[np.signedinteger]) -> Run:
    """The states of a block, with labels that are integers of `dtype`.

    Raises ValueError, TypeError or struct.error where it is not what was written.
    """
    if checksum(*block[:4], *block[5:]) != block.crc32:
        raise ValueError("its checksum is another")
    if block.is_terminal:
        labels: Labels = np.zeros(block.states, dtype)
    else:
        labels = decode_labels(block.states, block.labels or b"", dtype)
    return Run(block.ply, block.is_terminal, block.first, decode_gaps(block.states, block.keys), labels)


def _numbers(sizes: Mapping[tuple[int, int], int]) -> Iterator[tuple[tuple[int, int], range]]:
    """The numbers of the blocks of each series: they count on from one to the next."""
    begin = 1
    for kind, states in sorted(sizes.items()):
        end = begin + (states + BLOCK - 1) // BLOCK
        yield kind, range(begin, end)
        begin = end


def _merged(parts: list[tuple[Run, int, int]]) -> States:
    """The states of all parts of runs, in ascending order of keys."""
    keys = np.concatenate([run.keys[begin:end] for run, begin, end in parts])
    is_terminal = np.concatenate([np.full(end - begin, run.is_terminal > 0) for run, begin, end in parts])
    labels = np.concatenate([run.labels[begin:end] for run, begin, end in parts])
    order = np.argsort(keys, kind="stable")
    return States(parts[0][0].ply, keys[order], is_terminal[order], labels[order])
