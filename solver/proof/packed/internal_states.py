"""Proves states in which play goes on from the rules and the labels of the next ply.

    parents                     40   41   45
    what action 0 leads to      72    -   77      in ascending order: looked up as they are
    what action 1 leads to      99   62   61      out of order: they wait for others such and are sorted first

The label of a parent should be the best, for the player to move, of those that are found for its children.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.proof.packed.blocks import Run
from solver.proof.packed.child_lookup import ChildLookup
from solver.proof.packed.findings import Findings, kinds_of, problems_of_states
from solver.proof.packed.rules import SHOWN, CheckedRules, Places
from solver.proof.packed.symmetry import problems_of_play
from solver.rules.arrays import Flags, Keys, Labels

Edges: TypeAlias = tuple[Places, Keys]
"""Children, and before them the index of the parent of each."""


class Parents:
    """What checks states of a ply in which play goes on, some after others."""

    def __init__(self, asked: CheckedRules, form: LabelCode, ply: int, below: ChildLookup, room: int) -> None:
        """Look children up in `below`; so many that come out of order may wait until they are sorted."""
        self._asked, self._form, self._ply, self._below, self._room = asked, form, ply, below, room
        self._waiting: list[tuple[_Best, Edges]] = []

    def checked(self, run: Run) -> Findings:
        """Some states, held against the rules; those with children that wait, only so far."""
        asked, ply = self._asked, self._ply
        movers, images = asked.movers(run.keys), asked.like(run.keys)
        problems = [*problems_of_states(asked, run.keys, images, ply, is_terminal=False)]
        best, loose, moves = _Best.none(run, movers), list[Edges](), 0
        for play in asked.plays(run.keys):
            if asked.folded:
                problems.extend(problems_of_play(asked, run.keys, images, ply, play))
            for family in play.parts():
                moves += len(family[1])
                if ascend(family[1]):
                    problems += self._found(best, family)
                else:
                    loose.append(family)
        problems += self._judged(best, loose)
        if sum(len(children) for _, (_, children) in self._waiting) > self._room:
            problems += self.rest()
        kinds = kinds_of(ply, 0, movers, run.labels)
        return Findings(tuple(problems), kinds, moves, asked.are_at(ply, run.keys))

    def rest(self) -> Iterator[str]:
        """What is wrong with the states that have waited up to now."""
        if not self._waiting:
            return
        bests, families = zip(*self._waiting, strict=True)
        self._waiting = []
        firsts = np.cumsum([0, *(len(best.keys) for best in bests)])
        parents = np.concatenate([of + first for (of, _), first in zip(families, firsts, strict=False)])
        children = np.concatenate([of for _, of in families])
        best, order = _Best._make(map(np.concatenate, zip(*bests, strict=True))), children.argsort()
        yield from self._found(best, (parents[order], children[order]))
        yield from self._wrong(best)

    def _found(self, best: "_Best", family: Edges) -> Iterator[str]:
        """Take the labels of children; those that are not there are problems."""
        parents, children = family
        labels, found = self._below.find(children)
        best.take(parents, labels, found)
        return _lost(self._asked, self._ply, best.keys[parents[~found]], children[~found])

    def _judged(self, best: "_Best", loose: Sequence[Edges]) -> Iterator[str]:
        """What is wrong with states of which all children are known; the others wait."""
        if not loose:
            return self._wrong(best)
        parents, children = (np.concatenate(each) for each in zip(*loose, strict=True))
        wait = np.zeros(len(best.keys), np.bool_)
        wait[parents] = True
        self._waiting.append((best.of(wait), ((np.cumsum(wait) - 1)[parents], children)))
        return self._wrong(best.of(~wait))

    def _wrong(self, best: "_Best") -> Iterator[str]:
        """States that have no move, or labels that do not follow from those of their children."""
        told = "play goes on, but there is no move"
        yield from self._asked.each_wrong(best.keys, self._ply, best.stuck, told)
        yield from _mislabelled(self._asked, self._form, self._ply, best)


def ascend(keys: Keys) -> bool:
    """Whether these states are in ascending order; some may come more than once."""
    return bool((keys[1:] >= keys[:-1]).all())


class _Best(NamedTuple):
    """States, and the best of the labels that were found for their children, for the players to move."""

    keys: Keys
    labels: Labels
    """Their own."""
    sign: Labels
    """-1 where the second player is to move, else 1."""
    gains: Labels
    """The best for the player to move: sign * label; the least number there is where none was found."""
    known: Flags
    """Whether all children that were looked up were there."""

    @classmethod
    def none(cls, run: Run, movers: Keys) -> "_Best":
        """Nothing is found yet."""
        dtype = run.labels.dtype
        gains = np.full_like(run.labels, np.iinfo(dtype).min)
        return cls(*run, (1 - 2 * movers).astype(dtype), gains, np.ones(len(gains), np.bool_))

    def of(self, some: Flags) -> "_Best":
        """The same for some of the states."""
        return _Best._make(part[some] for part in self)

    def take(self, parents: Places, labels: Labels, found: Flags) -> None:
        """Go on with these labels, of children of these parents, as far as they were found."""
        np.maximum.at(self.gains, parents, labels * self.sign[parents])
        self.known[parents[~found]] = False

    @property
    def stuck(self) -> Flags:
        """Which states have no children."""
        stuck: Flags = self.gains == np.iinfo(self.gains.dtype).min
        return stuck

    @property
    def following(self) -> tuple[Labels, Flags]:
        """The labels that follow, and for which states they do."""
        return self.gains * self.sign, self.known & ~self.stuck


def _lost(asked: CheckedRules, ply: int, parents: Keys, children: Keys) -> Iterator[str]:
    """Moves that lead out of the file, the first of them."""
    for parent, child in islice(zip(parents.tolist(), children.tolist(), strict=True), SHOWN):
        missing = asked.named(child, ply + 1)
        yield f"{asked.named(parent, ply)}: it has a move to {missing}, which is not there"


def _mislabelled(asked: CheckedRules, form: LabelCode, ply: int, best: _Best) -> Iterator[str]:
    """States with labels that do not follow from those of their children, the first of them."""
    labels, known = best.following
    wrong = np.flatnonzero(known & (labels != best.labels))[:SHOWN]
    for key, label, right in zip(
        *(part[wrong].tolist() for part in (best.keys, best.labels, labels)), strict=True
    ):
        said, follows = (_in_words(form, each, ply) for each in (label, right))
        yield f"{asked.named(key, ply)}: it should have {follows}, not {said}"


def _in_words(form: LabelCode, label: int, ply: int) -> str:
    end = form.end_ply(label)
    return f"the value {form.value(label)} and " + (
        "no remoteness" if end is None else f"a remoteness of {end - ply}"
    )
