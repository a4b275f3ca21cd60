"""Plays all moves of some states, looks up all children at once, and proves the labels by them.

    states       40       41       45            in batches that fit a processor's cache
    children     72  99   62       77  61        collected over the batches
    looked up    61  62  72  77  99              in ascending order, each once

One lookup of a child both reads its label and marks it as reached.

If one state of each symmetry class is expanded, the other members of the class are looked up:

    canonical      12             17
    images         12 40 40 66    17 17 29 17
    members           40    66          29          each once, without the canonical state

`solver.proof.packed.symmetry` shows why a proof of a canonical state holds for the members.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.reader import PackedDatabase
from solver.proof.packed.backup import Backup, mislabelled, missing_children
from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.checker import AllSeries, Checker, Findings, kinds_of, problems_of_states
from solver.proof.packed.loops.arrays import EXPANDED, Finder, StateArrays, ascending, places_of
from solver.proof.packed.rules import Places, among
from solver.proof.packed.symmetry import (
    ActionMoves,
    alike,
    problems_of_negated_play,
    problems_of_other_actions,
    problems_of_play,
    problems_of_turns,
    with_exchanged_players,
    without_other_moves,
)
from solver.rules.arrays import Flags, Keys, Labels
from solver.system.executors import OnProgress


class OpenedLoops(Checker):
    """A file that is to be proved frontier by frontier, and the arrays of its states."""

    def __init__(
        self, db: PackedDatabase, series: AllSeries, on_progress: OnProgress, folder: Path, *, by_class: bool
    ) -> None:
        """Open the file, as `Checker` does; the arrays are in `folder`."""
        super().__init__(db, series, on_progress, by_class=by_class)
        self.places = places_of(series)
        self.arrays = StateArrays(folder, sum(map(len, self.places.values())), self.code.dtype)
        self.starts = np.empty(0, np.int64)
        """Some of the states in which play begins, or all of them if states are proved class by class."""

    @cached_property
    def tiers(self) -> Keys | None:
        """The tier of the first state of each stage; None if the rules define none."""
        firsts = {stage: series.firsts[0] for (stage, _), series in self.series.items()}
        return self.rules.tiers(np.array(list(firsts.values())))

    @cached_property
    def finder(self) -> Finder:
        """The `Finder` of states in the arrays, once all have been read."""
        return Finder(self.rules, self.arrays.keys, self.places, self.tiers)


class Members(NamedTuple):
    """The members of some classes, without the canonical states."""

    keys: Keys
    canonical: Places
    """The index of the canonical state of each member."""


def members_of(keys: Keys, images: Sequence[Keys]) -> Members:
    """The members of the classes of canonical states, given their images under each symmetry."""
    members, canonical = [keys[:0]], [np.empty(0, np.intp)]
    for nth, image in enumerate(images):
        new = np.flatnonzero(~among(image, [keys, *images[:nth]]))
        members.append(image[new])
        canonical.append(new)
    return Members(np.concatenate(members), np.concatenate(canonical))


def problems_of_found_members(
    checker: OpenedLoops, stage: int, is_terminal: int, keys: Keys, labels: Labels
) -> Iterator[str]:
    """Yield members of classes that are not in a series with these labels; the others are marked."""
    own = checker.places.get((stage, is_terminal), range(0))
    keys, order = ascending(keys)
    places = checker.finder.find(keys, stage)
    there = (places >= own.start) & (places < own.stop)
    missing = "it is not there, but a state is that is symmetric to it"
    yield from checker.rules.each_wrong(keys, stage, ~there, missing)
    keys, places = keys[there], places[there]
    differs = checker.arrays.labels[places] != labels[order[there]]
    other = "its label is not that of a state that is symmetric to it"
    yield from checker.rules.each_wrong(keys, stage, differs, other)
    checker.arrays.mark(places, EXPANDED)


class StateExpansion:
    """Expands open states of one stage."""

    def __init__(self, checker: OpenedLoops, stage: int, mark: int) -> None:
        """Expand states at a stage, and set `mark` on each state that is first reached from them."""
        self._checker, self._stage, self._mark = checker, stage, mark
        self._rules, self._arrays = checker.rules, checker.arrays
        self._batches: list[tuple[Backup, list[ActionMoves]]] = []
        self._members: list[tuple[Keys, Labels]] = []

    @property
    def waiting(self) -> int:
        """The number of children that are not looked up yet."""
        return sum(len(moves.reached) for _, batch in self._batches for moves in batch)

    def add(self, places: Places) -> Findings:
        """Play all moves of some states, given by place; returns the findings that need no children."""
        rules, stage = self._rules, self._stage
        keys, labels = self._arrays.keys[places], self._arrays.labels[places]
        movers, images = rules.movers(keys), rules.images(keys)
        problems = [*problems_of_states(rules, keys, images, stage, is_terminal=False)]
        moves, exchanged = list[ActionMoves](), with_exchanged_players(rules, keys, images)
        played = list[int]()
        commuting = exchanged
        for play in rules.plays(keys):
            if rules.has_classes:
                problems.extend(problems_of_play(rules, keys, images, stage, play))
            commuting = alike(rules, commuting, play)
            problems.extend(problems_of_turns(rules, keys, stage, play))
            moves.append(ActionMoves(play.parents, play.representatives))
            played.append(play.action)
        problems.extend(problems_of_other_actions(rules, keys, images, stage, played))
        commuting = without_other_moves(rules, commuting, played)
        unlike = [states for nth, states in exchanged.items() if nth not in commuting]
        problems.extend(problems_of_negated_play(rules, keys, unlike, stage, moves))
        self._batches.append((Backup.none(LabelledStates(keys, labels), movers), moves))
        if not rules.by_class:
            number = sum(len(action.parents) for action in moves)
            return Findings(tuple(problems), kinds_of(stage, 0, movers, labels), number)
        members = members_of(keys, images)
        self._members.append((members.keys, labels[members.canonical]))
        sizes = 1 + np.bincount(members.canonical, minlength=len(keys))  # with the canonical states
        kinds = kinds_of(stage, 0, movers.repeat(sizes), labels.repeat(sizes))
        return Findings(tuple(problems), kinds, sum(int(sizes[action.parents].sum()) for action in moves))

    def finish(self) -> Iterator[str]:
        """Look up the children, mark them, and yield the problems that they show."""
        batches, members = self._batches, self._members
        self._batches, self._members = [], []
        yield from self._relaxed([(backup, *action) for backup, moves in batches for action in moves])
        if members:
            keys, labels = map(np.concatenate, zip(*members, strict=True))
            yield from problems_of_found_members(self._checker, self._stage, 0, keys, labels)
        for backup, _ in batches:
            yield from mislabelled(self._rules, self._checker.code, self._stage, backup)

    def _relaxed(self, moves: Sequence[tuple[Backup, Places, Keys]]) -> Iterator[str]:
        """Relax the parents of all moves by the labels of their children; yield children not found."""
        if not moves:
            return
        labels, lost = self._looked_up(np.concatenate([children for _, _, children in moves]))
        labels, begin = self._rules.of_children(labels), 0
        for backup, parents, children in moves:
            own = slice(begin, begin := begin + len(parents))
            backup.relax(parents, labels[own])
            if lost is not None:
                losers, missing = parents[lost[own]], children[lost[own]]
                backup.miss(losers)
                yield from missing_children(self._rules, self._stage, backup.keys[losers], missing)

    def _looked_up(self, children: Keys) -> tuple[Labels, Flags | None]:
        """Mark the children; return their labels, and which were not found, None if all were."""
        keys, order = ascending(children)
        firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        times = np.diff(firsts, append=len(keys))
        places = self._checker.finder.find(keys[firsts], self._stage)
        lost = places < 0
        self._arrays.mark(places[~lost], self._mark)

        def spread(of_keys: NDArray[Any]) -> NDArray[Any]:
            of_children = np.empty(len(children), of_keys.dtype)
            of_children[order] = np.repeat(of_keys, times)
            return of_children

        return spread(self._arrays.labels[places]), spread(lost) if lost.any() else None
