"""Symmetry reduction: canonical forms in the forward pass, orbit images in the backward pass.

Forward, `sorted_representatives` collects the canonical forms of all non-canonical children of a layer,
sorted and without duplicates:

    children of the layer     12   20   25   31      in order, through windows
    canonical                 12   20   17   31
    representatives                     17           few, so these are sorted first, into a file of their own
    the next layer            12   17   20   31      the children without 25, merged with the representatives

Backward, `with_orbit_images` adds the symmetric images of exactly these states, with their labels, so that
every child is found, canonical or not; no other image is the child of a canonical state:

    folded             3 -> +1    4 -> -1    5 -> 0
    representatives    3                     5            if the forward pass has found them; otherwise all
    images             12                    17 20        under the symmetries, unless equal to the state
    added rows         12 -> +1   17 -> 0    20 -> 0      sorted, in runs that fit into memory
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from solver.database.packed.gap_codec import PIECE, joined, packed
from solver.engines.array_rules.rules import Rules, representatives
from solver.engines.context import SolveContext
from solver.engines.layers.external_sort import SortedRuns
from solver.engines.layers.strategy import large_enough_for_windows, map_sorted_ranges
from solver.engines.layers.windows.label_streams import LabelStreams
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelledLayer, LabelledRun
from solver.rules.arrays import Keys, Labels, distinct, distinct_pairs


def sorted_representatives(context: SolveContext, layer: KeyFile, ply: int) -> KeyFile:
    """Write the canonical forms, at `ply`, of all non-canonical children of `layer` to the work folder.

    Raises `BrokenRules` if the canonical form of a state is not symmetric to it.
    """
    rules = context.rules
    size = max(1, context.keys_per_sort // (PIECE * rules.action_count))

    def part(begin: int) -> Keys:
        context.check_cancelled()
        parents = layer.read(begin, min(layer.pieces, begin + size))
        children = (rules.children(parents, action)[0] for action in range(rules.action_count))
        return distinct(np.concatenate([_representatives_of_others(rules, keys) for keys in children]))

    path = context.work.file(ply, "standing")
    parts = context.map_pieces("folding states", part, layer, size, ply)
    with KeyWriter(path) as writer:
        for pieces in map_sorted_ranges(
            context,
            path,
            parts,
            lambda keys: joined([packed(part) for part in keys]),
            lambda done, total: context.progress("sorting folded states", done, total, ply),
        ):
            writer.write(pieces)
    return KeyFile(path)


def _representatives_of_others(rules: Rules, keys: Keys) -> Keys:
    """The canonical forms of those keys that are not canonical, in the order of the keys."""
    canonical = representatives(rules, keys)
    return canonical.take(np.flatnonzero(canonical != keys))


def with_orbit_images(
    context: SolveContext, layer: LabelledLayer, runs: SortedRuns, report: Callable[[float], object]
) -> LabelledLayer:
    """Return a labelled layer with further rows: the images of its states, written to `runs`.

    `report` is called with the fraction of the work that is done.
    """
    size = max(1, context.keys_per_sort // PIECE // max(1, context.symmetries))
    parts = list(_parts(context, layer, size))
    images = context.map_ordered(lambda part: _images(layer.rules, *part()), parts)
    for nth, (keys, labels) in enumerate(images, start=1):
        report(nth / len(parts))
        context.need_disk(3 * len(keys))
        if len(keys):
            runs.add(keys, labels)
    report(1)
    rows = (LabelledRun(file, labels) for file, labels in zip(runs.files, runs.labels, strict=True))
    return replace(layer, rows=(*layer.rows, *rows))


def _parts(
    context: SolveContext, layer: LabelledLayer, size: int
) -> Iterator[Callable[[], tuple[Keys, Labels]]]:
    """Yield functions that read the states whose images are added, with their labels, `size` pieces each."""
    found = context.work.representatives(layer.ply)
    if found is not None and large_enough_for_windows([row.file for row in layer.rows]):
        for begin in range(0, found.pieces, size):
            yield partial(_labelled, layer, found, begin, min(found.pieces, begin + size))
    else:
        for row in layer.rows:
            for begin in range(0, row.file.pieces, size):
                yield partial(layer.part, row, begin, min(row.file.pieces, begin + size))


def _labelled(layer: LabelledLayer, states: KeyFile, begin: int, end: int) -> tuple[Keys, Labels]:
    """Return the states in the pieces [begin, end) of a file, and their labels, which are in `layer`."""
    from solver.engines.layers.windows.merge import labels_of

    keys = states.read(begin, end)
    return keys, labels_of(keys, LabelStreams(layer))


def _images(rules: Rules, keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """Return the images that differ from their states, in ascending order, and their labels."""
    found = [(image[other := image != keys], labels[other]) for image in rules.images(keys)]
    images, same = zip(*found, strict=True) if found else ([keys[:0]], [labels[:0]])
    return distinct_pairs(np.concatenate(images), np.concatenate(same))
