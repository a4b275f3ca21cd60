"""Finds the places of many states in the arrays of a proof.

    children    12  14  19  23 ...     ascending, each once
    keys        10  12  14 | 17  18 | 19  21  23      slices of a series, searched one after the other

A slice fits a processor's cache; so a search through a series reads it from memory once, in order.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from solver.proof.packed.checker import AllSeries
from solver.proof.packed.rules import CheckedRules, Places
from solver.rules.arrays import Keys

SLICE = 1 << 15
"""States of a series that are searched at a time."""

SORTED_BITS = 63
"""Bits of a key and its index together, for both to be sorted as one integer."""


def places_of(series: AllSeries) -> Mapping[tuple[int, int], range]:
    """The places of each series, by stage and is_terminal: they follow each other as in the file."""
    places, begin = {}, 0
    for kind, each in series.items():
        places[kind] = range(begin, begin + each.states)
        begin += each.states
    return places


class Finder:
    """Finds states by their keys."""

    def __init__(
        self, rules: CheckedRules, keys: Keys, places: Mapping[tuple[int, int], range], tiers: Keys | None
    ) -> None:
        """Find states in the `keys` of all places; `tiers` has that of each stage, if the rules tell any."""
        self._rules, self._tiers = rules, tiers
        self._series = defaultdict[int, list[_Series]](list)
        for (stage, _), at in places.items():
            self._series[stage].append(_Series(keys, at))

    def find(self, keys: Keys, stage: int) -> Places:
        """The place of each key, given in ascending order; -1 if no stage from this one on has it."""
        if self._tiers is None:
            return self._find(0, keys)
        tiers = self._rules.tiers(keys)
        if tiers is None or not len(keys):
            return np.full(len(keys), -1, np.intp)
        places, lowest, highest = np.full(len(keys), -1, np.intp), tiers.min(), tiers.max()
        for at, tier in enumerate(self._tiers[stage:].tolist(), start=stage):
            if lowest <= tier <= highest:
                own = np.flatnonzero(tiers == tier)
                places[own] = self._find(at, keys[own])
        return places

    def _find(self, stage: int, keys: Keys) -> Places:
        """The place of each key; -1 if it is not at this stage."""
        first, *others = self._series[stage]
        places = first.find(keys)
        for series in others:
            left = np.flatnonzero(places < 0)
            places[left] = series.find(keys[left])
        return places


class _Series:
    """Finds states of one series."""

    def __init__(self, keys: Keys, places: range) -> None:
        self._keys, self._begin = keys[places.start : places.stop], places.start
        self._cuts = self._keys[::SLICE].copy()

    def find(self, keys: Keys) -> Places:
        """The place of each key; -1 if it is not in the series."""
        places = np.full(len(keys), -1, np.intp)
        for begin, sought in self._slices(keys):
            states = self._keys[begin : begin + SLICE]
            at = states.searchsorted(keys[sought])
            at[at == len(states)] = 0
            places[sought] = np.where(states[at] == keys[sought], at + (self._begin + begin), -1)
        return places

    def _slices(self, keys: Keys) -> Iterator[tuple[int, slice]]:
        """Where the slices begin that may hold some of the keys, each with the slice of those."""
        ends = np.append(keys.searchsorted(self._cuts), len(keys))
        for nth in np.flatnonzero(ends[1:] > ends[:-1]).tolist():
            yield nth * SLICE, slice(int(ends[nth]), int(ends[nth + 1]))


def ascending(keys: Keys) -> tuple[Keys, Places]:
    """The keys in ascending order, and the index that each had before.

    Where both fit into one integer, that is sorted, which takes half the time.
    """
    bits = len(keys).bit_length()
    if keys.min(initial=0) < 0 or keys.max(initial=0) >= 1 << (SORTED_BITS - bits):
        order = keys.argsort()
        return keys[order], order
    joined = keys << bits
    joined |= np.arange(len(keys))
    joined.sort()
    order = joined & ((1 << bits) - 1)
    joined >>= bits
    return joined, order
