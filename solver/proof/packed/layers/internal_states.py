"""Proves open states from the rules and the labels of the next ply.

    parents                  40   41   45
    children by action 0     72    -   77      ascending: looked up at once
    children by action 1     99   62   61      not ascending: collected with others and sorted before lookup

The label of a parent must be the best label of its children for the player to move.

Children are looked up in the next ply, where a bit marks each state that is found:

    children     12   14   14   19   23              in ascending order
    blocks       10 12 14  |  17 18  |  19 21 23     the second cannot hold a child: it is not read
    bits          0  1  1  |   0  0  |   1  0  1     a state with 0 in all tasks is unreachable

The bits of a block take 512 bytes. Nothing else of a ply is in memory while the ply before it is proved.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from solver.database.packed.block import BLOCK
from solver.database.packed.label_code import LabelCode
from solver.proof.packed.backup import Backup, mislabelled, missing_children
from solver.proof.packed.blocks import LabelledStates, Reader, Series, cut
from solver.proof.packed.checker import Findings, ReachedPart, kinds_of, problems_of_states
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import problems_of_other_actions, problems_of_play
from solver.rules.arrays import Flags, Keys, Labels

BLOCKS_SEARCHED_AT_ONCE = 32
"""The most blocks that are concatenated for one binary search."""


class NextPly:
    """Looks up states of one ply, and records in a bit for each which were found."""

    def __init__(self, reader: Reader, series: Sequence[Series]) -> None:
        self._reader, self._series = reader, series
        self._bits = [np.zeros((part.blocks, BLOCK // 8), np.uint8) for part in series]
        self._requested = [np.zeros(part.blocks, np.bool_) for part in series]

    def find(self, keys: Keys) -> tuple[Labels, Flags]:
        """The label of each key, given in ascending order, and whether it was found."""
        labels, present = np.zeros(len(keys), self._reader.code.dtype), np.zeros(len(keys), np.bool_)
        rest: Any = slice(None)
        for nth in range(len(self._series)):
            labels[rest], present[rest] = self._find(nth, keys[rest])
            rest = np.flatnonzero(~present)
        return labels, present

    @property
    def reached(self) -> list[ReachedPart]:
        """The states found so far, one part per series."""
        blocks = map(np.flatnonzero, self._requested)
        return [ReachedPart(part, bits[part]) for part, bits in zip(blocks, self._bits, strict=True)]

    def add(self, reached: Sequence[ReachedPart]) -> None:
        """Add the states that a task found, one part per series; a failed task has no parts."""
        for bits, part in zip(self._bits, reached, strict=False):
            bits[part.blocks] |= part.bits

    def unreached(self) -> Iterator[int]:
        """Yield the states that were not found."""
        for series, bits in zip(self._series, self._bits, strict=True):
            for block in np.flatnonzero((bits != 255).any(axis=1)).tolist():
                reached = np.unpackbits(bits[block], count=series.size(block)) != 0
                if not reached.all():
                    yield from self._reader.block(series, block).keys[~reached].tolist()

    def _find(self, nth: int, keys: Keys) -> tuple[Labels, Flags]:
        """The label of each key, and whether it was found, in one series."""
        labels, present = np.zeros(len(keys), self._reader.code.dtype), np.zeros(len(keys), np.bool_)
        for blocks, part in _groups(self._series[nth].firsts, keys):
            states = self._reader.states(self._series[nth], blocks.tolist())
            at = states.keys.searchsorted(keys[part])
            at[at == len(states.keys)] = 0
            present[part] = states.keys[at] == keys[part]
            labels[part] = states.labels[at]
            marked = np.zeros(len(blocks) * BLOCK, np.bool_)  # all blocks are full but the last of a series
            marked[at[present[part]]] = True
            self._bits[nth][blocks] |= np.packbits(marked).reshape(-1, BLOCK // 8)
            self._requested[nth][blocks] = True
        return labels, present


def _groups(firsts: Keys, keys: Keys) -> Iterator[tuple[Places, slice]]:
    """Yield groups of blocks, given the least key of each, with the slice of the keys that they may hold."""
    if not len(keys):
        return
    low = max(0, int(firsts.searchsorted(keys[0], "right")) - 1)
    high = int(firsts.searchsorted(keys[-1], "right"))
    cuts = np.append(keys.searchsorted(firsts[low:high]), len(keys))
    requested = np.flatnonzero(cuts[1:] > cuts[:-1])
    for group in cut(requested, BLOCKS_SEARCHED_AT_ONCE):
        yield group + low, slice(int(cuts[group[0]]), int(cuts[group[-1] + 1]))


Edges: TypeAlias = tuple[Places, Keys]
"""The indices of parents, and one child of each."""


class InternalStates:
    """Checks the open states of a ply, batch by batch."""

    def __init__(self, rules: CheckedRules, code: LabelCode, ply: int, next_ply: NextPly, room: int) -> None:
        """Look up children in `next_ply`; collect up to `room` unsorted ones before sorting them."""
        self._rules, self._code, self._ply, self._next_ply, self._room = rules, code, ply, next_ply, room
        self._waiting: list[tuple[Backup, Edges]] = []

    def checked(self, states: LabelledStates) -> Findings:
        """The findings on some states; those whose children are collected are finished later."""
        rules, ply = self._rules, self._ply
        movers, images = rules.movers(states.keys), rules.images(states.keys)
        problems = [*problems_of_states(rules, states.keys, images, ply, is_terminal=False)]
        backup, unsorted, moves = Backup.none(states, movers), list[Edges](), 0
        played = list[int]()
        for play in rules.plays(states.keys):
            if rules.has_classes:
                problems.extend(problems_of_play(rules, states.keys, images, ply, play))
            played.append(play.action)
            for edges in play.edges():
                moves += len(edges[1])
                if ascend(edges[1]):
                    problems += self._relax(backup, edges)
                else:
                    unsorted.append(edges)
        problems += [*problems_of_other_actions(rules, states.keys, images, ply, played)]
        problems += self._settled(backup, unsorted)
        if sum(len(children) for _, (_, children) in self._waiting) > self._room:
            problems += self.finish()
        kinds = kinds_of(ply, 0, movers, states.labels)
        return Findings(tuple(problems), kinds, moves, rules.confirm_ply(ply, states.keys))

    def finish(self) -> Iterator[str]:
        """Yield the problems of states whose children were collected."""
        if not self._waiting:
            return
        backup, edges = self._collected()
        yield from self._relax(backup, edges)
        yield from mislabelled(self._rules, self._code, self._ply, backup)

    def _collected(self) -> tuple[Backup, Edges]:
        """The states whose children were collected, and their edges by ascending child; none remain.

        Each array is deleted as soon as it is not needed, as there are many children.
        """
        backups, all_edges = map(list, zip(*self._waiting, strict=True))
        self._waiting = []
        firsts = np.cumsum([0, *(len(backup.keys) for backup in backups)]).tolist()
        backup = Backup._make(map(np.concatenate, zip(*backups, strict=True)))
        places, children = map(list, zip(*all_edges, strict=True))
        del backups, all_edges
        parents = np.concatenate([indices + first for indices, first in zip(places, firsts, strict=False)])
        del places
        keys = np.concatenate(children)
        del children
        order = keys.argsort()
        keys = keys[order]
        return backup, (parents[order], keys)

    def _relax(self, backup: Backup, edges: Edges) -> Iterator[str]:
        """Relax parents by the labels of their children; the problems are children that are not found."""
        parents, children = edges
        labels, present = self._next_ply.find(children)
        backup.relax(parents, labels)
        backup.miss(parents[~present])
        return missing_children(self._rules, self._ply, backup.keys[parents[~present]], children[~present])

    def _settled(self, backup: Backup, unsorted: Sequence[Edges]) -> Iterator[str]:
        """The problems of the states without unsorted edges; the others are collected."""
        if not unsorted:
            return mislabelled(self._rules, self._code, self._ply, backup)
        parents, children = (np.concatenate(arrays) for arrays in zip(*unsorted, strict=True))
        wait = np.zeros(len(backup.keys), np.bool_)
        wait[parents] = True
        places = (np.cumsum(wait, dtype=np.int32) - 1)[parents]
        self._waiting.append((backup.selected(wait), (places, children)))
        return mislabelled(self._rules, self._code, self._ply, backup.selected(~wait))


def ascend(keys: Keys) -> bool:
    """Whether the states ascend; equal neighbours are allowed."""
    return bool((keys[1:] >= keys[:-1]).all())
