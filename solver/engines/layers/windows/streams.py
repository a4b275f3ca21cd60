"""Streams of children, and of keys with labels, buffered in rows of arrays that kernels work on.

    keys       1   4  |9  12           cursor 2: 1 and 4 are read; filled 4
               5   8   .   .           cursor 2, filled 2: exhausted; filled again if it has more

A kernel (kernels.py) runs until a row that has more is exhausted, returns the row's number, and is
called again when the row has been filled. Its parameters are these tuples, which numba unpacks at no cost.

The children of part of a layer are a row for each action, in the order of the parents: each action reads the
layer at its own pace, as far as the windows require. The sorted keys of a file may be merged with them.

The keys and labels of the next layer are in key order, one fixed buffer for each file:

    row 0    keys of 0008.open        labels of 0008.labels
    row 1    keys of 0008.terminal    labels from the utilities, which the rules give
    ...      in a folded solve, images of these states under the symmetries of the rules, see orbits.py
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import PIECE
from solver.engines.array_rules.rules import SLACK
from solver.engines.layers.opened import LayerExpansion
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelledLayer
from solver.rules.arrays import Keys, Labels
from solver.system.executors import ignore


class KeyRows(NamedTuple):
    """Rows of ascending keys."""

    keys: Keys
    """The buffered keys: int64, (rows, room)."""
    cursor: Keys
    """The index of the next unread key of each row: int64, (rows,)."""
    filled: Keys
    """The number of keys in each row: int64, (rows,)."""
    has_more: NDArray[np.uint8]
    """Whether keys follow that are not in the row yet: uint8, (rows,)."""

    @classmethod
    def empty(cls, rows: int, room: int) -> Self:
        """Rows with room for `room` keys each, to be filled."""
        none, more = np.zeros(rows, np.int64), np.ones(rows, np.uint8)
        return cls(np.empty((rows, room), np.int64), none, none.copy(), more)

    def put(self, row: int, keys: Keys) -> None:
        """Fill an exhausted row with its next keys; no keys mean its end."""
        self.keys[row, : len(keys)] = keys
        self.begin(row, len(keys))

    def begin(self, row: int, keys: int) -> None:
        """Begin to read a row that has been filled with this number of keys."""
        self.cursor[row], self.filled[row], self.has_more[row] = 0, keys, keys > 0


class ChildRows(NamedTuple):
    """Rows of children, one for each action."""

    rows: KeyRows
    parents: NDArray[np.int32]
    """The codes of the parents: 2 * (rank - first) + mover: int32, (rows, room)."""
    firsts: Keys
    """The rank from which the codes in each row count: int64, (rows,). A layer has more than 2**31 states."""


class LabelRows(NamedTuple):
    """Rows of keys with their labels."""

    rows: KeyRows
    labels: Labels
    """The label of each key: signed integers, (rows, room)."""


class BitWindow(NamedTuple):
    """A set of keys in a window of the key space: bit i stands for the key `low + i`."""

    bits: NDArray[np.uint64]
    """The set: uint64, (n,)."""
    summary: NDArray[np.uint64]
    """A bit for each word of `bits` that is not 0: uint64, (n / 64,)."""


PIECES_BUFFERED = 80
"""The most pieces in all rows together: more would not stay in the cache."""

READS_CACHED = 4
"""Reads of the layer that are cached for the actions that need them next."""


class Unsorted(Exception):
    """Raised if the children by some action do not ascend as their parents do."""


class ChildStreams:
    """The children of part of a layer, a row for each action, with each action's position in the layer."""

    def __init__(
        self,
        expansion: LayerExpansion,
        begin: int,
        end: int,
        beside: KeyFile | None = None,
        report: Callable[[float], object] = ignore,
    ) -> None:
        """Start at the pieces [begin, end) of a layer, and at the first key of the file `beside`, if any.

        `report` is called with the fraction of the pieces, in [0, 1], that has been expanded.
        """
        self.expansion, self._beside, self._passed, self._report = expansion, beside, 0, report
        self.actions = actions = expansion.actions
        self.rows = KeyRows.empty(actions + (beside is not None), self._room + SLACK)
        parents = np.empty((actions, self._room + SLACK), np.int32)
        self.children = ChildRows(self.rows, parents, np.zeros(actions, np.int64))
        """The rows of children, with the codes of their parents."""
        self.window_state = np.zeros(3, np.int64)
        self.moves = 0
        self._read = lru_cache(READS_CACHED)(expansion.layer.read)
        self._next = np.full(actions, begin)
        self._start, self._end = begin, end
        self._first = int(expansion.layer.begins[begin])

    def fill(self, row: int) -> None:
        """Fill a row with its next keys; it stays empty if there are no more."""
        if row < self.actions:
            self._fill_with_children(row)
        elif self._beside is not None:
            end = min(self._passed + self._room, self._beside.states)
            self.rows.put(row, self._beside.read_states(self._passed, end))
            self._passed = end

    def _fill_with_children(self, action: int) -> None:
        row = self.rows.keys[action], self.children.parents[action]
        begin, end, children, _ = self.expansion.next_children(
            action, int(self._next[action]), self._end, self._room // PIECE, read=self._read, into=row
        )
        self._next[action] = end
        self._report(float((self._next - self._start).mean()) / (self._end - self._start))
        self.rows.begin(action, len(children))
        self.children.firsts[action] = self.expansion.layer.begins[begin] - self._first
        self.moves += len(children)

    def skip_to(self, ranks: Keys, low: int) -> None:
        """Continue at the parents of these ranks, int64, (actions,), and at the key `low` of the file."""
        begins, rows = self.expansion.layer.begins, self.rows
        self._next = np.minimum(np.searchsorted(begins, ranks, "right") - 1, self._end)
        for action in range(self.actions):
            self.fill(action)
            parents = self.children.parents[action, : rows.filled[action]] >> 1
            first = self._first + self.children.firsts[action]
            rows.cursor[action] = np.searchsorted(parents, ranks[action] - first)
            if rows.has_more[action] and rows.cursor[action] == rows.filled[action]:
                self.fill(action)
        if self._beside is not None:
            self._passed = self._beside.place(low)
            self.fill(self.actions)

    def parent_ranks(self) -> Keys:
        """The rank of the parent of each action's next unread child; if there is none, the end of ranks."""
        return np.array([self._parent_rank(action) for action in range(self.actions)], np.int64)

    @property
    def _room(self) -> int:
        """The most children in a row."""
        return PIECE * max(1, min(8, PIECES_BUFFERED // self.actions))

    def _parent_rank(self, action: int) -> int:
        cursor = self.rows.cursor[action]
        if cursor == self.rows.filled[action]:
            return int(self.expansion.layer.begins[self._end])
        return self._first + int(self.children.firsts[action] + (self.children.parents[action, cursor] >> 1))


PIECES_PER_FILL = 8
"""The most pieces that are read into a row at a time."""

PIECES_OF_LABELS_BUFFERED = 512
"""The most pieces in all rows together, but each row has room for two at least."""


class LabelStreams:
    """The rows of a labelled layer, each filled with the keys that windows need next."""

    def __init__(self, layer: LabelledLayer) -> None:
        self._pieces = min(PIECES_PER_FILL, max(2, PIECES_OF_LABELS_BUFFERED // len(layer.rows)))
        rows = KeyRows.empty(len(layer.rows), self._pieces * PIECE)
        self.layer, self.rows = layer, LabelRows(rows, np.empty(rows.keys.shape, layer.code.dtype))
        self._next = [0] * len(layer.rows)

    def fill(self, number: int, low: int) -> None:
        """Fill a row with its next keys and their labels; keys below `low` may be skipped."""
        row, rows = self.layer.rows[number], self.rows.rows
        begin = max(self._next[number], int(np.searchsorted(row.file.firsts, low, "right")) - 1)
        self._next[number] = end = min(row.file.pieces, begin + self._pieces)
        keys, labels = self.layer.part(row, begin, end)
        rows.put(number, keys)
        rows.has_more[number] = end < row.file.pieces
        self.rows.labels[number, : len(labels)] = labels
