"""The states of a file as arrays that all processes of a proof share: files in a folder, mapped into memory.

    places    0     1     2    ...              the states in the order of the file, series by series
    keys      8 bytes each
    labels    1 to 8 bytes each                 for terminal states, derived from the utilities
    marks     1 byte each                       whether play reaches the state, see `loops.walk`

The system can reclaim mapped pages when memory is short. Disk space is reserved at the beginning, as a write
to a mapped page without any would kill the process.

A `Finder` finds the places of many states:

    children    12  14  19  23 ...     ascending, each once
    keys        10  12  14 | 17  18 | 19  21  23      slices of a series, searched one after the other

A slice fits a processor's cache, so the search reads a series from memory once, in order.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import DiskFull
from solver.proof.packed.checker import AllSeries
from solver.proof.packed.rules import CheckedRules, Places
from solver.rules.arrays import Keys, Labels, sorted_along

WRITTEN_AT_ONCE = 1 << 20
"""Bytes of zeros that are written at a time."""

EXPANDED = 3
"""The mark of a state that has been expanded, or proved with a symmetric one."""

Marks = NDArray[np.uint8]
"""A mark for each state; see `loops.walk`."""


@dataclass(frozen=True)
class StateArrays:
    """The arrays in a folder."""

    folder: Path
    states: int
    label_type: np.dtype[np.signedinteger]

    def reserve(self) -> None:
        """Create the files, all zeros; raises `DiskFull`."""
        size = self.states * (8 + self.label_type.itemsize + 1)
        try:
            for name, dtype in self._types.items():
                _reserve(self.folder / name, self.states * dtype.itemsize)
        except OSError as error:
            raise DiskFull(
                f"a proof of {self.states:,} states takes {size:,} bytes in {self.folder.parent} ({error}): "
                "make room there, or let TMPDIR name another folder"
            ) from error

    def write(self, place: int, keys: Keys, labels: Labels) -> None:
        """Store the keys and the labels of consecutive states, beginning at a place."""
        for name, values in (("keys", keys), ("labels", labels)):
            with (self.folder / name).open("r+b") as file:
                file.seek(place * values.itemsize)
                file.write(values.tobytes())

    @cached_property
    def keys(self) -> Keys:
        """The keys: int64, (states,)."""
        return self._mapped("keys", "r")

    @cached_property
    def labels(self) -> Labels:
        """The labels: (states,)."""
        return self._mapped("labels", "r")

    @cached_property
    def marks(self) -> Marks:
        """The marks, which can be written: uint8, (states,)."""
        return self._mapped("marks", "r+")

    def mark(self, places: Places, mark: int) -> None:
        """Mark the places that have no mark yet; processes that do so at the same time set the same mark."""
        self.marks[places[self.marks[places] == 0]] = mark

    @property
    def _types(self) -> dict[str, np.dtype[Any]]:
        return {"keys": np.dtype(np.int64), "labels": self.label_type, "marks": np.dtype(np.uint8)}

    def _mapped(self, name: str, mode: Any) -> NDArray[Any]:
        mapped = np.memmap(self.folder / name, self._types[name], mode, shape=(self.states,))
        return np.asarray(mapped)  # without the overhead of a subclass


def _reserve(path: Path, size: int) -> None:
    with path.open("wb") as file:
        for begin in range(0, size, WRITTEN_AT_ONCE):
            file.write(bytes(min(WRITTEN_AT_ONCE, size - begin)))


SLICE = 1 << 15
"""States of a series in a slice that is searched at a time."""


def places_of(series: AllSeries) -> Mapping[tuple[int, int], range]:
    """The places of each series, by (stage, is_terminal), in the order of the file."""
    places, begin = {}, 0
    for kind, stored in series.items():
        places[kind] = range(begin, begin + stored.states)
        begin += stored.states
    return places


class Finder:
    """Finds states by their keys."""

    def __init__(
        self, rules: CheckedRules, keys: Keys, places: Mapping[tuple[int, int], range], tiers: Keys | None
    ) -> None:
        """Find states in the `keys` of all places; `tiers` has each stage's tier, None if rules have none."""
        self._rules, self._tiers = rules, tiers
        self._series = defaultdict[int, list[_Series]](list)
        for (stage, _), at in places.items():
            self._series[stage].append(_Series(keys, at))

    def find(self, keys: Keys, stage: int) -> Places:
        """The place of each of these ascending keys; -1 if no stage from this one on has it."""
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
        places = np.full(len(keys), -1, np.intp)
        ends = np.append(keys.searchsorted(self._cuts), len(keys))
        for nth in np.flatnonzero(ends[1:] > ends[:-1]).tolist():  # slices that may hold some of the keys
            begin, sought = nth * SLICE, slice(int(ends[nth]), int(ends[nth + 1]))
            states = self._keys[begin : begin + SLICE]
            at = states.searchsorted(keys[sought])
            at[at == len(states)] = 0
            places[sought] = np.where(states[at] == keys[sought], at + (self._begin + begin), -1)
        return places


def ascending(keys: Keys) -> tuple[Keys, Places]:
    """The keys in ascending order, and the original index of each."""
    return sorted_along(keys, np.arange(len(keys)), len(keys).bit_length())
