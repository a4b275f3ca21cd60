"""Labels of the open states of a stage by retrograde analysis, strictly in order of labels, best ones first.

For either player in turn as the winner, from the best label to the worst that is better than endless play:

    a state where the winner is to move     gets a label if a move leads to a state with the label before it,
                                            or if its floor is that label
    a state where the loser is to move      gets it if that was the last of its open moves

The value falls from label to label, and for each value the remoteness rises by one ply. States that get none
in either turn neither win nor lose: play from them need not end.
Source: K. Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9(3), 1986.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from solver.database.packed.label_code import RemotenessCode
from solver.engines.loops.kernels.machine import kernels
from solver.engines.loops.moves import Numbers, StageMoves
from solver.errors import UnfitRules
from solver.game import FIRST, SECOND
from solver.rules.arrays import Labels

MOVES_AT_ONCE = 1 << 22
"""Moves to states of one label that are looked at between two reports."""


def label_stage(code: RemotenessCode, moves: StageMoves, labels: Labels) -> Iterator[int]:
    """Write the labels of all states of a stage to `labels`, all 0 beforehand: dtype of the code, (states,).

    Yields the number of states that got one, now and then. Raises `UnfitRules` if a remoteness is too large.
    """
    for winner, sign in ((FIRST, 1), (SECOND, -1)):
        level, floors = np.empty(0, np.uint32), _floors(moves, sign)
        label = max(floors, default=0)
        while label:
            found = [_settled_parents(moves, winner, part) for part in _parts(moves, level)]
            found.append(_settled(moves, winner, floors.pop(label, level[:0])))
            level = np.sort(np.concatenate(found))
            if len(level) and label % code.base == 0:
                raise UnfitRules(
                    f"play takes {code.base - 1:,} plies, which is too long: use --layout readable"
                )
            labels[level] = sign * label
            yield len(level)
            label = label - 1 if len(level) else max(floors, default=0)


def _floors(moves: StageMoves, sign: int) -> dict[int, Numbers]:
    """The states by floor, for floors above 0 for the first player, or for the second if the `sign` is -1."""
    gains = np.where(moves.floors == np.iinfo(moves.floors.dtype).min, 0, moves.floors)
    gains *= sign * (1 - 2 * (moves.open_moves & 1).astype(gains.dtype))
    states = np.flatnonzero(gains > 0).astype(np.uint32)
    gains = gains[states]
    order = np.argsort(gains, kind="stable")
    states, gains = states[order], gains[order]
    cuts = np.flatnonzero(np.diff(gains, prepend=0, append=0)).tolist()
    return {int(gains[begin]): states[begin:end] for begin, end in pairwise(cuts)}


def _parts(moves: StageMoves, level: Numbers) -> Iterator[Numbers]:
    """Yield the states of a level, so many at a time that the moves to them are about `MOVES_AT_ONCE`."""
    totals = np.cumsum(moves.offsets[level + np.uint32(1)] - moves.offsets[level])
    begin = 0
    while begin < len(level):
        done = int(totals[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(totals, done + MOVES_AT_ONCE)))
        yield level[begin:end]
        begin = end


def _settled_parents(moves: StageMoves, winner: int, level: Numbers) -> Numbers:
    """The states that are decided by moves to the states of a level, which are won by `winner`."""
    count = int((moves.offsets[level + np.uint32(1)] - moves.offsets[level]).sum())
    found = np.empty(count, np.uint32)
    decided = kernels().settle_parents(level, moves.offsets, moves.parents, winner, moves.open_moves, found)
    return found[:decided].copy()


def _settled(moves: StageMoves, winner: int, states: Numbers) -> Numbers:
    """Those of the states that are decided as one more move of each leads to a state won by `winner`."""
    found = np.empty(len(states), np.uint32)
    return found[: kernels().settle(states, winner, moves.open_moves, found)]
