"""The children of part of a layer, one row for each action, each in the order of the parents.

    layer on disk     | keys | keys | keys | keys | ...
    action 0          . . .   ^ is here: the children of these keys by action 0 wait
    action 1          . ^     is here
                      each goes its own way through the layer, as far as the windows have got

A row is filled again when its children are used up; the kernels (merge_kernels.py) say when. Sorted
keys of a file may wait beside the children, in a row after theirs.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.storage.key_file import KeyFile
from solver.rules.arrays import Keys

ROOM = 80
"""How many pieces the rows have together: more would not stay in the cache."""

SHARED = 4
"""How often keys are kept that have been read, for the actions that get to them next."""


class Disorder(Exception):
    """Some children do not come in the order of their parents."""


class ChildStreams:
    """The rows, and where each action has got to."""

    def __init__(
        self,
        played: LayerExpansion,
        begin: int,
        end: int,
        beside: KeyFile | None = None,
        reached: Callable[[float], object] = lambda part: None,
    ) -> None:
        """Begin with the pieces `begin` to `end` of a layer, and with a file if there is one.

        `reached` is told how much of the pieces, of 1, has been played from.
        """
        self.played, self._beside, self._passed, self._reached = played, beside, 0, reached
        self.actions = actions = played.actions
        rows = actions + (beside is not None)
        self.children = np.empty((rows, self._room), np.int64)
        self.parents = np.empty((actions, self._room), np.int32)
        self.at = np.zeros(rows, np.int64)
        self.counts = np.zeros(rows, np.int64)
        self.more = np.ones(rows, np.uint8)
        self.window = np.zeros(3, np.int64)
        self.moves = 0
        self._read = lru_cache(SHARED)(played.layer.read)
        self._next = np.full(actions, begin)
        self._start, self._end = begin, end
        self._begins = played.layer.begins - played.layer.begins[begin]
        self._first = int(played.layer.begins[begin])

    def fill_all(self) -> None:
        """Fill every row."""
        for action in range(self.actions):
            self.fill(action)

    def fill(self, row: int) -> None:
        """Fill a row with what comes next in it; it stays empty when there is no more."""
        if row < self.actions:
            self._fill_with_children(row)
        elif self._beside is not None:
            end = min(self._passed + self._room, self._beside.states)
            keys = self._beside.read_states(self._passed, end)
            self._passed = end
            self.at[row], self.counts[row], self.more[row] = 0, len(keys), len(keys) > 0
            self.children[row, : len(keys)] = keys

    def _fill_with_children(self, action: int) -> None:
        begin, end, children, parents = self.played.next(
            action, int(self._next[action]), self._end, self._room // PIECE, self._read
        )
        self._next[action] = end
        self._reached(float((self._next - self._start).mean()) / (self._end - self._start))
        self.at[action], self.counts[action] = 0, len(children)
        self.more[action] = len(children) > 0
        self.children[action, : len(children)] = children
        base = np.int32(2 * self._begins[begin])
        np.add(parents, base, out=self.parents[action, : len(children)])
        self.moves += len(children)

    def skip_to(self, numbers: Keys, low: int) -> None:
        """Let each action go on from the parent with the number that `numbers` says, and fill every row.

        The keys of the file go on from `low`.
        """
        begins = self.played.layer.begins
        self._next = np.minimum(np.searchsorted(begins, numbers, "right") - 1, self._end)
        for action in range(self.actions):
            self.fill(action)
            parents = self.parents[action, : self.counts[action]] >> 1
            self.at[action] = np.searchsorted(parents, numbers[action] - self._first)
            if self.more[action] and self.at[action] == self.counts[action]:
                self.fill(action)
        if self._beside is not None:
            self._passed = self._beside.place(low)
            self.fill(self.actions)

    def numbers(self) -> Keys:
        """For each action the number, in the layer, of the parent whose child waits; the end for none."""
        return np.array([self._number(action) for action in range(self.actions)], np.int64)

    @property
    def _room(self) -> int:
        """How many children may wait for each action."""
        return PIECE * max(1, min(8, ROOM // self.actions))

    def _number(self, action: int) -> int:
        if self.at[action] == self.counts[action]:
            return int(self.played.layer.begins[self._end])
        return self._first + int(self.parents[action, self.at[action]] >> 1)
