"""Streams the children of part of a layer, a row for each action, each in the order of the parents.

    layer on disk     | keys | keys | keys | keys | ...
    action 0          . . .   ^ its position: the children of these keys by action 0 are in its row
    action 1          . ^     its position
                      each reads the layer at its own pace, as far as the windows have come

A row is filled again when its children are used up; the kernels (merge_kernels.py) say when. The sorted
keys of a file may be merged with the children, in a row after theirs.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.engines.array_rules.rules import SLACK
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.windows.rows import ChildRows, KeyRows
from solver.engines.storage.key_file import KeyFile
from solver.rules.arrays import Keys

PIECES_BUFFERED = 80
"""Pieces that all rows hold together: more would not stay in the cache."""

READS_CACHED = 4
"""Reads of the layer whose keys are kept, for the actions that come to them next."""


class Unsorted(Exception):
    """Raised if the children by some action do not ascend as their parents do."""


class ChildStreams:
    """The rows, and the position of each action in the layer."""

    def __init__(
        self,
        expansion: LayerExpansion,
        begin: int,
        end: int,
        beside: KeyFile | None = None,
        report: Callable[[float], object] = lambda fraction: None,
    ) -> None:
        """Start at the pieces [begin, end) of a layer, and at the first key of the file `beside`, if any.

        `report` is called with the fraction of the pieces, in [0, 1], that has been expanded.
        """
        self.expansion, self._beside, self._passed, self._report = expansion, beside, 0, report
        self.actions = actions = expansion.actions
        self.rows = KeyRows.empty(actions + (beside is not None), self._room + SLACK)
        self.parents = np.empty((actions, self._room + SLACK), np.int32)
        self.window_state = np.zeros(3, np.int64)
        self.moves = 0
        self._read = lru_cache(READS_CACHED)(expansion.layer.read)
        self._next = np.full(actions, begin)
        self._start, self._end = begin, end
        self._firsts = np.zeros(actions, np.int64)
        self._first = int(expansion.layer.begins[begin])

    @property
    def children(self) -> ChildRows:
        """The rows of children, with the codes of their parents."""
        return ChildRows(self.rows, self.parents, self._firsts)

    def fill_all(self) -> None:
        """Fill the row of every action."""
        for action in range(self.actions):
            self.fill(action)

    def fill(self, row: int) -> None:
        """Fill a row with its next keys; it stays empty if there are no more."""
        if row < self.actions:
            self._fill_with_children(row)
        elif self._beside is not None:
            end = min(self._passed + self._room, self._beside.states)
            keys = self._beside.read_states(self._passed, end)
            self.rows.keys[row, : len(keys)] = keys
            self._begin_row(row, len(keys))
            self._passed = end

    def _fill_with_children(self, action: int) -> None:
        row = self.rows.keys[action], self.parents[action]
        begin, end, children, _ = self.expansion.next_children(
            action, int(self._next[action]), self._end, self._room // PIECE, read=self._read, into=row
        )
        self._next[action] = end
        self._report(float((self._next - self._start).mean()) / (self._end - self._start))
        self._begin_row(action, len(children))
        self._firsts[action] = self.expansion.layer.begins[begin] - self._first
        self.moves += len(children)

    def _begin_row(self, row: int, keys: int) -> None:
        rows = self.rows
        rows.cursor[row], rows.filled[row], rows.has_more[row] = 0, keys, keys > 0

    def skip_to(self, ranks: Keys, low: int) -> None:
        """Continue each action at the parent with its rank in `ranks`, and the file at `low`; fill every row.

        `ranks` are ranks in the layer: int64, (actions,).
        """
        begins, rows = self.expansion.layer.begins, self.rows
        self._next = np.minimum(np.searchsorted(begins, ranks, "right") - 1, self._end)
        for action in range(self.actions):
            self.fill(action)
            parents = self.parents[action, : rows.filled[action]] >> 1
            first = self._first + self._firsts[action]
            rows.cursor[action] = np.searchsorted(parents, ranks[action] - first)
            if rows.has_more[action] and rows.cursor[action] == rows.filled[action]:
                self.fill(action)
        if self._beside is not None:
            self._passed = self._beside.place(low)
            self.fill(self.actions)

    def parent_ranks(self) -> Keys:
        """For each action, the rank in the layer of the parent of its next unread child.

        If the action has no more children, it is the rank behind the last parent.
        """
        return np.array([self._parent_rank(action) for action in range(self.actions)], np.int64)

    @property
    def _room(self) -> int:
        """The number of children that a row has room for."""
        return PIECE * max(1, min(8, PIECES_BUFFERED // self.actions))

    def _parent_rank(self, action: int) -> int:
        cursor = self.rows.cursor[action]
        if cursor == self.rows.filled[action]:
            return int(self.expansion.layer.begins[self._end])
        return self._first + int(self._firsts[action] + (self.parents[action, cursor] >> 1))
