"""The ranges of the open states of a stage, in which tasks label them, and the moves from one to another.

    pieces of their file    0  1 | 2  3 | 4
    ranges                  0    | 1    | 2

The number of a state is its rank in the file. Moves in files are sorted integers, the child in the high bits:
about 5 bytes per move instead of 12.

    child   parent            integers            bytes
    70      1         sort    (63 - 63) << 2 | 2  the gaps between them (gap_codec.py), each increased by 1,
    63      2         --->    (70 - 63) << 2 | 1  as a parent may have several moves to a child

There is a code for the moves from one range of states to another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import PIECE, packed, unpacked
from solver.engines.loops.kernels import sort_by_group
from solver.engines.loops.workplace import SOLVED
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.steps import even_ranges
from solver.errors import UnfitRules
from solver.packed import STATE_BITS
from solver.rules.arrays import Keys, Number, in_order


class MoveCode(NamedTuple):
    """The code of moves as integers."""

    first: int
    """The least child."""
    bits: int
    """The number of bits of a parent."""

    @classmethod
    def of(cls, first: int, last: int, parents: int) -> "MoveCode | None":
        """The code of moves by this number of parents to children in [first, last]; None if too wide."""
        bits = max(1, parents - 1).bit_length()
        return cls(first, bits) if bits + (last - first).bit_length() < STATE_BITS else None

    def encoded(self, children: Keys, parents: NDArray[np.int32]) -> tuple[NDArray[np.uint8], Keys]:
        """The bytes of moves, and a head: their number, then the first integer, if any."""
        moves = in_order((children - self.first) << self.bits | parents)
        pieces = packed(moves + np.arange(len(moves)), max(1, len(moves)))
        return pieces.data, np.array([len(children), *pieces.firsts], np.int64)

    def decoded(self, data: NDArray[np.uint8], head: Keys) -> tuple[Keys, NDArray[Any]]:
        """The children and the parents of encoded moves."""
        counts = head[:1][head[:1] > 0]
        moves = unpacked(data, np.full(len(counts), len(data)), counts, head[1:])
        moves -= np.arange(len(moves))
        return (moves >> self.bits) + self.first, (moves & ((1 << self.bits) - 1)).astype(np.int32)


NOTHING = np.empty(0, np.int32)
"""The owners for numbers without owners."""

MAX_STATES = 1 << 32
"""The bound of the states of a stage: their numbers have 32 bits."""

STATES_PER_RANGE = 1 << 21
"""The most states of a range."""

BYTES_PER_MOVE = 48
"""The bytes of memory that a task may take for each move of the states of a range."""

BYTES_HELD_PER_MOVE = 24
"""The bytes of memory for each move of a stage whose moves are held: child and parent, then parents alone."""

PIECES_OF_SAMPLE, SAMPLE = 64, 1 << 7
"""Moves are counted for a sample: about `PIECES_OF_SAMPLE` pieces, and one state in `SAMPLE` of each."""

MIN_STATES = 1 << 16
"""The fewest states per worker: a smaller stage has ranges for fewer workers."""


@dataclass(frozen=True)
class Ranges:
    """The ranges of the open states of a stage."""

    stage: int
    bounds: tuple[int, ...]
    """The first piece of each range, and the number of pieces."""
    begins: tuple[int, ...]
    """The number of the first state of each range, and the number of states."""
    firsts: tuple[int, ...]
    """The first state of each range, and the last state of all."""

    @classmethod
    def of(cls, states: KeyFile, stage: int, bounds: Sequence[int]) -> "Ranges":
        """The ranges of the open states of a stage that begin with these pieces."""
        firsts = states.firsts[[*bounds[:-1]]].tolist()
        last = states.read(states.pieces - 1, states.pieces)[-1:].tolist() if states.pieces else [0]
        return cls(stage, tuple(bounds), tuple(states.begins[[*bounds]].tolist()), (*firsts, *last))

    def __len__(self) -> int:
        """The number of ranges."""
        return len(self.bounds) - 1


def by_range(
    numbers: NDArray[Number], firsts: Keys, owners: NDArray[np.int32] = NOTHING
) -> tuple[NDArray[Number], NDArray[np.int32], Keys]:
    """Numbers and their owners as by `by_group`, grouped by range, given the first number of each range.

    A number below all ranges is in range 0.
    """
    ranges = np.maximum(np.searchsorted(firsts, numbers, "right") - 1, 0)
    return by_group(numbers, ranges, len(firsts), owners)


def by_group(
    numbers: NDArray[Number], groups: NDArray[Any], count: int, owners: NDArray[np.int32] = NOTHING
) -> tuple[NDArray[Number], NDArray[np.int32], Keys]:
    """Numbers and their owners in the order of their groups, 0 to below `count`; within each as they were.

    Also returns the begin of each group, then the number of numbers: int64, (count + 1,).
    """
    begins = np.concatenate([[0], np.cumsum(np.bincount(groups, minlength=count))])
    in_order, owners_in_order = np.empty_like(numbers), np.empty_like(owners)
    sort_by_group(numbers, owners, groups, begins[:-1].copy(), in_order, owners_in_order)
    return in_order, owners_in_order, begins


def ranges_of(context: SolveContext, nth: int) -> Ranges:
    """Ranges of the open states of a stage that fit into memory; for a large stage one per worker at least.

    If all moves of the stage fit into memory, they are held there.
    """
    states = SOLVED.open_states(context, nth)
    if states.states >= MAX_STATES:
        raise UnfitRules(f"a stage has {states.states:,} states, more than 2**32: rules may tell tiers")
    mean_moves = _mean_moves(context, states)
    context.hold(BYTES_HELD_PER_MOVE * mean_moves * states.states < context.job.held)
    fitting = int(context.job.memory / (context.job.threads * BYTES_PER_MOVE * mean_moves))
    most = max(1, min(STATES_PER_RANGE, fitting) // PIECE)
    workers = max(1, min(context.job.shards, states.states // MIN_STATES))
    bounds = [begin for begin, _ in even_ranges(states.pieces, most, workers)] if states.pieces else []
    return Ranges.of(states, nth, [*bounds, states.pieces])


def _mean_moves(context: SolveContext, states: KeyFile) -> float:
    """The mean number of moves in a sample of the states, at least 1."""
    pieces = range(0, states.pieces, 1 + states.pieces // PIECES_OF_SAMPLE)
    sample = np.concatenate([np.empty(0, np.int64), *(states.read(nth, nth + 1)[::SAMPLE] for nth in pieces)])
    return max(1.0, len(context.rules.every_child(sample)[0]) / max(1, len(sample)))
