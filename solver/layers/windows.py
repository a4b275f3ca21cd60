"""One layer from another through windows of the key space: no sorting, no hashing, no searching.

    children of the layer     |<--- task 0 --->|<--- task 1 --->|<--- task 2 --->|     ranges of the key space
    a task                    [ window ][ window ]   [ window ] ...                    kernels.py says how

This rests on actions under which a larger parent has a larger child. That is seen, not believed: in a task
each child is compared with its window; and where the tasks, for each action, have played from every parent
once, each beginning where the one before it ended, no child is missing. Else there is `Disorder`, and the
layer is sorted.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.arrays import Keys, Labels
from solver.layers.below import Below
from solver.layers.kernels import DISORDER, DONE, GREATEST, merge, take_best
from solver.layers.keyfile import KeyFile
from solver.layers.rules import Rules
from solver.layers.waiting import Disorder, Waiting

WINDOW = 1 << 20
"""The keys of a window of bits: 128 kB of them."""

TABLE = 1 << 19
"""The keys of a window of labels."""

TASK = 1 << 22
"""About how many children there are in a task, each as often as it is found."""

SAMPLES = 64
"""From so many pieces it is guessed how the children are spread."""


@dataclass(frozen=True)
class Task:
    """A range of the key space, and for each action from which parent on its children are in it."""

    low: int
    stop: int
    begins: Keys
    ends: Keys


def tasks(rules: Rules, layer: KeyFile) -> list[Task]:
    """The ranges in which the children of a layer are found."""
    bounds = _bounds(rules, layer)
    places = [np.zeros(rules.action_count, np.int64)]
    places += [_places(rules, layer, bound) for bound in bounds]
    places += [np.full(rules.action_count, layer.states)]
    cuts = [0, *bounds, GREATEST]
    return [Task(cuts[nth], cuts[nth + 1], places[nth], places[nth + 1]) for nth in range(len(cuts) - 1)]


def children_in(rules: Rules, layer: KeyFile, task: Task) -> Iterator[Keys]:
    """The children of a layer in the range of a task, sorted, each once; raises `Disorder`."""
    waiting = Waiting(rules, layer, 0, layer.pieces)
    waiting.skip_to(task.begins)
    bits, summary = np.zeros(WINDOW // 64, np.uint64), np.zeros(WINDOW // 4096, np.uint64)
    out = np.empty(2 * WINDOW, np.int64)
    reason, used = 0, 0
    while reason != DONE:
        found, reason = merge(
            waiting.children,
            waiting.at,
            waiting.counts,
            waiting.more,
            waiting.window,
            task.stop,
            bits,
            summary,
            out[used:],
        )
        used += found
        if reason == DISORDER or (used and out[0] < task.low):
            raise Disorder
        if reason >= 0:
            waiting.fill(reason)
        elif used:
            yield out[:used]
            used = 0
    if (waiting.places() != task.ends).any():
        raise Disorder


def take_labels(rules: Rules, layer: KeyFile, begin: int, end: int, below: Below, best: Labels) -> int:
    """The number of moves in some pieces of a layer; `best` gets the best labels for the players to move.

    It must begin with numbers below every label. Raises `Disorder`.
    """
    waiting = Waiting(rules, layer, begin, end)
    waiting.fill_all()
    table = np.empty(TABLE, best.dtype)
    while True:
        reason = take_best(
            waiting.children, waiting.parents, waiting.at, waiting.counts, waiting.more, waiting.window, table,
            below.keys, below.labels, below.at, below.counts, below.more, best,
        )  # fmt: skip
        if reason == DONE:
            return waiting.moves
        if reason == DISORDER:
            raise Disorder
        if reason < rules.action_count:
            waiting.fill(reason)
        else:
            below.fill(reason - rules.action_count, int(waiting.window[0]))


def _bounds(rules: Rules, layer: KeyFile) -> list[int]:
    """Keys that cut the children of a layer into about equal parts."""
    step = max(1, layer.pieces // SAMPLES)
    found = [
        rules.children(layer.read(piece, piece + 1), action)[0]
        for piece in range(0, layer.pieces, step)
        for action in range(rules.action_count)
    ]
    sample = np.sort(np.concatenate(found))
    parts = max(2, len(sample) * step // TASK)
    cuts = sample[[len(sample) * nth // parts for nth in range(1, parts)]] if len(sample) else sample
    return sorted({*cuts.tolist()} - {0})


def _places(rules: Rules, layer: KeyFile, bound: int) -> Keys:
    """For each action the number of the first parent that leads to `bound` or beyond."""
    return np.array([_place(rules, layer, bound, action) for action in range(rules.action_count)], np.int64)


def _place(rules: Rules, layer: KeyFile, bound: int, action: int) -> int:
    begin, end = 0, layer.pieces
    while begin < end:
        middle = (begin + end) // 2
        at, children = middle, np.empty(0, np.int64)
        while at < end and not len(children):
            children, _ = rules.children(layer.read(at, at + 1), action)
            at += 1
        if not len(children) or children[-1] >= bound:
            end = middle
        else:
            begin = at
    while begin < layer.pieces:
        children, parents = rules.children(layer.read(begin, begin + 1), action)
        if len(children) and children[-1] >= bound:
            return int(layer.begins[begin] + (parents[np.searchsorted(children, bound)] >> 1))
        begin += 1
    return layer.states
