"""Labels of the open states of a stage by retrograde analysis, strictly in order of labels, best ones first.

For either player as the winner, from the best label to the worst that is better than endless play:

    a state where the winner is to move     gets a label if a move leads to a state with the label before it,
                                            or if its floor is that label
    a state where the loser is to move      gets it if that was the last of its open moves

The value falls from label to label, and for each value the remoteness rises by one ply. States that get none
for either winner neither win nor lose: play from them need not end.
Source: K. Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9(3), 1986.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from solver.database.packed.label_code import RemotenessCode
from solver.engines.loops import kernels
from solver.engines.loops.moves import Numbers, StageMoves
from solver.errors import UnfitRules
from solver.game import FIRST, SECOND
from solver.rules.arrays import Labels

MOVES_AT_ONCE = 1 << 22
"""Moves to states of one label that are followed at a time."""

STATES_AT_ONCE = 1 << 22
"""States the floors or the moves of which are looked at at a time."""


def label_stage(code: RemotenessCode, moves: StageMoves, labels: Labels, *, exchange: bool) -> Iterator[int]:
    """Write the labels of all states of a stage to `labels`, all 0 beforehand: dtype of the code, (states,).

    With `exchange` the players change places over each move, so that what is won for one of them in a child
    is won for the other one in its parents. Yields the number of states that got a label, now and then.
    Raises `UnfitRules` if a remoteness is too large.
    """
    none, signs = np.empty(0, np.uint32), {FIRST: 1, SECOND: -1}
    levels = dict.fromkeys(signs, none)
    floors = {winner: _floors(moves, sign) for winner, sign in signs.items()}
    label = _greatest(floors)
    while label:
        parts = {winner: _parts(moves, levels[winner ^ exchange]) for winner in signs}
        for winner, sign in signs.items():
            found = [_settled_parents(moves, winner, part) for part in parts[winner]]
            found.append(_settled(moves, winner, floors[winner].pop(label, none)))
            levels[winner] = np.sort(np.concatenate(found))
            labels[levels[winner]] = sign * label
        settled = sum(map(len, levels.values()))
        if settled and label % code.base == 0:
            raise UnfitRules(f"play takes {code.base - 1:,} plies, which is too long: use --layout readable")
        yield settled
        label = label - 1 if settled else _greatest(floors)


def _greatest(floors: dict[int, dict[int, Numbers]]) -> int:
    """The greatest label of those by which states are held, 0 for none."""
    return max((label for states in floors.values() for label in states), default=0)


def _floors(moves: StageMoves, sign: int) -> dict[int, Numbers]:
    """The states by floor, for floors above 0 for the first player, or for the second if the `sign` is -1."""
    found = defaultdict[int, list[Numbers]](list)
    for begin in range(0, len(moves.floors), STATES_AT_ONCE):
        some = slice(begin, begin + STATES_AT_ONCE)
        floors, movers = moves.floors[some], moves.open_moves[some] & 1
        gains = np.where(floors == np.iinfo(floors.dtype).min, 0, floors)
        gains *= sign * (1 - 2 * movers.astype(gains.dtype))
        states = np.flatnonzero(gains > 0)
        order = states[np.argsort(gains[states], kind="stable")]
        cuts = np.flatnonzero(np.diff(gains[order], prepend=0, append=0)).tolist()
        for low, high in pairwise(cuts):
            found[int(gains[order[low]])].append((order[low:high] + begin).astype(np.uint32))
    return {floor: np.concatenate(parts) for floor, parts in found.items()}


def _parts(moves: StageMoves, level: Numbers) -> Iterator[Numbers]:
    """Yield the states of a level, so many at a time that the moves to them are about `MOVES_AT_ONCE`."""
    for first in range(0, len(level), STATES_AT_ONCE):
        some, begin = level[first : first + STATES_AT_ONCE], 0
        totals = np.cumsum(moves.offsets[some + np.uint32(1)] - moves.offsets[some])
        while begin < len(some):
            done = int(totals[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(totals, done + MOVES_AT_ONCE)))
            yield some[begin:end]
            begin = end


def _settled_parents(moves: StageMoves, winner: int, level: Numbers) -> Numbers:
    """The states that are decided by moves to the states of a level, which win for `winner`."""
    count = int((moves.offsets[level + np.uint32(1)] - moves.offsets[level]).sum())
    found = np.empty(count, np.uint32)
    decided = kernels.settle_parents(level, moves.offsets, moves.parents, winner, moves.open_moves, found)
    return found[:decided].copy()


def _settled(moves: StageMoves, winner: int, states: Numbers) -> Numbers:
    """Those of the states that are decided as one more move of each leads to a state won by `winner`."""
    found = np.empty(len(states), np.uint32)
    return found[: kernels.settle(states, winner, moves.open_moves, found)]
