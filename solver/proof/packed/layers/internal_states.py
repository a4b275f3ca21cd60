"""Proves non-terminal states from the rules and the labels of the next ply.

    parents                  40   41   45
    children by action 0     72    -   77      ascending: looked up at once
    children by action 1     99   62   61      not ascending: collected with others and sorted before lookup

The label of a parent has to be the best label of its children for the player to move.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.proof.packed.backup import Backup, mislabelled, missing_children
from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.findings import Findings, kinds_of, problems_of_states
from solver.proof.packed.layers.child_lookup import ChildLookup
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import problems_of_play
from solver.rules.arrays import Keys

Edges: TypeAlias = tuple[Places, Keys]
"""Indices of parents, and the child of each."""


class InternalStates:
    """Checks the non-terminal states of a ply, batch by batch."""

    def __init__(
        self, rules: CheckedRules, code: LabelCode, ply: int, next_ply: ChildLookup, room: int
    ) -> None:
        """Look children up in `next_ply`; collect up to `room` that come out of order before sorting them."""
        self._rules, self._code, self._ply, self._next_ply, self._room = rules, code, ply, next_ply, room
        self._waiting: list[tuple[Backup, Edges]] = []

    def checked(self, states: LabelledStates) -> Findings:
        """The findings on some states; those with collected children are finished later."""
        rules, ply = self._rules, self._ply
        movers, images = rules.movers(states.keys), rules.images(states.keys)
        problems = [*problems_of_states(rules, states.keys, images, ply, is_terminal=False)]
        backup, unsorted, moves = Backup.none(states, movers), list[Edges](), 0
        for play in rules.plays(states.keys):
            if rules.folded:
                problems.extend(problems_of_play(rules, states.keys, images, ply, play))
            for edges in play.edges():
                moves += len(edges[1])
                if ascend(edges[1]):
                    problems += self._relax(backup, edges)
                else:
                    unsorted.append(edges)
        problems += self._settled(backup, unsorted)
        if sum(len(children) for _, (_, children) in self._waiting) > self._room:
            problems += self.finish()
        kinds = kinds_of(ply, 0, movers, states.labels)
        return Findings(tuple(problems), kinds, moves, rules.confirm_ply(ply, states.keys))

    def finish(self) -> Iterator[str]:
        """The problems of states whose children were collected."""
        if not self._waiting:
            return
        backup, edges = self._collected()
        yield from self._relax(backup, edges)
        yield from self._problems(backup)

    def _collected(self) -> tuple[Backup, Edges]:
        """The states whose children were collected, and these, which ascend; nothing waits any more.

        Each array is given up as soon as it is not needed, as there are many children.
        """
        backups, all_edges = map(list, zip(*self._waiting, strict=True))
        self._waiting = []
        firsts = np.cumsum([0, *(len(backup.keys) for backup in backups)]).tolist()
        backup = Backup._make(map(np.concatenate, zip(*backups, strict=True)))
        places, children = map(list, zip(*all_edges, strict=True))
        del backups, all_edges
        parents = np.concatenate([each + first for each, first in zip(places, firsts, strict=False)])
        del places
        keys = np.concatenate(children)
        del children
        order = keys.argsort()
        keys = keys[order]
        return backup, (parents[order], keys)

    def _relax(self, backup: Backup, edges: Edges) -> Iterator[str]:
        """Relax parents by the labels of their children; yields children that are not found."""
        parents, children = edges
        labels, found = self._next_ply.find(children)
        backup.relax(parents, labels)
        backup.miss(parents[~found])
        return missing_children(self._rules, self._ply, backup.keys[parents[~found]], children[~found])

    def _settled(self, backup: Backup, unsorted: Sequence[Edges]) -> Iterator[str]:
        """The problems of states with all children looked up; collect the others."""
        if not unsorted:
            return self._problems(backup)
        parents, children = (np.concatenate(each) for each in zip(*unsorted, strict=True))
        wait = np.zeros(len(backup.keys), np.bool_)
        wait[parents] = True
        places = (np.cumsum(wait, dtype=np.int32) - 1)[parents]
        self._waiting.append((backup.selected(wait), (places, children)))
        return self._problems(backup.selected(~wait))

    def _problems(self, backup: Backup) -> Iterator[str]:
        """States without a move, and wrong labels."""
        problem = "play goes on, but there is no move"
        yield from self._rules.each_wrong(backup.keys, self._ply, backup.childless, problem)
        yield from mislabelled(self._rules, self._code, self._ply, backup)


def ascend(keys: Keys) -> bool:
    """Whether the states ascend; equal neighbours are allowed."""
    return bool((keys[1:] >= keys[:-1]).all())
