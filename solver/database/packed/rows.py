"""The rows of a packed file from the states of one ply, as arrays."""

from collections.abc import Iterator

import numpy as np

from solver.database.packed.block import BLOCK, Block, encode_block
from solver.database.packed.writer import Count
from solver.rules.arrays import Flags, Keys, Labels


def blocks_of(ply: int, keys: Keys, is_terminal: Flags, labels: Labels) -> Iterator[Block]:
    """The blocks of a ply, in order; its keys ascend."""
    for over in (False, True):
        series = is_terminal == over
        for begin in range(0, int(series.sum()), BLOCK):
            part = slice(begin, begin + BLOCK)
            yield encode_block(ply, over, keys[series][part], None if over else labels[series][part])


def counts_of(ply: int, is_terminal: Flags, movers: Keys, values: Keys, remoteness: Keys) -> Iterator[Count]:
    """How many states of a ply there are of each kind; a remoteness of -1 is none."""
    kinds = np.stack([is_terminal, movers, values, remoteness])
    found, numbers = np.unique(kinds, axis=1, return_counts=True)
    for (over, mover, value, plies), states in zip(found.T.tolist(), numbers.tolist(), strict=True):
        yield Count(ply, over, mover, value, None if plies < 0 else plies, states)
