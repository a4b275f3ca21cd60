"""The next ply: where children are looked up, and a bit for each state that says whether one was.

children       12   14   14   19   23              in ascending order
blocks         10 12 14  |  17 18  |  19 21 23     the second can have none of them: it is not read
bits            0  1  1  |   0  0  |   1  0  1     where it is 0 in the end, no play leads

A block has 512 bytes of bits, and they are all that is held of a ply while the one before it is gone through.
"""

from collections.abc import Iterable, Iterator
from threading import Lock

import numpy as np

from solver.arrays import Flags, Keys, Labels
from solver.packed_layout.blocks import BLOCK
from solver.packed_proof.asking import Places
from solver.packed_proof.reading import Reader
from solver.packed_proof.series import Series

AT_ONCE = 32
"""So many blocks are searched as one."""


class Below:
    """The states of a ply and which of them have been found; threads may share it."""

    def __init__(self, reader: Reader, series: Iterable[Series]) -> None:
        """Look for states in these series of blocks."""
        self._reader = reader
        self._series = [_Searched(reader, each) for each in series]

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of these states, in ascending order, and which of them there are."""
        labels, found = np.zeros(len(keys), self._reader.form.dtype), np.zeros(len(keys), np.bool_)
        for series in self._series:
            rest = np.flatnonzero(~found)
            if len(rest):
                labels[rest], found[rest] = series.find(keys[rest])
        return labels, found

    def unreached(self) -> Iterator[int]:
        """The states that nobody has looked for."""
        for series in self._series:
            yield from series.unreached()


class _Searched:
    """A series of blocks and which of its states have been found."""

    def __init__(self, reader: Reader, series: Series) -> None:
        self._reader, self._series = reader, series
        self._bits = np.zeros((series.blocks, BLOCK // 8), np.uint8)
        self._lock = Lock()

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """As that of `Below`."""
        labels, found = np.zeros(len(keys), self._reader.form.dtype), np.zeros(len(keys), np.bool_)
        for blocks, part in self._shares(keys):
            run = self._reader.run(self._series, blocks.tolist())
            at = run.keys.searchsorted(keys[part])
            at[at == len(run.keys)] = 0
            found[part] = run.keys[at] == keys[part]
            labels[part] = run.labels[at]
            self._mark(blocks, at[found[part]])
        return labels, found

    def unreached(self) -> Iterator[int]:
        """As that of `Below`."""
        for block in np.flatnonzero((self._bits != 255).any(axis=1)).tolist():
            found = np.unpackbits(self._bits[block], count=self._series.size(block)) != 0
            if not found.all():
                yield from self._reader.block(self._series, block).keys[~found].tolist()

    def _shares(self, keys: Keys) -> Iterator[tuple[Places, slice]]:
        """Some blocks, and the part of the keys that can be in them, until all keys had their turn."""
        firsts = self._series.firsts
        low = max(0, int(firsts.searchsorted(keys[0], "right")) - 1)
        high = int(firsts.searchsorted(keys[-1], "right"))
        cuts = np.append(keys.searchsorted(firsts[low:high]), len(keys))
        wanted = np.flatnonzero(cuts[1:] > cuts[:-1])
        for begin in range(0, len(wanted), AT_ONCE):
            some = wanted[begin : begin + AT_ONCE]
            yield some + low, slice(int(cuts[some[0]]), int(cuts[some[-1] + 1]))

    def _mark(self, blocks: Places, at: Places) -> None:
        """Note the states at these places in the blocks: all but the last block of a series are full."""
        found = np.zeros(len(blocks) * BLOCK, np.bool_)
        found[at] = True
        bits = np.packbits(found).reshape(-1, BLOCK // 8)
        with self._lock:
            self._bits[blocks] |= bits
