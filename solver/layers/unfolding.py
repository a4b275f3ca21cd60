"""A folded layer with all the states for which its states stand, so that children can be found among them.

folded      3 -> +1    5 -> 0
images      3 12       5 17 20          under the symmetries of the rules
unfolded    3 -> +1    5 -> 0    12 -> +1    17 -> 0    20 -> 0       sorted again, with their labels
"""

from dataclasses import replace

import numpy as np

from solver.arrays import Keys, Labels
from solver.layers.below import LabelledLayer
from solver.layers.engine import Engine
from solver.layers.keyfile import KeyFile, KeyWriter
from solver.layers.labelfile import LabelFile
from solver.layers.pieces import packed
from solver.layers.sorting import Runs, distinct_pairs, ranges


def unfolded(engine: Engine, layer: LabelledLayer) -> LabelledLayer:
    """A labelled layer with every image of its states; its files are in the work folder."""
    going, labels = _unfolded(engine, layer, 0)
    ended, _ = _unfolded(engine, layer, 1)
    return replace(layer, going=going, ended=ended, labels=labels)


def _unfolded(engine: Engine, layer: LabelledLayer, row: int) -> tuple[KeyFile, LabelFile]:
    file, name = (layer.going, layer.ended)[row], ("going", "ended")[row]
    runs = Runs(engine.work.file(layer.ply, f"{name}.unfolded"))
    pieces = max(1, engine.room // (4096 * 8))

    def part(begin: int) -> tuple[Keys, Labels]:
        keys, labels = layer.part(row, begin, min(file.pieces, begin + pieces))
        images = [keys, *engine.rules.images(keys)]
        return distinct_pairs(np.concatenate(images), np.concatenate([labels] * len(images)))

    try:
        for keys, labels in engine.each(part, range(0, file.pieces, pieces)):
            engine.need_disk(3 * len(keys))
            runs.add(keys, labels)
        return _merged(engine, layer, runs, name)
    finally:
        runs.remove()


def _merged(engine: Engine, layer: LabelledLayer, runs: Runs, name: str) -> tuple[KeyFile, LabelFile]:
    path = engine.work.file(layer.ply, f"{name}.unfolded.run")
    beside = engine.work.file(layer.ply, f"{name}.unfolded.labels.run")
    parts = engine.each(lambda bounds: runs.pairs_between(*bounds), ranges(runs.files, engine.room))
    with KeyWriter(path, durable=False) as writer, beside.open("wb") as file:
        for keys, labels in parts if runs.files else ():
            engine.need_disk(3 * len(keys))
            writer.write(packed(keys))
            labels.tofile(file)
    return KeyFile(path), LabelFile(beside, layer.form.dtype)
