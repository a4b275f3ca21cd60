"""In a folded solve: the states that stand for children which are not canonical themselves.

    children of the layer     12   20   25   31        in order, through windows
    canonical                 12   20   17   31
    standing                            17             few, so these are sorted before, in a file of their own
    the next layer            12   17   20   31        the children without 25, and what stands beside them

On the way back only they are unfolded: no other image of a state is the child of a canonical one.
"""

import numpy as np

from solver.database.packed.gap_codec import PIECE, joined, packed
from solver.engines.array_rules.rules import Rules, representatives
from solver.engines.layers.context import Engine
from solver.engines.layers.external_sort import distinct
from solver.engines.layers.storage.key_file import KeyFile, KeyWriter
from solver.engines.layers.strategy import from_runs
from solver.rules.arrays import Keys


def standing(engine: Engine, layer: KeyFile, ply: int) -> KeyFile:
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
