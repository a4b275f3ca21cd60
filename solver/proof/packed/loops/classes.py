"""Looks up all members of symmetry classes of which one state is proved.

    canonical      12             17
    images         12 40 40 66    17 17 29 17
    members           40    66          29          each once, without the canonical state

`solver.proof.packed.symmetry` says why what is proved of a canonical state holds for the members.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.proof.packed.loops.arrays import EXPANDED, StateArrays
from solver.proof.packed.loops.places import Finder, ascending
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import among
from solver.rules.arrays import Keys, Labels


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
