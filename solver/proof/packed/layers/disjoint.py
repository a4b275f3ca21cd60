"""Finds states that are stored at more than one ply.

Not needed if `PackedGame.ply` confirms the ply of every state. All plies are read in the same key ranges, and
each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |
    ply 5    |  13  15     |  37       |      15 is stored twice

`solver.engines.layers.disjoint` does the same for layers, by other code on purpose: a fault of the engine
must not hide itself.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from solver.proof.packed.blocks import Reader, Series
from solver.proof.packed.rules import EXAMPLES, CheckedRules
from solver.rules.arrays import GREATEST, Keys

BLOCKS_PER_RANGE = 256
"""Blocks that begin in one key range."""


def ranges(series: Sequence[Series]) -> Iterator[tuple[int, int]]:
    """Key ranges [first, last] that together cover all states, up to the greatest one."""
    firsts = np.sort(np.concatenate([each.firsts for each in series]))
    cuts = np.unique(firsts[::BLOCKS_PER_RANGE])
    yield from zip(cuts.tolist(), [*(cuts[1:] - 1).tolist(), GREATEST], strict=True)


def repeated(
    rules: CheckedRules, reader: Reader, series: Sequence[Series], first: int, last: int
) -> Iterator[str]:
    """The problems of states in [first, last] that are stored twice, at most `EXAMPLES` of them."""
    parts = [_between(reader, each, first, last) for each in series]
    keys = np.sort(np.concatenate(parts))
    for key in dict.fromkeys(keys[1:][keys[1:] == keys[:-1]][:EXAMPLES].tolist()):
        plies = [each.ply for each, part in zip(series, parts, strict=True) if key in part]
        yield f"{rules.named(key, plies[0])}: it is also at ply {plies[-1]}"


def _between(reader: Reader, series: Series, first: int, last: int) -> Keys:
    """The states of a series in [first, last]."""
    low = max(0, int(series.firsts.searchsorted(first, "right")) - 1)
    high = int(series.firsts.searchsorted(last, "right"))
    if low >= high:
        return np.empty(0, np.int64)
    keys = reader.states(series, range(low, high)).keys
    return keys[keys.searchsorted(first) : keys.searchsorted(last, "right")]
