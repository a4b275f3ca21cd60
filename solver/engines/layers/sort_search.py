"""One layer from another by sorting and searching, with NumPy alone: for any rules, and without numba.

layer        3   7   9            ascending
action 0     4   8   .            children; 9 may not play it
action 1    25  23  19            in any order
next layer   4   8  19  23  25    sorted, each once; on the way back each child is searched for in it
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.gap_codec import PIECE
from solver.engines.array_rules.rules import representatives
from solver.engines.layers.context import SolveContext
from solver.engines.layers.external_sort import distinct
from solver.engines.layers.storage.key_file import KeyFile
from solver.engines.layers.storage.labelled_layer import LabelledLayer, LabelledRun
from solver.errors import DamagedWork
from solver.rules.arrays import Keys, Labels

GROUP = 8
"""The children of so many pieces are searched for at once."""


def sorted_children(engine: SolveContext, layer: KeyFile, ply: int) -> Iterator[Keys]:
    """The children of a layer, at `ply`, or in a folded solve what stands for them, in sorted parts."""
    pieces = max(1, engine.room // (PIECE * engine.rules.action_count))

    def part(begin: int) -> Keys:
        parents = layer.read(begin, min(begin + pieces, layer.pieces))
        actions = range(engine.rules.action_count)
        keys = distinct(np.concatenate([engine.rules.children(parents, action)[0] for action in actions]))
        return distinct(representatives(engine.rules, keys)) if engine.fold else keys

    return engine.each_part("sorting states", part, layer, pieces, ply)


def search_labels(
    engine: SolveContext,
    layer: KeyFile,
    begin: int,
    end: int,
    below: LabelledLayer,
    best: Labels,
    reached: Callable[[float], object],
) -> int:
    """The number of moves in some pieces of a layer; `best` gets the best labels for the players to move.

    It must begin with numbers below every label. `reached` is told what part of the work is done. Raises
    `DamagedWork` where a child is not in the next layer.
    """
    moves = found = 0
    parts = _parts(engine, below)
    for nth, (row, first, last) in enumerate(parts):
        keys, labels = below.part(row, first, last)
        for at in range(begin, end, GROUP):
            reached((nth + (at - begin) / (end - begin)) / len(parts))
            engine.go_on()
            parents = layer.read(at, min(end, at + GROUP))
            base = int(layer.begins[at] - layer.begins[begin])
            for action in range(engine.rules.action_count):
                children, codes = engine.rules.children(parents, action)
                moves += 0 if nth else len(children)
                found += _take(children, codes, keys, labels, best[base : base + len(parents)])
    if found != moves:
        raise DamagedWork(f"{engine.work.path} has lost states of ply {below.ply}: remove it and solve again")
    return moves


def _parts(engine: SolveContext, below: LabelledLayer) -> list[tuple[LabelledRun, int, int]]:
    """The rows of a layer, in parts that fit the memory: from which piece, to before which."""
    size = max(1, engine.room // PIECE)
    return [
        (row, first, min(row.file.pieces, first + size))
        for row in below.rows
        for first in range(0, row.file.pieces, size)
    ]


def _take(children: Keys, codes: NDArray[np.int32], keys: Keys, labels: Labels, best: Labels) -> int:
    """Improve `best` by the labels of those children that are among `keys`; how many these are."""
    at = np.searchsorted(keys, children)
    at[at == len(keys)] = 0
    known = keys[at] == children
    gains = labels[at[known]] * (1 - 2 * (codes[known] & 1)).astype(labels.dtype)
    places = codes[known] >> 1
    best[places] = np.maximum(best[places], gains)
    return int(np.count_nonzero(known))
