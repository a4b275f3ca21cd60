"""From layer to layer: by windows if they pay, otherwise by sorting.

Sorting is for any rules, and for small layers:

layer        3   7   9            ascending
action 0     4   8   .            children; the action is not legal in 9
action 1    25  23  19            in any order
next layer   4   8  19  23  25    sorted, without duplicates; backward, sorted children are looked up in it

The children of many parents are sorted in runs on disk, which are merged range by range:

    run 0    |  3  9   |  12   31  40   |  77      |
    run 1    |  4      |  11   12       |  60  90  |
    sorted   |  3 4 9  |  11 12 31 40   |  60 77 90|

Source: D. E. Knuth, The Art of Computer Programming, volume 3, section 5.4.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE
from solver.engines.layers.opened import LayerExpansion, Layers
from solver.engines.layers.windows import merge as windows
from solver.engines.layers.windows.streams import ChildStreams, LabelStreams, Unsorted
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, key_shards
from solver.engines.storage.labelled_layer import LabelledLayer
from solver.engines.storage.merging import Names
from solver.engines.storage.steps import Answer
from solver.errors import UnfitRules
from solver.rules.arrays import MAX_STATE, Keys, Labels, distinct, sorted_along
from solver.system.executors import OnProgress

PORTIONS_PER_RUN = 64
"""The most portions of parents, sorted one by one, whose children make a run."""

RunKind: TypeAlias = Literal["children.run", "representatives.run"]
"""Runs of all children, or of the canonical forms of the non-canonical children only."""


@dataclass(frozen=True)
class SortChildren:
    """Sort the children, at `ply`, of some pieces of a layer."""

    ply: int
    nth: int
    which: RunKind
    begin: int
    end: int

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Write the children as a sorted run."""
        context, layer = layers.context, layers.expansion(self.ply - 1).layer
        portions, states, size = list[Keys](), 0, _pieces_per_sort(context)
        for begin in range(self.begin, self.end, size):
            context.check_cancelled()
            parents = layer.read(begin, min(begin + size, self.end))
            portions.append(_sorted_children(context, parents, self.which))
            states += len(parents)
            on_progress(len(parents))
        keys = distinct(np.concatenate(portions)) if len(portions) > 1 else portions[0]
        write_run(context, self.ply, self.which, self.nth, keys)
        return {"states": states}


def write_run(context: SolveContext, ply: int, kind: str, nth: int, keys: Keys) -> None:
    """Write a run of ascending keys; raises `UnfitRules` for `MAX_STATE`, the bound of the last key range."""
    if len(keys) and keys[-1] >= MAX_STATE:
        raise UnfitRules(f"the layers engine cannot solve this game: it has the state {keys[-1]}, 2**63 - 1")
    with key_shards(context, ply, nth, kind) as (file,):
        file.add(keys)


def _pieces_per_sort(context: SolveContext) -> int:
    """The number of pieces of a layer whose children one thread sorts at a time."""
    return max(1, context.keys_per_sort // (PIECE * context.rules.action_count))


def sort_children(
    opened: Layers, ply: int, which: RunKind, on_progress: OnProgress, *, per_parent: float = inf
) -> Names:
    """Write the children at `ply` as sorted runs, in a step; return the names of the runs.

    A parent has about `per_parent` children in the runs: the fewer these are, the more parents a run takes.
    """
    context, pieces = opened.context, opened.expansion(ply - 1).layer.pieces
    portion = _pieces_per_sort(context)
    fitting = min(PORTIONS_PER_RUN, int(context.rules.action_count / per_parent))
    size = portion * max(1, min(fitting, pieces // portion // context.job.shards))
    tasks = [
        SortChildren(ply, nth, which, begin, min(begin + size, pieces))
        for nth, begin in enumerate(range(0, pieces, size))
    ]
    opened.run(f"{ply:04}.{which}", tasks, on_progress)
    return tuple(path.name for path in context.work.shards(ply, which, len(tasks)))


def _sorted_children(context: SolveContext, parents: Keys, which: RunKind) -> Keys:
    """The children of some states, sorted, without duplicates; in a folded solve their canonical forms."""
    rules, (keys, _) = context.rules, context.rules.every_child(parents)
    if which == "representatives.run":
        keys = keys.take(np.flatnonzero(rules.canonical(keys) != keys))
    else:
        keys = distinct(keys)
    return distinct(rules.representatives(keys)) if context.fold else keys


def search_labels(
    context: SolveContext,
    layer: KeyFile,
    begin: int,
    end: int,
    below: LabelledLayer,
    best: Labels,
    report: Callable[[float], object],
) -> int:
    """Write the best labels of the states in the pieces [begin, end) of a layer; return the number of moves.

    `best` gets the labels; it must be filled with the least integer of its dtype, which is no label. `report`
    is called with the fraction of the work that is done. Raises `DamagedWork` if a child is not in the layer
    `below`.
    """
    moves, none = 0, np.iinfo(best.dtype).min
    size = max(1, context.keys_per_sort // (4 * PIECE))  # in parts that fit into memory, with children
    for at in range(begin, end, size):
        parents = layer.read(at, min(end, at + size))
        of_parents = best[int(layer.begins[at] - layer.begins[begin]) :][: len(parents)]
        part = min(size, end - at)
        for action in range(context.rules.action_count):
            report((at - begin + part * action / context.rules.action_count) / (end - begin))
            context.check_cancelled()
            children, codes = context.rules.children(parents, action)
            children, codes = sorted_along(children, codes, 1 + len(parents).bit_length())
            offered, places, sign = below.labels_of(children), codes >> 1, 1 - 2 * (codes & 1)
            before = of_parents[places]
            better = (before == none) | (sign * offered > sign * before)
            of_parents[places[better]] = offered[better]
            moves += len(children)
    return moves


MAX_GAP_FOR_BITS = 1 << 20
"""The mean gap between keys above which most windows of bits would have a single key."""

MIN_STATES_FOR_WINDOWS = 1 << 16
"""The number of states below which sorting is faster than opening windows."""


def large_enough_for_windows(files: Sequence[KeyFile]) -> bool:
    """Whether the files have enough keys for windows to pay."""
    return sum(file.states for file in files) >= MIN_STATES_FOR_WINDOWS


def is_dense_enough(layer: KeyFile) -> bool:
    """Whether windows of bits pay for the children of a layer."""
    if not large_enough_for_windows([layer]):
        return False
    mean_gap = int(layer.firsts[-1] - layer.firsts[0]) // layer.states
    return mean_gap <= MAX_GAP_FOR_BITS


def best_labels(
    expansion: LayerExpansion, begin: int, end: int, below: LabelledLayer, report: Callable[[float], object]
) -> tuple[Labels, int]:
    """The labels of the states in the pieces [begin, end) of a layer, and the number of their moves.

    A state without moves gets the least integer of the dtype. `report` is called with the fraction of the
    work that is done, which may start again from 0.
    """
    context, layer = expansion.context, expansion.layer
    states = int(layer.begins[end] - layer.begins[begin])
    least = np.iinfo(below.code.dtype).min
    best: Labels = np.full(states, least, below.code.dtype)
    if large_enough_for_windows([layer]):
        children = ChildStreams(expansion, begin, end, report=report)
        for action in range(children.actions):
            children.fill(action)
        with suppress(Unsorted):
            windows.relax_all(children, LabelStreams(below), best)
            return best, children.moves
        best.fill(least)
    return best, search_labels(context, layer, begin, end, below, best, report)
