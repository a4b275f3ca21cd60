"""One layer from another through windows of the key space, each of which fits the processor's cache.

    children of the layer     |<--- task 0 --->|<--- task 1 --->|<--- task 2 --->|     ranges of the key space
    a task                    [ window ][ window ]   [ window ] ...                    merge_kernels.py

This rests on actions under which a larger parent has a larger child. That is seen, not believed: in a task
each child is compared with its window; and where the tasks, for each action, have played from every parent
once, each beginning where the one before it ended, no child is missing. Else there is `Disorder`, and the
layer is sorted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.storage.key_file import KeyFile, mean_gap
from solver.engines.layers.windows.child_streams import ChildStreams, Disorder
from solver.engines.layers.windows.label_kernels import take_best
from solver.engines.layers.windows.label_streams import LabelStreams
from solver.engines.layers.windows.merge_kernels import DISORDER, DONE, LOST, merge
from solver.errors import DamagedWork
from solver.rules.arrays import GREATEST, Keys, Labels

WINDOW = 1 << 20
"""The keys of a window of bits: 128 kB of them."""

TABLE = 1 << 19
"""The keys of a window of labels."""

DENSE = 1 << 11
"""Where keys are further apart than this, on average, they are looked up by hashing."""

SLOTS = 1 << 15
"""The places for keys in such a window."""

TASK = 1 << 22
"""About how many children there are in a task, each as often as it is found."""

SAMPLES = 16
"""From so many pieces it is guessed how the children are spread."""


class Rows(Protocol):
    """Keys that wait in rows to be merged, each row in ascending order: see merge_kernels.py."""

    children: Keys
    at: Keys
    counts: Keys
    more: NDArray[np.uint8]
    window: Keys

    def fill(self, row: int) -> None:
        """Fill a row with its next keys; it stays empty when there are no more."""


class PlayedRows(Rows, Protocol):
    """Such rows of children, and what `Rules.children` says of the parents of each."""

    parents: NDArray[np.int32]


@dataclass(frozen=True)
class Task:
    """A range of the key space, and for each action from which parent on its children are in it."""

    low: int
    stop: int
    begins: Keys
    ends: Keys


def tasks(played: LayerExpansion, ply: int) -> list[Task]:
    """The ranges in which the children of a layer, at `ply`, are found."""
    bounds = _bounds(played)
    numbers = played.engine.each(
        lambda action: [0, *(played.number(action, bound) for bound in bounds), played.layer.states],
        range(played.actions),
    )
    found = []
    for number in numbers:
        found.append(number)
        done = len(found) * played.layer.states // played.actions
        played.engine.progress("dividing states", done, played.layer.states, ply)
    places = np.array(found, np.int64).T
    ranges = pairwise([0, *bounds, GREATEST])
    return [Task(*each, *between) for each, between in zip(ranges, pairwise(places), strict=True)]


def children_in(played: LayerExpansion, task: Task, beside: KeyFile | None = None) -> Iterator[Keys]:
    """The children of a layer, and the keys of a file, in the range of a task, sorted, each once.

    Raises `Disorder`.
    """
    waiting = ChildStreams(played, 0, played.layer.pieces, beside)
    waiting.skip_to(task.begins, task.low)
    for keys in merged(waiting, task.stop):
        if keys[0] < task.low:
            raise Disorder
        yield keys
    if (waiting.numbers() != task.ends).any():
        raise Disorder


def merged(rows: Rows, stop: int) -> Iterator[Keys]:
    """What waits below `stop` in rows that are filled already, sorted, each key once; raises `Disorder`."""
    bits, summary = np.zeros(WINDOW // 64, np.uint64), np.zeros(WINDOW // 4096, np.uint64)
    out, used, reason = np.empty(2 * WINDOW, np.int64), 0, 0
    while reason != DONE:
        found, reason = merge(
            rows.children, rows.at, rows.counts, rows.more, rows.window, stop, bits, summary, out[used:]
        )
        used += found
        if reason == DISORDER:
            raise Disorder
        if reason >= 0:
            rows.fill(reason)
        elif used:
            yield out[:used]
            used = 0


def take_labels(rows: PlayedRows, below: LabelStreams, best: Labels) -> None:
    """Give the parents of the children in `rows` their best labels; raises `Disorder` and `DamagedWork`.

    `best` must begin with numbers below every label.
    """
    dense = mean_gap(row.file for row in below.layer.rows) <= DENSE
    table = np.empty(TABLE if dense else SLOTS, best.dtype)
    slots = np.empty(0 if dense else SLOTS, np.int64)
    while True:
        reason = take_best(
            rows.children, rows.parents, rows.at, rows.counts, rows.more, rows.window, table, slots,
            below.keys, below.labels, below.at, below.counts, below.more, best,
        )  # fmt: skip
        if reason == DONE:
            return
        if reason == DISORDER:
            raise Disorder
        if reason == LOST:
            raise DamagedWork(f"the work has lost states of ply {below.layer.ply}: remove it and solve again")
        if reason < len(rows.at):
            rows.fill(reason)
        else:
            below.fill(reason - len(rows.at), int(rows.window[0]))


def labels_of(keys: Keys, below: LabelStreams) -> Labels:
    """The labels of ascending keys, all of which are below."""
    labels: Labels = np.full(len(keys), np.iinfo(below.layer.form.dtype).min, below.layer.form.dtype)
    take_labels(_Sought(keys), below, labels)
    return labels


class _Sought:
    """Keys whose labels are sought, as the children of as many parents, in one row."""

    def __init__(self, keys: Keys) -> None:
        self.children = keys[np.newaxis]
        self.parents = 2 * np.arange(len(keys), dtype=np.int32)[np.newaxis]
        self.at, self.counts = np.zeros(1, np.int64), np.array([len(keys)], np.int64)
        self.more, self.window = np.zeros(1, np.uint8), np.zeros(3, np.int64)

    def fill(self, row: int) -> None:
        """Do nothing: the row is full from the outset."""


def _bounds(played: LayerExpansion) -> list[int]:
    """Keys that cut the children of a layer into about equal parts."""
    layer, rules = played.layer, played.engine.rules
    step = max(1, layer.pieces // SAMPLES)
    found = [
        rules.children(layer.read(piece, piece + 1), action)[0]
        for piece in range(0, layer.pieces, step)
        for action in range(played.actions)
    ]
    sample = np.sort(np.concatenate(found))
    parts = max(2, len(sample) * step // TASK)
    cuts = sample[[len(sample) * nth // parts for nth in range(1, parts)]] if len(sample) else sample
    return sorted({*cuts.tolist()} - {0})
