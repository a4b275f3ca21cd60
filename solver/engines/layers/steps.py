"""The layers in a work folder, as a process opens them to do tasks of a solve."""

from functools import lru_cache
from typing import TypeAlias

from solver.database.packed.label_code import LabelCode
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.storage import steps
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun, StageFiles
from solver.engines.storage.records import FoldedLayer, FoundLayer, LayerLabels

FILES = StageFiles("open", "terminal", "labels", FoundLayer, LayerLabels)
"""The files of the layers."""


class Layers(steps.OpenedSolve):
    """The layers in a work folder, each opened once for all tasks of a step."""

    def __init__(self, context: SolveContext) -> None:
        super().__init__(context)
        context.keep_freed()
        self.expansion = lru_cache(1)(lambda ply: LayerExpansion(context, self.open_states(ply)))
        """The expansion of the open states at a ply."""
        self.representatives = lru_cache(1)(self._representatives)
        self.labelled = lru_cache(2)(self._labelled)
        self.all_states = lru_cache(1)(
            lambda plies: [self.states(ply, kind) for ply in range(plies) for kind in (0, 1)]
        )
        """The open and the terminal states of the first layers, given their number."""

    def open_states(self, ply: int) -> KeyFile:
        """The open states of a layer that is found; raises `DamagedWork`."""
        return self.states(ply, 0)

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
        work, labels = self.context.work, FILES.labels_of(self.context, ply, code)
        rows = [LabelledRun(self.open_states(ply), labels), LabelledRun(self.states(ply, 1), None)]
        for keys, of_keys in zip(
            work.shards(ply, "images.run", images), work.shards(ply, "image-labels.run", images), strict=True
        ):
            rows.append(LabelledRun(KeyFile(keys), LabelFile(code.dtype, of_keys)))
        return LabelledLayer(self.context.rules, code, ply, tuple(rows))


Steps: TypeAlias = steps.Steps[Layers]
"""Does the steps of a solve by layers."""
