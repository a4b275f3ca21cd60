"""The next ply: where children are looked up, and a bit for each state that says whether one was.

children       12   14   14   19   23              in ascending order
blocks         10 12 14  |  17 18  |  19 21 23     the second can have none of them: it is not read
bits            0  1  1  |   0  0  |   1  0  1     where it is 0 in all parts of the proof, no play leads

A block has 512 bytes of bits, and they are all that is held of a ply while the one before it is gone through.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block import BLOCK
from solver.proof.packed.blocks import Reader, Series
from solver.proof.packed.rules import Places
from solver.rules.arrays import Flags, Keys, Labels

BLOCKS_SEARCHED_AT_ONCE = 32
"""So many blocks are searched as one."""


class ReachedPart(NamedTuple):
    """States of a series that were found."""

    blocks: Places
    """The blocks that they are in, counted from 0 in the series."""
    bits: NDArray[np.uint8]
    """A row for each of these blocks, with 1 for those of its states that were found, the first highest."""


class ChildLookup:
    """The states of a ply and which of them have been found."""

    def __init__(self, reader: Reader, series: Iterable[Series]) -> None:
        """Look for states in these series of blocks."""
        self._reader = reader
        self._series = [_SeriesLookup(reader, each) for each in series]

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of these states, in ascending order, and which of them there are."""
        if not self._series:
            return np.zeros(len(keys), self._reader.form.dtype), np.zeros(len(keys), np.bool_)
        labels, found = self._series[0].find(keys)
        for series in self._series[1:]:
            rest = np.flatnonzero(~found)
            if len(rest):
                labels[rest], found[rest] = series.find(keys[rest])
        return labels, found

    @property
    def reached(self) -> list[ReachedPart]:
        """The states that have been found, of each series in turn."""
        return [series.reached for series in self._series]


class ReachedBits:
    """A bit for each state of a ply: whether any part of the proof has found it."""

    def __init__(self, series: Iterable[Series]) -> None:
        """Begin with none of these series."""
        self._series = [(each, np.zeros((each.blocks, BLOCK // 8), np.uint8)) for each in series]

    def add(self, reached: Sequence[ReachedPart]) -> None:
        """Note what was found of each series in turn; it is empty where a part failed."""
        for (_, bits), part in zip(self._series, reached, strict=False):
            bits[part.blocks] |= part.bits

    def unreached(self, reader: Reader) -> Iterator[int]:
        """The states that nobody has found."""
        for series, bits in self._series:
            for block in np.flatnonzero((bits != 255).any(axis=1)).tolist():
                found = np.unpackbits(bits[block], count=series.size(block)) != 0
                if not found.all():
                    yield from reader.block(series, block).keys[~found].tolist()


class _SeriesLookup:
    """A series of blocks and which of its states have been found."""

    def __init__(self, reader: Reader, series: Series) -> None:
        self._reader, self._series = reader, series
        self._bits = np.zeros((series.blocks, BLOCK // 8), np.uint8)
        self._requested = np.zeros(series.blocks, np.bool_)

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """As that of `ChildLookup`."""
        labels, found = np.zeros(len(keys), self._reader.form.dtype), np.zeros(len(keys), np.bool_)
        for blocks, part in self._groups(keys):
            states = self._reader.states(self._series, blocks.tolist())
            at = states.keys.searchsorted(keys[part])
            at[at == len(states.keys)] = 0
            found[part] = states.keys[at] == keys[part]
            labels[part] = states.labels[at]
            self._mark(blocks, at[found[part]])
        return labels, found

    @property
    def reached(self) -> ReachedPart:
        """As those of `ChildLookup`."""
        blocks = np.flatnonzero(self._requested)
        return ReachedPart(blocks, self._bits[blocks])

    def _groups(self, keys: Keys) -> Iterator[tuple[Places, slice]]:
        """Some blocks, and the part of the keys that can be in them, until all keys had their turn."""
        firsts = self._series.firsts
        low = max(0, int(firsts.searchsorted(keys[0], "right")) - 1)
        high = int(firsts.searchsorted(keys[-1], "right"))
        cuts = np.append(keys.searchsorted(firsts[low:high]), len(keys))
        requested = np.flatnonzero(cuts[1:] > cuts[:-1])
        for begin in range(0, len(requested), BLOCKS_SEARCHED_AT_ONCE):
            group = requested[begin : begin + BLOCKS_SEARCHED_AT_ONCE]
            yield group + low, slice(int(cuts[group[0]]), int(cuts[group[-1] + 1]))

    def _mark(self, blocks: Places, at: Places) -> None:
        """Note the states at these places in the blocks: all but the last block of a series are full."""
        found = np.zeros(len(blocks) * BLOCK, np.bool_)
        found[at] = True
        self._bits[blocks] |= np.packbits(found).reshape(-1, BLOCK // 8)
        self._requested[blocks] = True
