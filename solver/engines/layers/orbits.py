"""Symmetry reduction: canonical forms in the forward pass, orbit images in the backward pass.

Forward, `collect_representatives` collects the canonical forms of all non-canonical children of a layer,
sorted and without duplicates:

    children of the layer     12   20   25   31      in order, through windows
    canonical                 12   20   17   31
    representatives                     17           few, so these are sorted first, into a separate file
    the next layer            12   17   20   31      the children without 25, merged with the representatives

Backward, `AddImages` adds the symmetric images of exactly these states, with their labels, so that every
child is found, canonical or not; no other image is the child of a canonical state:

    folded             3 -> +1    4 -> -1    5 -> 0
    representatives    3                     5            if the forward pass collected them; otherwise all
    images             12                    17 20        under the symmetries, unless equal to the state
    added rows         12 -> +1   17 -> 0    20 -> 0      sorted, in runs that fit into memory
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE
from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.layers.matching import large_enough_for_windows, sort_children, write_run
from solver.engines.layers.opened import Layers
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import write_labels
from solver.engines.storage.merging import key_files, merge_runs
from solver.engines.storage.records import FoldedLayer
from solver.engines.storage.steps import Answer, even_ranges
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, Labels, distinct_pairs
from solver.rules.asking import symmetries_of
from solver.system.executors import OnProgress


def collect_representatives(opened: Layers, layer: KeyFile, ply: int) -> None:
    """Write the canonical forms, at `ply`, of all non-canonical children of `layer` to the work folder.

    Raises `BrokenRules` if the canonical form of a state is not symmetric to it.
    """
    context = opened.context
    if FoldedLayer.read(context.work, ply) is not None:
        return
    on_progress = context.counted("folding states", layer.states, ply)
    before = FoldedLayer.read(context.work, ply - 1)
    per_parent = max(1, before.collected) / before.parents if before else inf
    runs = sort_children(opened, ply, "representatives.run", on_progress, per_parent=per_parent)
    collected = sum(file.states for file in key_files(context, runs))
    on_progress = context.counted("sorting folded states", collected, ply)
    shards, states = merge_runs(opened, ply, {"representatives": runs}, on_progress)
    on_progress(collected - states)  # keys in several runs
    FoldedLayer(shards, collected, parents=layer.states).write(context.work, ply)
    context.work.drop(ply, "representatives.run")


@dataclass(frozen=True)
class AddImages:
    """Sort the symmetric images of some states of a labelled layer, with their labels."""

    code: LabelCode
    ply: int
    nth: int
    row: int
    """The row of the layer that has the states; -1 for the collected representatives."""
    begin: int
    end: int

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Write the images as a sorted run, and their labels."""
        context = layers.context
        context.check_cancelled()
        keys, labels = self._states(layers)
        images, of_images = _images(context.rules, keys, labels)
        write_run(context, self.ply, "images.run", self.nth, images)
        write_labels(context, self.ply, "image-labels.run", self.nth, of_images)
        on_progress(len(keys))
        return {"states": len(keys)}

    def _states(self, layers: Layers) -> tuple[Keys, Labels]:
        layer = layers.labelled(self.code, self.ply, 0)
        if self.row >= 0:
            return layer.part(layer.rows[self.row], self.begin, self.end)
        representatives = layers.representatives(self.ply)
        assert representatives is not None
        keys = representatives.read(self.begin, self.end)
        return keys, layer.labels_of(keys)


def add_images(opened: Layers, code: LabelCode, ply: int) -> int:
    """Write the images of the states of a labelled layer as sorted runs; return the number of runs."""
    context, layer = opened.context, opened.labelled(code, ply, 0)
    room = max(1, context.keys_per_sort // PIECE // max(1, len(symmetries_of(context.rules.game))))
    representatives = opened.representatives(ply)
    if representatives is not None and large_enough_for_windows([row.file for row in layer.rows]):
        files = {-1: representatives}
    else:
        files = {nth: row.file for nth, row in enumerate(layer.rows)}
    parts = [
        (row, begin, end)
        for row, file in files.items()
        for begin, end in even_ranges(file.pieces, room, context.job.label_shards)
    ]
    states = sum(file.states for file in files.values())
    tasks = [AddImages(code, ply, nth, *part) for nth, part in enumerate(parts)]
    opened.run(f"{ply:04}.images", tasks, context.counted("adding symmetric states", states, ply))
    return len(tasks)


def _images(rules: Rules, keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """The images that differ from their states, in ascending order, and their labels."""
    changed = [(image[is_moved := image != keys], labels[is_moved]) for image in rules.images(keys)]
    images, same = zip(*changed, strict=True) if changed else ([keys[:0]], [labels[:0]])
    keys, labels = distinct_pairs(np.concatenate(images), np.concatenate(same))
    if (twice := np.flatnonzero(keys[1:] == keys[:-1])).size:
        state = keys[twice[0]]
        raise BrokenRules(
            f"a symmetry of the rules is not a symmetry: {state} is the image of states of other values"
        )
    return keys, labels
