"""The labelled arrays as the blocks of a packed database, stage by stage."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block import Block
from solver.database.packed.counts import CountRow, counts_of
from solver.database.packed.label_code import LabelCode
from solver.database.packed.writer import blocks_of, by_tier, write_packed
from solver.database.schema import PACKED_FORMAT
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.readable_rows import metadata
from solver.engines.arrays.retrograde import Labels
from solver.errors import BrokenRules, shown
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.notation import STATES
from solver.system.progress import Progress, reported


def write_packed_blocks(
    game: NumberedGame, labels: Labels, code: LabelCode, path: Path, progress: Progress
) -> None:
    """Write the labelled game to a new packed file at `path`.

    Raises `UnwritableFile`, and `BrokenRules` if some state is none that a packed game can have.
    """
    keys, counts = _keys(game), list[CountRow]()
    blocks = reported(
        progress,
        "writing the file",
        _blocks(game, labels, code, keys, counts),
        len(game),
        lambda block: block.states,
    )
    write_packed(path, blocks, counts, metadata(game, labels, PACKED_FORMAT).rows() | code.metadata_rows)


def _blocks(
    game: NumberedGame, labels: Labels, code: LabelCode, keys: Keys, counts: list[CountRow]
) -> Iterator[Block]:
    """Yield the blocks in order, and add to the counts those of each stage."""
    is_terminal = np.diff(game.offsets) == 0
    for stage, order in enumerate(_stages(game, keys)):
        values, plies = labels.values[order], labels.remoteness[order].astype(np.int64)
        movers = game.movers[order].astype(np.int64)
        counts.extend(counts_of(stage, is_terminal[order], movers, values, plies))
        yield from blocks_of(stage, keys[order], is_terminal[order], code.of(values, plies, stage))


def _stages(game: NumberedGame, keys: Keys) -> Iterator[NDArray[np.intp]]:
    """The numbers of the states at each stage, in order of keys."""
    if not game.is_layered:
        assert isinstance(game.game, PackedGame)
        return by_tier(game.game, keys)
    return (begin + np.argsort(keys[begin:end]) for begin, end in pairwise(game.levels))


def _keys(game: NumberedGame) -> Keys:
    """The states as an array; raises `BrokenRules` if one is no packed state."""
    for state in game.states:
        if not isinstance(state, int | np.integer) or state not in STATES:
            raise BrokenRules(
                f"the states of {type(game.game).__name__} should be from 0 to below 2**63, "
                f"not {shown(state)}"
            )
    return np.array(game.states, np.int64)
