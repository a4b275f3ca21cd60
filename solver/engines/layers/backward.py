"""The backward pass: backward induction from the last layer to the first, and the blocks of the database.

0007.open.*   --+                              +-->  0007.labels.*, for ply 6
                +--> best labels of children   +-->  0007.blocks.*, for the database
0008.*.*      --+                              +-->  0007.solved, the counts
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import methodcaller

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE
from solver.database.packed.label_code import LabelCode
from solver.engines.layers.matching import best_labels
from solver.engines.layers.opened import Layers
from solver.engines.layers.orbits import add_images
from solver.engines.storage.blocks import encoding_tasks
from solver.engines.storage.labelled_layer import write_labels
from solver.engines.storage.records import FoundLayer, LayerLabels, SolvedLayer
from solver.engines.storage.steps import Answer, even_ranges
from solver.errors import BrokenRules
from solver.system.executors import OnProgress

SHARES = 2
"""The units of progress of a state: one for labelling it, one for encoding it."""


@dataclass(frozen=True)
class LabelStates:
    """Label the open states in the pieces [begin, end) of a layer by the labels of the next one."""

    code: LabelCode
    ply: int
    nth: int
    begin: int
    end: int
    images: int
    """The number of runs of symmetric images of the next layer."""

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Write the labels; return the number of moves. Raises `BrokenRules` for a state without moves."""
        expansion = layers.expansion(self.ply)
        layer = expansion.layer
        below = layers.labelled(self.code, self.ply + 1, self.images)
        states = int(layer.begins[self.end] - layer.begins[self.begin])
        report = _rising(states, on_progress)
        best, moves = best_labels(expansion, self.begin, self.end, below, report)
        report(1)
        if best.min() == np.iinfo(best.dtype).min:  # without an array of flags, which would be as large
            stuck = int(layer.begins[self.begin]) + int(best.argmin())
            state = layer.read_states(stuck, stuck + 1)[0]
            raise BrokenRules(f"the rules give no action in the state {state}, which is not terminal")
        write_labels(layers.context, self.ply, "labels", self.nth, best)
        return {"states": states, "moves": moves}


def label_layers(opened: Layers, code: LabelCode, layers: Sequence[FoundLayer]) -> None:
    """Write the labels and the blocks of all layers to the work folder, from the last layer to the first."""
    work, before, total = opened.context.work, 0, sum(layer.states for layer in layers)
    for ply in reversed(range(len(layers))):
        if SolvedLayer.read(work, ply) is None:
            on_progress = opened.context.counted("labelling", total, ply, before, shares=SHARES)
            _solve_layer(opened, code, ply, on_progress).write(work, ply)
        before += layers[ply].states
        work.drop(ply + 1, "open", "terminal", "representatives", "labels")


def _solve_layer(opened: Layers, code: LabelCode, ply: int, on_progress: OnProgress) -> SolvedLayer:
    context = opened.context
    labels = LayerLabels.read(context.work, ply)
    labels = labels or _label_layer(opened, code, ply, on_progress).write(context.work, ply)
    tasks = encoding_tasks(opened, methodcaller("labelled", code, ply, 0), SHARES)
    counts = Counter[tuple[int, ...]]()
    for answer in opened.run(f"{ply:04}.encoding", tasks, on_progress):
        counts.update({tuple(kind): count for *kind, count in answer["counts"]})
    kinds_counted = [[*kind, count] for kind, count in sorted(counts.items())]
    return SolvedLayer(labels.moves, kinds_counted, len(tasks))


def _label_layer(opened: Layers, code: LabelCode, ply: int, on_progress: OnProgress) -> LayerLabels:
    context, layer = opened.context, opened.states(ply, 0)
    if not layer.states:
        return LayerLabels(moves=0, shards=0)
    images = add_images(opened, code, ply + 1) if context.fold else 0
    limit = max(PIECE, context.job.memory // (2 * context.job.threads * code.dtype.itemsize))
    parts = even_ranges(layer.pieces, limit // PIECE, context.job.label_shards)
    tasks = [LabelStates(code, ply, nth, *part, images) for nth, part in enumerate(parts)]
    answers = opened.run(f"{ply:04}.labelling", tasks, on_progress)
    context.work.drop(ply + 1, "images.run", "image-labels.run")
    return LayerLabels(sum(answer["moves"] for answer in answers), len(tasks))


def _rising(states: int, on_progress: OnProgress) -> Callable[[float], None]:
    """A function to call with the fraction, in [0, 1], of states that are done; a decrease is ignored."""
    reported = 0

    def report(fraction: float) -> None:
        nonlocal reported
        if (done := round(fraction * states)) > reported:
            on_progress(done - reported)
            reported = done

    return report
