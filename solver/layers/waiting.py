"""The children of part of a layer, one row for each action, each in the order of the parents.

    layer on disk     | keys | keys | keys | keys | ...
    action 0          . . .   ^ is here: the children of these keys by action 0 wait
    action 1          . ^     is here
                      each goes its own way through the layer, as far as the windows have got

A row is filled again when its children are used up; the kernels (solver/layers/kernels.py) say when.
"""

import numpy as np

from solver.arrays import Keys
from solver.layers.keyfile import KeyFile
from solver.layers.rules import Rules

ROOM = 40
"""How many pieces the rows have together, so that they stay in the cache."""


class Disorder(Exception):
    """Some children do not come in the order of their parents."""


class Waiting:
    """The rows, and where each action has got to."""

    def __init__(self, rules: Rules, layer: KeyFile, begin: int, end: int) -> None:
        """Begin with the pieces `begin` to `end` of a layer, in which play goes on in all states."""
        self.rules, self.layer = rules, layer
        self.group = max(1, min(8, ROOM // rules.action_count))
        room = (rules.action_count, self.group * 4096)
        self.children = np.empty(room, np.int64)
        self.parents = np.empty(room, np.int32)
        self.at = np.zeros(rules.action_count, np.int64)
        self.counts = np.zeros(rules.action_count, np.int64)
        self.more = np.ones(rules.action_count, np.uint8)
        self.window = np.zeros(2, np.int64)
        self.moves = 0
        self._first = int(layer.begins[begin])
        self._next = np.full(rules.action_count, begin)
        self._bases = np.zeros(rules.action_count, np.int64)
        self._end = end

    def fill_all(self) -> None:
        """Fill every row."""
        for action in range(self.rules.action_count):
            self.fill(action)

    def fill(self, action: int) -> None:
        """Fill the row of an action with its next children; it stays empty when there are no more."""
        self.at[action] = self.counts[action] = 0
        while self.more[action] and not self.counts[action]:
            begin = int(self._next[action])
            if begin >= self._end:
                self.more[action] = 0
                break
            self._next[action] = end = min(self._end, begin + self.group)
            children, parents = self.rules.children(self.layer.read(begin, end), action)
            count = len(children)
            self._bases[action] = int(self.layer.begins[begin]) - self._first
            self.children[action, :count] = children
            np.add(parents, 2 * self._bases[action], out=self.parents[action, :count], casting="unsafe")
            self.counts[action] = count
            self.moves += count

    def skip_to(self, begins: Keys) -> None:
        """Let each action go on from the parent with the number that `begins` says, and fill every row."""
        pieces = np.searchsorted(self.layer.begins, begins, "right") - 1
        self._next = np.minimum(pieces, self._end)
        for action in range(self.rules.action_count):
            self.fill(action)
            while self.more[action] and self._number(action) < begins[action]:
                self._advance(action, int(begins[action]))

    def places(self) -> Keys:
        """For each action the number, in the layer, of the parent whose child waits; the end for none."""
        return np.array([self._number(action) for action in range(self.rules.action_count)], np.int64)

    def _number(self, action: int) -> int:
        if self.at[action] == self.counts[action]:
            return int(self.layer.begins[self._end])
        return self._first + int(self.parents[action, self.at[action]] >> 1)

    def _advance(self, action: int, begin: int) -> None:
        """Skip the children of parents before the one numbered `begin`."""
        parents = self.parents[action, : self.counts[action]] >> 1
        self.at[action] = np.searchsorted(parents, begin - self._first)
        if self.at[action] == self.counts[action]:
            self.fill(action)
