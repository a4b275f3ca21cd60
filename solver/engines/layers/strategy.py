"""The choice between two methods from layer to layer: windows if they pay, otherwise sorting and search."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.sort_search import search_labels
from solver.engines.layers.windows import merge as windows
from solver.engines.layers.windows.streams import ChildStreams, LabelStreams, RunStreams, Unsorted
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.key_ranges import mean_gap, merged
from solver.engines.storage.labelled_layer import LabelledLayer
from solver.rules.arrays import Keys, Labels

MAX_GAP_FOR_BITS = 1 << 20
"""The mean gap between keys above which most windows of bits would have a single key."""

MAX_GAP_TO_MERGE = 1 << 18
"""The mean gap between keys, times the number of runs, above which runs are sorted, not merged."""

MIN_STATES_FOR_WINDOWS = 1 << 16
"""The number of states below which sorting is faster than opening windows."""


def large_enough_for_windows(files: Sequence[KeyFile]) -> bool:
    """Whether the files have enough keys for windows to pay."""
    return sum(file.states for file in files) >= MIN_STATES_FOR_WINDOWS


def is_dense_enough(layer: KeyFile) -> bool:
    """Whether windows of bits pay for the children of a layer."""
    return large_enough_for_windows([layer]) and mean_gap([layer]) <= MAX_GAP_FOR_BITS


def merged_runs(runs: Sequence[KeyFile], low: int, high: int) -> Iterator[Keys]:
    """Yield the keys of sorted runs in [low, high), in ascending order, without duplicates."""
    is_dense = mean_gap(runs) * len(runs) <= MAX_GAP_TO_MERGE
    if is_dense and large_enough_for_windows(runs):
        yield from windows.merged(RunStreams(runs, low, high), high)
    else:
        yield merged(runs, low, high)


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
