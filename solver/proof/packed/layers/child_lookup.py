"""Looks up children in the next ply, and marks each state that is found there by a bit.

    children     12   14   14   19   23              in ascending order
    blocks       10 12 14  |  17 18  |  19 21 23     the second cannot hold any of them: it is not read
    bits          0  1  1  |   0  0  |   1  0  1     a state with 0 in all tasks is unreachable

The bits of a block take 512 bytes. Nothing else of a ply is held while the ply before it is proved.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from solver.database.packed.block import BLOCK
from solver.proof.packed.blocks import Reader, Series
from solver.proof.packed.findings import ReachedPart
from solver.proof.packed.rules import Places
from solver.rules.arrays import Flags, Keys, Labels

BLOCKS_SEARCHED_AT_ONCE = 32
"""Blocks that are concatenated for one binary search."""


class ChildLookup:
    """Finds states of one ply, and records which were found."""

    def __init__(self, reader: Reader, series: Iterable[Series]) -> None:
        """Look up states in these series."""
        self._reader = reader
        self._series = [_SeriesLookup(reader, each) for each in series]

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """The label of each key, given in ascending order, and whether it was found."""
        if not self._series:
            return np.zeros(len(keys), self._reader.code.dtype), np.zeros(len(keys), np.bool_)
        labels, found = self._series[0].find(keys)
        for series in self._series[1:]:
            rest = np.flatnonzero(~found)
            if len(rest):
                labels[rest], found[rest] = series.find(keys[rest])
        return labels, found

    @property
    def reached(self) -> list[ReachedPart]:
        """The states found so far, one part per series."""
        return [series.reached for series in self._series]


class ReachedBits:
    """A bit for each state of a ply: whether any task has found it."""

    def __init__(self, series: Iterable[Series]) -> None:
        """Start with no state of these series found."""
        self._series = [(each, np.zeros((each.blocks, BLOCK // 8), np.uint8)) for each in series]

    def add(self, reached: Sequence[ReachedPart]) -> None:
        """Add what a task found, one part per series; there are no parts if the task failed."""
        for (_, bits), part in zip(self._series, reached, strict=False):
            bits[part.blocks] |= part.bits

    def unreached(self, reader: Reader) -> Iterator[int]:
        """The states that no task has found."""
        for series, bits in self._series:
            for block in np.flatnonzero((bits != 255).any(axis=1)).tolist():
                found = np.unpackbits(bits[block], count=series.size(block)) != 0
                if not found.all():
                    yield from reader.block(series, block).keys[~found].tolist()


class _SeriesLookup:
    """Finds states of one series, and records which were found."""

    def __init__(self, reader: Reader, series: Series) -> None:
        self._reader, self._series = reader, series
        self._bits = np.zeros((series.blocks, BLOCK // 8), np.uint8)
        self._requested = np.zeros(series.blocks, np.bool_)

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """Labels and flags as `ChildLookup.find` does."""
        labels, found = np.zeros(len(keys), self._reader.code.dtype), np.zeros(len(keys), np.bool_)
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
        """The states found so far."""
        blocks = np.flatnonzero(self._requested)
        return ReachedPart(blocks, self._bits[blocks])

    def _groups(self, keys: Keys) -> Iterator[tuple[Places, slice]]:
        """Groups of blocks, each with the slice of the keys that they may hold."""
        firsts = self._series.firsts
        low = max(0, int(firsts.searchsorted(keys[0], "right")) - 1)
        high = int(firsts.searchsorted(keys[-1], "right"))
        cuts = np.append(keys.searchsorted(firsts[low:high]), len(keys))
        requested = np.flatnonzero(cuts[1:] > cuts[:-1])
        for begin in range(0, len(requested), BLOCKS_SEARCHED_AT_ONCE):
            group = requested[begin : begin + BLOCKS_SEARCHED_AT_ONCE]
            yield group + low, slice(int(cuts[group[0]]), int(cuts[group[-1] + 1]))

    def _mark(self, blocks: Places, at: Places) -> None:
        """Mark the states at these indices in the blocks, which are full but for the last of a series."""
        found = np.zeros(len(blocks) * BLOCK, np.bool_)
        found[at] = True
        self._bits[blocks] |= np.packbits(found).reshape(-1, BLOCK // 8)
        self._requested[blocks] = True
