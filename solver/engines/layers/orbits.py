"""Symmetry reduction: canonical forms on the way forward, images under the symmetries on the way back.

Forward, `standing` collects the canonical forms of all non-canonical children of a layer, sorted and without
duplicates:

    children of the layer     12   20   25   31      in order, through windows
    canonical                 12   20   17   31
    standing                            17           few, so these are sorted before, in a file of their own
    the next layer            12   17   20   31      the children without 25, and what stands beside them

Backward, `unfolded` adds the images of these states alone, with their labels, so that every child is found,
canonical or not; no other image of a state is the child of a canonical one:

    folded     3 -> +1    4 -> -1    5 -> 0
    standing   3                     5            where it is known which of them stand for children; else all
    images     12                    17 20        under the symmetries of the rules, each other than the state
    rows       12 -> +1    17 -> 0    20 -> 0     sorted, as many at a time as fit the memory
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from solver.database.packed.gap_codec import PIECE, joined, packed
from solver.engines.array_rules.rules import Rules, representatives
from solver.engines.layers.context import SolveContext
from solver.engines.layers.external_sort import SortedRuns, distinct, distinct_pairs
from solver.engines.layers.storage.key_file import KeyFile, KeyWriter
from solver.engines.layers.storage.labelled_layer import LabelledLayer, LabelledRun
from solver.engines.layers.strategy import from_runs, windows_pay
from solver.engines.layers.windows.label_streams import LabelStreams
from solver.rules.arrays import Keys, Labels


def standing(engine: SolveContext, layer: KeyFile, ply: int) -> KeyFile:
    """The states of `ply` that stand for others among the children of a layer; in a file of the work folder.

    Raises `BrokenRules` where the rules say that a state stands for one that it is not symmetric to.
    """
    size = max(1, engine.room // (PIECE * engine.rules.action_count))

    def part(begin: int) -> Keys:
        engine.go_on()
        parents = layer.read(begin, min(layer.pieces, begin + size))
        played = (engine.rules.children(parents, action)[0] for action in range(engine.rules.action_count))
        return distinct(np.concatenate([_others(engine.rules, keys) for keys in played]))

    path = engine.work.file(ply, "standing")
    parts = engine.each_part("folding states", part, layer, size, ply)
    with KeyWriter(path) as writer:
        for pieces in from_runs(engine, path, parts, lambda keys: joined([packed(part) for part in keys])):
            writer.write(pieces)
            engine.progress("sorting folded states", writer.states, None, ply)
    return KeyFile(path)


def _others(rules: Rules, keys: Keys) -> Keys:
    """The canonical states of those keys that are not canonical, in their order."""
    canonical = representatives(rules, keys)
    return canonical.take(np.flatnonzero(canonical != keys))


def unfolded(
    engine: SolveContext, layer: LabelledLayer, runs: SortedRuns, reached: Callable[[float], object]
) -> LabelledLayer:
    """A labelled layer with the images of its states in more rows, which are `runs`.

    `reached` is told what part of the work is done.
    """
    size = max(1, engine.room // PIECE // max(1, engine.symmetries))
    parts = list(_parts(engine, layer, size))
    images = engine.each(lambda part: _images(layer.rules, *part()), parts)
    for nth, (keys, labels) in enumerate(images, start=1):
        reached(nth / len(parts))
        engine.need_disk(3 * len(keys))
        if len(keys):
            runs.add(keys, labels)
    reached(1)
    rows = (LabelledRun(file, labels) for file, labels in zip(runs.files, runs.labels, strict=True))
    return replace(layer, rows=(*layer.rows, *rows))


def _parts(
    engine: SolveContext, layer: LabelledLayer, size: int
) -> Iterator[Callable[[], tuple[Keys, Labels]]]:
    """What reads the states that are to be unfolded, and their labels, `size` pieces at a time."""
    standing = engine.work.standing(layer.ply)
    if standing is not None and windows_pay([row.file for row in layer.rows]):
        for begin in range(0, standing.pieces, size):
            yield partial(_standing, layer, standing, begin, min(standing.pieces, begin + size))
    else:
        for row in layer.rows:
            for begin in range(0, row.file.pieces, size):
                yield partial(layer.part, row, begin, min(row.file.pieces, begin + size))


def _standing(layer: LabelledLayer, standing: KeyFile, begin: int, end: int) -> tuple[Keys, Labels]:
    from solver.engines.layers.windows.merge import labels_of

    keys = standing.read(begin, end)
    return keys, labels_of(keys, LabelStreams(layer))


def _images(rules: Rules, keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """The images of states that are others, in ascending order, and their labels."""
    found = [(image[other := image != keys], labels[other]) for image in rules.images(keys)]
    images, same = zip(*found, strict=True) if found else ([keys[:0]], [labels[:0]])
    return distinct_pairs(np.concatenate(images), np.concatenate(same))
