"""Sorts more keys than fit into memory: sorted runs on disk, then range after range out of all of them.

    run 0    |  3  9   |  12   31  40   |  77      |
    run 1    |  4      |  11   12       |  60  90  |
    sorted   |  3 4 9  |  11 12 31 40   |  60 77 90|       a range at a time, each key once

A key may have a label, which goes with it; the same key always has the same label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from solver.database.packed.gap_codec import PIECE, packed
from solver.engines.layers.storage.key_file import KeyFile, KeyWriter
from solver.engines.layers.storage.labelled_layer import LabelFile
from solver.errors import UnfitRules
from solver.rules.arrays import GREATEST, Keys, Labels


def distinct(keys: Keys) -> Keys:
    """The keys in ascending order, each once."""
    if len(keys) and not (keys[1:] > keys[:-1]).all():
        keys = np.sort(keys)
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
    return keys


def distinct_pairs(keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """The keys in ascending order, each once, and their labels.

    A key of up to 55 bits and a label of 8 are sorted as one integer, which takes a quarter of the time.
    """
    if labels.dtype == np.int8 and keys.max(initial=0) < 1 << 55:
        pairs = distinct(keys << 8 | labels.view(np.uint8))
        return pairs >> 8, pairs.astype(np.int8)
    order = np.argsort(keys)
    keys, labels = keys[order], labels[order]
    first = np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1]))
    return keys[first], labels[first]


class RunStreams:
    """The keys of sorted runs from `low` on, below `high`, as rows that windows merge."""

    def __init__(self, files: Sequence[KeyFile], low: int, high: int) -> None:
        """Begin with each file where its keys reach `low`."""
        self._files = files
        self._next = [file.place(low) for file in files]
        self._ends = [file.place(high) for file in files]
        self.children = np.empty((len(files), 2 * PIECE), np.int64)
        self.at = np.zeros(len(files), np.int64)
        self.counts = np.zeros(len(files), np.int64)
        self.more = np.ones(len(files), np.uint8)
        self.window = np.zeros(2, np.int64)

    def fill(self, row: int) -> None:
        """Fill a row with its next keys; it stays empty when there are no more."""
        begin = self._next[row]
        self._next[row] = end = min(self._ends[row], begin + 2 * PIECE)
        self.children[row, : end - begin] = self._files[row].read_states(begin, end)
        self.at[row], self.counts[row], self.more[row] = 0, end - begin, end > begin


def ranges(files: Iterable[KeyFile], room: int) -> Iterator[tuple[int, int]]:
    """Ranges of keys that cover all files, with about `room` keys in each: from, and to before."""
    files = list(files)
    if not files:
        return
    firsts = np.concatenate([file.firsts for file in files])
    counts = np.concatenate([np.diff(file.begins) for file in files])
    order = np.argsort(firsts, kind="stable")
    parts = np.cumsum(counts[order]) // room
    cuts = np.flatnonzero(parts[1:] != parts[:-1]) + 1
    bounds = sorted({0, *firsts[order][cuts].tolist(), GREATEST})
    yield from pairwise(bounds)


@dataclass
class SortedRuns:
    """Sorted runs on disk, the files of which begin with the name `scratch`."""

    scratch: Path
    files: list[KeyFile] = field(default_factory=list)
    labels: list[LabelFile] = field(default_factory=list)
    """Of each file; none where keys have no labels."""

    def add(self, keys: Keys, labels: Labels | None = None) -> None:
        """Write a run: ascending keys, each once, and their labels.

        Raises `UnfitRules` where a key is not below `GREATEST`, which is what ranges of keys end with.
        """
        if keys[-1] >= GREATEST:
            raise UnfitRules(
                f"the layers engine cannot solve this game: it has the state {keys[-1]}, 2**63 - 1"
            )
        path = self._path(len(self.files), "keys")
        with KeyWriter(path, durable=False) as writer:
            writer.write(packed(keys))
        self.files.append(KeyFile(path))
        if labels is not None:
            path = self._path(len(self.labels), "labels")
            labels.tofile(path)
            self.labels.append(LabelFile(path, labels.dtype))

    def between(self, low: int, high: int) -> Keys:
        """The keys of all runs from `low` on, below `high`, in ascending order, each once."""
        return distinct(np.concatenate([run.between(low, high) for run in self.files]))

    def remove(self) -> None:
        """Remove all runs."""
        for nth in range(len(self.files)):
            for kind in ("keys", "labels"):
                self._path(nth, kind).unlink(missing_ok=True)
        self.files, self.labels = [], []

    def _path(self, nth: int, kind: str) -> Path:
        return self.scratch.with_name(f"{self.scratch.name}.{nth}.{kind}.run")
