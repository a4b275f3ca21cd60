"""The layers in a work folder, as a process opens them to do tasks of a solve, and their expansion.

The expansion of a layer is the children of its states, some pieces at a time, action by action.
An action may be legal nowhere in long stretches of a layer: a full column stays full for millions of states.
Such a stretch is read once and then skipped:

    pieces                  0    1    2    3    4    5
    children                4    0    0    0    0    7
    next piece with any     0    5    5    5    5    5
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Children
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun, StageFiles
from solver.engines.storage.records import FoldedLayer, FoundLayer, LayerLabels
from solver.engines.storage.steps import OpenedSolve
from solver.rules.arrays import Keys


class LayerExpansion:
    """The open states of a layer and their children by each action; shared by all threads."""

    def __init__(self, context: SolveContext, layer: KeyFile) -> None:
        self.context, self.layer = context, layer
        self.actions = context.rules.action_count
        self._next_piece = np.tile(np.arange(layer.pieces + 1), (self.actions, 1))

    def next_children(
        self,
        action: int,
        begin: int,
        end: int,
        pieces: int,
        *,
        read: Callable[[int, int], Keys] | None = None,
        into: Children | None = None,
    ) -> tuple[int, int, Keys, NDArray[np.int32]]:
        """The children by `action` of the next group of pieces in [begin, end) that has any.

        Returns (first piece, end piece, children, codes of their parents as by `Rules.children`); groups end
        at multiples of `pieces`. If no piece is left, both pieces are `end` and the arrays are empty.
        `read(begin, end)` returns the parents; by default they are read from the layer. If `into` is given,
        arrays with room for the children of `pieces` pieces, the children are written there.
        """
        rules, next_piece = self.context.rules, self._next_piece[action]
        start = begin
        while begin < end:
            self.context.check_cancelled()
            if next_piece[begin] > begin:
                begin = int(next_piece[begin])
                continue
            stop = min(end, (begin // pieces + 1) * pieces)
            children, parents = rules.children((read or self.layer.read)(begin, stop), action, into)
            if len(children):
                next_piece[start:begin] = begin
                return begin, stop, children, parents
            begin = stop
        next_piece[start:end] = np.maximum(next_piece[start:end], end)
        return end, end, np.empty(0, np.int64), np.empty(0, np.int32)

    def parent_ranks(self, action: int, keys: Keys) -> list[int]:
        """The rank in the layer, for each key, of the first parent whose child by `action` is not below it.

        The search narrows to a range of pieces by the first states of pieces, which the index of the layer
        has, and then bisects it. This assumes that children ascend as their parents do.
        """
        children, parents = self.context.rules.children(self.layer.firsts, action)
        pieces = np.concatenate([[0], parents >> 1, [self.layer.pieces]])
        after = np.searchsorted(children, keys) + 1
        between = zip(pieces[after - 1].tolist(), pieces[after].tolist(), strict=True)
        return [
            self._parent_rank(action, key, *part) for key, part in zip(keys.tolist(), between, strict=True)
        ]

    def _parent_rank(self, action: int, key: int, begin: int, end: int) -> int:
        """The rank of the first parent whose child is not below `key`; no piece before `begin` has it."""
        while begin < end:
            middle = (begin + end) // 2
            at, _, children, _ = self.next_children(action, middle, end, 1)
            if len(children) == 0 or children[-1] >= key:
                end = middle
            else:
                begin = at + 1
        while begin < self.layer.pieces:
            at, behind, children, parents = self.next_children(action, begin, self.layer.pieces, 1)
            if len(children) and children[-1] >= key:
                return int(self.layer.begins[at] + (parents[np.searchsorted(children, key)] >> 1))
            begin = behind
        return self.layer.states


FILES = StageFiles("open", "terminal", "labels", FoundLayer, LayerLabels)


class Layers(OpenedSolve):
    """The layers in a work folder, each opened once for all tasks of a step."""

    def __init__(self, context: SolveContext) -> None:
        super().__init__(context)
        self.expansion = lru_cache(1)(lambda ply: LayerExpansion(context, self.states(ply, 0)))
        """The expansion of the open states at a ply."""
        self.representatives = lru_cache(1)(self._representatives)
        self.labelled = lru_cache(2)(self._labelled)
        self.all_states = lru_cache(1)(
            lambda plies: [self.states(ply, kind) for ply in range(plies) for kind in (0, 1)]
        )
        """The open and the terminal states of the first layers, given their number."""

    def states(self, ply: int, is_terminal: int) -> KeyFile:
        """The open, or the terminal, states of a layer that is found; raises `DamagedWork`."""
        return FILES.states(self.context, ply, is_terminal)

    def _representatives(self, ply: int) -> KeyFile | None:
        """The canonical forms, at a ply, of non-canonical children; None if they were not collected."""
        work = self.context.work
        folded = FoldedLayer.read(work, ply)
        return None if folded is None else KeyFile(*work.shards(ply, "representatives", folded.shards))

    def _labelled(self, code: LabelCode, ply: int, images: int) -> LabelledLayer:
        """A labelled layer, with this number of runs of symmetric images."""
        work, rows = self.context.work, [*FILES.rows(self.context, ply, code)]
        for nth in range(images):
            labels = LabelFile(code.dtype, work.shard(ply, "image-labels.run", nth))
            rows.append(LabelledRun(KeyFile(work.shard(ply, "images.run", nth)), labels))
        return LabelledLayer(self.context.rules, code, ply, tuple(rows))
