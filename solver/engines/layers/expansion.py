"""The children of a layer, some pieces of it at a time, action by action.

In long stretches of a layer an action may be legal nowhere: a full column stays full for millions of states.
Such a stretch is walked through once and skipped from then on:

    pieces             0    1    2    3    4    5
    children           4    0    0    0    0    7
    next worth while   0    5    5    5    5    5
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.engines.layers.context import SolveContext
from solver.engines.layers.storage.key_file import KeyFile
from solver.rules.arrays import Keys


class LayerExpansion:
    """A layer in all states of which play goes on, and what its actions lead to; for all threads."""

    def __init__(self, engine: SolveContext, layer: KeyFile) -> None:
        """Begin without knowing where actions are legal."""
        self.engine, self.layer = engine, layer
        self.actions = engine.rules.action_count
        self._next = np.tile(np.arange(layer.pieces + 1), (self.actions, 1))

    def next(
        self, action: int, begin: int, end: int, pieces: int, read: Callable[[int, int], Keys] | None = None
    ) -> tuple[int, int, Keys, NDArray[np.int32]]:
        """The first children by an action of parents from the piece `begin` on, before `end`.

        The pieces that they come from, up to the next multiple of `pieces`: the first and the one behind the
        last; then the children and what `Rules.children` says of their parents. Where there are none, these
        come from `end`. The parents are what `read` says, else they are read from the layer.
        """
        jumps = self._next[action]
        start = begin
        while begin < end:
            self.engine.go_on()
            if jumps[begin] > begin:
                begin = int(jumps[begin])
                continue
            stop = min(end, (begin // pieces + 1) * pieces)
            children, parents = self.engine.rules.children((read or self.layer.read)(begin, stop), action)
            if len(children):
                jumps[start:begin] = begin
                return begin, stop, children, parents
            begin = stop
        jumps[start:end] = np.maximum(jumps[start:end], end)
        return end, end, np.empty(0, np.int64), np.empty(0, np.int32)

    def number(self, action: int, bound: int) -> int:
        """The number of the first parent that leads to `bound` or beyond, if children are in order."""
        begin, end = 0, self.layer.pieces
        while begin < end:
            middle = (begin + end) // 2
            at, _, children, _ = self.next(action, middle, end, 1)
            if len(children) == 0 or children[-1] >= bound:
                end = middle
            else:
                begin = at + 1
        while begin < self.layer.pieces:
            at, behind, children, parents = self.next(action, begin, self.layer.pieces, 1)
            if len(children) and children[-1] >= bound:
                return int(self.layer.begins[at] + (parents[np.searchsorted(children, bound)] >> 1))
            begin = behind
        return self.layer.states
