"""The states for which those of a folded layer stand, so that children can be found among them.

folded     3 -> +1    4 -> -1    5 -> 0
standing   3                     5               where it is known which of them stand for children; else all
images     12                    17 20           under the symmetries of the rules, each other than the state
rows       12 -> +1    17 -> 0    20 -> 0        sorted, as many at a time as fit the memory
"""

from dataclasses import replace

import numpy as np

from solver.arrays import Keys, Labels
from solver.layers.below import LabelledLayer, Row
from solver.layers.engine import Engine
from solver.layers.keyfile import KeyFile
from solver.layers.pieces import PIECE
from solver.layers.sorting import Runs, distinct_pairs


def unfolded(engine: Engine, layer: LabelledLayer, runs: Runs) -> LabelledLayer:
    """A labelled layer with the images of its states in more rows, which are `runs`."""
    size = max(1, engine.room // PIECE // max(1, engine.symmetries))
    parts = [(row, begin, begin + size) for row in layer.rows for begin in range(0, row.file.pieces, size)]
    standing = engine.work.standing(layer.ply)
    for keys, labels in engine.each(lambda part: _images(layer, standing, *part), parts):
        engine.need_disk(3 * len(keys))
        if len(keys):
            runs.add(keys, labels)
    rows = (Row(file, labels) for file, labels in zip(runs.files, runs.labels, strict=True))
    return replace(layer, rows=(*layer.rows, *rows))


def _images(
    layer: LabelledLayer, standing: KeyFile | None, row: Row, begin: int, end: int
) -> tuple[Keys, Labels]:
    """The images of some states of a row that are others, in ascending order, and their labels."""
    keys, labels = layer.part(row, begin, min(row.file.pieces, end))
    if standing is not None:
        some = standing.between(int(keys[0]), int(keys[-1]) + 1)
        at = keys.searchsorted(some)
        at = at[keys[at] == some]
        keys, labels = keys[at], labels[at]
    found = [(image[other := image != keys], labels[other]) for image in layer.rules.images(keys)]
    images, same = zip(*found, strict=True) if found else ([keys[:0]], [labels[:0]])
    return distinct_pairs(np.concatenate(images), np.concatenate(same))
