"""Plays all moves of some states, looks all children up at once, and proves the labels by them.

    states       40       41       45            batch by batch, as many as fit a processor's cache
    children     72  99   62       77  61        collected over the batches
    looked up    61  62  72  77  99              in ascending order, each once

A child is looked up for both purposes at once: its label, and to mark it as reached.

If one state of each symmetry class is expanded, the other members are looked up:

    canonical      12             17
    images         12 40 40 66    17 17 29 17
    members           40    66          29          each once, without the canonical state

`solver.proof.packed.symmetry` says why what is proved of a canonical state holds for the members.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.proof.packed.backup import Backup, mislabelled, missing_children
from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.checker import Findings, kinds_of, problems_of_states
from solver.proof.packed.loops.arrays import EXPANDED, Finder, StateArrays, ascending
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import (
    ActionMoves,
    among,
    problems_of_negated_play,
    problems_of_play,
    problems_of_turns,
)
from solver.rules.arrays import Flags, Keys, Labels


class Members(NamedTuple):
    """The members of some classes."""

    keys: Keys
    canonical: Places
    """The index of the canonical state of each."""

    def sizes(self, classes: int) -> Places:
        """The number of states of each class, its canonical state included."""
        return np.bincount(self.canonical, minlength=classes) + 1


def members_of(keys: Keys, images: Sequence[Keys]) -> Members:
    """The members of the classes of canonical states, given their images under each symmetry."""
    found, canonical = [keys[:0]], [np.empty(0, np.intp)]
    for nth, image in enumerate(images):
        new = np.flatnonzero(~among(image, [keys, *images[:nth]]))
        found.append(image[new])
        canonical.append(new)
    return Members(np.concatenate(found), np.concatenate(canonical))


class MemberLookup:
    """Looks up members among the states of one series."""

    def __init__(
        self, rules: CheckedRules, arrays: StateArrays, finder: Finder, stage: int, places: range
    ) -> None:
        """Look them up among the states at `places`, which are those of the series."""
        self._rules, self._arrays, self._finder = rules, arrays, finder
        self._stage, self._places = stage, places

    def problems(self, keys: Keys, labels: Labels) -> Iterator[str]:
        """The members that are not there with these labels, and mark the others."""
        keys, order = ascending(keys)
        places = self._finder.find(keys, self._stage)
        there = (places >= self._places.start) & (places < self._places.stop)
        missing = "it is not there, but a state is that is symmetric to it"
        yield from self._rules.each_wrong(keys, self._stage, ~there, missing)
        keys, places = keys[there], places[there]
        differs = self._arrays.labels[places] != labels[order[there]]
        other = "its label is not that of a state that is symmetric to it"
        yield from self._rules.each_wrong(keys, self._stage, differs, other)
        self._arrays.mark(places, EXPANDED)


class WaitingMoves(NamedTuple):
    """What one action leads to from some of the states of a batch."""

    batch: Backup
    parents: Places
    """The index of each of those states in the batch."""
    children: Keys
    """The child of each, or its representative."""


class StateExpansion:
    """Expands non-terminal states of one stage."""

    def __init__(
        self,
        rules: CheckedRules,
        code: LabelCode,
        arrays: StateArrays,
        finder: Finder,
        lookup: MemberLookup,
        stage: int,
        mark: int,
    ) -> None:
        """Expand states at a stage, and set a mark to each state that is reached from them first.

        Where states are proved class by class, `lookup` looks up the members of classes.
        """
        self._rules, self._code, self._arrays, self._finder = rules, code, arrays, finder
        self._lookup = lookup
        self._stage, self._mark = stage, mark
        self._batches: list[Backup] = []
        self._moves: list[WaitingMoves] = []
        self._members: list[tuple[Keys, Labels]] = []

    @property
    def waiting(self) -> int:
        """The number of children that are not looked up yet."""
        return sum(len(each.children) for each in self._moves)

    def add(self, places: Places) -> Findings:
        """Play all moves of some states, given by place; returns the findings, but for those by children."""
        rules, stage = self._rules, self._stage
        keys, labels = self._arrays.keys[places], self._arrays.labels[places]
        movers, images = rules.movers(keys), rules.images(keys)
        problems = [*problems_of_states(rules, keys, images, stage, is_terminal=False)]
        batch, moves = Backup.none(LabelledStates(keys, labels), movers), list[WaitingMoves]()
        for play in rules.plays(keys):
            if rules.has_classes:
                problems.extend(problems_of_play(rules, keys, images, stage, play))
            problems.extend(problems_of_turns(rules, keys, stage, play.parents, play.results))
            if len(play.parents):
                moves.append(WaitingMoves(batch, play.parents, play.representatives))
        own = [ActionMoves(each.parents, each.children) for each in moves]
        problems.extend(problems_of_negated_play(rules, keys, images, stage, own))
        self._batches.append(batch)
        self._moves += moves
        if not rules.by_class:
            number = sum(len(each.children) for each in moves)
            return Findings(tuple(problems), kinds_of(stage, 0, movers, labels), number)
        members = members_of(keys, images)
        self._members.append((members.keys, labels[members.canonical]))
        sizes = members.sizes(len(keys))
        kinds = kinds_of(stage, 0, movers.repeat(sizes), labels.repeat(sizes))
        return Findings(tuple(problems), kinds, sum(int(sizes[each.parents].sum()) for each in moves))

    def finish(self) -> Iterator[str]:
        """Look the children up, mark them, and yield the problems of the states by them."""
        batches, moves, members = self._batches, self._moves, self._members
        self._batches, self._moves, self._members = [], [], []
        yield from self._relaxed(moves)
        if members:
            keys, labels = zip(*members, strict=True)
            yield from self._lookup.problems(np.concatenate(keys), np.concatenate(labels))
        for batch in batches:
            stuck = "play goes on, but there is no move"
            yield from self._rules.each_wrong(batch.keys, self._stage, batch.childless, stuck)
            yield from mislabelled(self._rules, self._code, self._stage, batch)

    def _relaxed(self, moves: Sequence[WaitingMoves]) -> Iterator[str]:
        """Relax the parents of all moves by the labels of their children; yields children not found."""
        if not moves:
            return
        labels, lost = self._looked_up(np.concatenate([each.children for each in moves]))
        labels, begin = self._rules.of_children(labels), 0
        for batch, parents, children in moves:
            own = slice(begin, begin := begin + len(parents))
            batch.relax(parents, labels[own])
            if lost is not None:
                losers, missing = parents[lost[own]], children[lost[own]]
                batch.miss(losers)
                yield from missing_children(self._rules, self._stage, batch.keys[losers], missing)

    def _looked_up(self, children: Keys) -> tuple[Labels, Flags | None]:
        """The label of each child and which are not found, None if all are; marks those that are."""
        keys, order = ascending(children)
        firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        times = np.diff(firsts, append=len(keys))
        places = self._finder.find(keys[firsts], self._stage)
        lost = places < 0
        self._arrays.mark(places[~lost], self._mark)

        def spread(found: NDArray[Any]) -> NDArray[Any]:
            """For each child what was found of its key."""
            of_all = np.empty(len(children), found.dtype)
            of_all[order] = np.repeat(found, times)
            return of_all

        return spread(self._arrays.labels[places]), spread(lost) if lost.any() else None
