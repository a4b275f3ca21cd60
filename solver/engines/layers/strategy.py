"""The choice between two ways from layer to layer: windows where they pay, otherwise sorting and search."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from solver.engines.context import SolveContext
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.external_sort import RunStreams, SortedRuns, ranges
from solver.engines.layers.sort_search import search_labels
from solver.engines.layers.windows.child_streams import ChildStreams, Unsorted
from solver.engines.layers.windows.label_streams import LabelStreams
from solver.engines.storage.key_file import KeyFile, mean_gap
from solver.engines.storage.labelled_layer import LabelledLayer
from solver.rules.arrays import Keys, Labels

Result = TypeVar("Result")

MAX_GAP_FOR_BITS = 1 << 14
"""Mean difference of neighbouring keys above which a window of bits would be nearly empty."""

MIN_STATES_FOR_WINDOWS = 1 << 16
"""States below which sorting takes less time than opening windows."""


def large_enough_for_windows(files: Sequence[KeyFile]) -> bool:
    """Return whether the files have enough keys for windows to pay, and numba can compile the kernels."""
    if sum(file.states for file in files) < MIN_STATES_FOR_WINDOWS:
        return False
    try:
        import solver.engines.layers.windows.merge  # noqa: F401
    except (ImportError, RuntimeError):  # no numba, or no folder for its cache
        return False
    return True


def is_dense_enough(files: Sequence[KeyFile]) -> bool:
    """Return whether windows of bits pay for the keys of the files, or for their children."""
    return large_enough_for_windows(files) and mean_gap(files) <= MAX_GAP_FOR_BITS


def merged_runs(runs: SortedRuns, low: int, high: int) -> Iterator[Keys]:
    """Yield the keys of sorted runs in [low, high), in ascending order, without duplicates."""
    if is_dense_enough(runs.files):
        from solver.engines.layers.windows import merge as windows

        rows = RunStreams(runs.files, low, high)
        for row in range(len(runs.files)):
            rows.fill(row)
        yield from windows.merged(rows, high)
    else:
        yield runs.between(low, high)


def map_sorted_ranges(
    context: SolveContext,
    scratch: Path,
    parts: Iterable[Keys],
    work: Callable[[Iterator[Keys]], Result],
    report: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[Result]:
    """Sort `parts`, each sorted by itself, and yield `work(keys)` for range after range of the keys.

    The ranges ascend, and so do the keys in each, without duplicates. Until then the parts are runs in files
    whose names begin with `scratch`. `report` is called with the number of keys of the runs that are merged,
    about, and that of all.
    """
    runs = SortedRuns(scratch)
    try:
        for keys in filter(len, parts):
            context.need_disk(2 * len(keys))
            runs.add(keys)
        key_ranges = list(ranges(runs.files, context.keys_per_sort))
        total = sum(file.states for file in runs.files)
        merged = context.map_ordered(lambda key_range: work(merged_runs(runs, *key_range)), key_ranges)
        for nth, result in enumerate(merged, start=1):
            yield result
            report(nth * total // len(key_ranges), total)
    finally:
        runs.remove()


def best_labels(
    expansion: LayerExpansion, begin: int, end: int, below: LabelledLayer, report: Callable[[float], object]
) -> tuple[Labels, int]:
    """Return the labels of the states in the pieces [begin, end) of a layer, and the number of their moves.

    Each label is for the player to move; a state without a move gets the least number of the dtype. `report`
    is called with the fraction of the work that is done, which may start again from 0.
    """
    context, layer = expansion.context, expansion.layer
    states = int(layer.begins[end] - layer.begins[begin])
    least = np.iinfo(below.form.dtype).min
    if large_enough_for_windows([layer]):
        from solver.engines.layers.windows import merge as windows

        best: Labels = np.full(states, least, below.form.dtype)
        children = ChildStreams(expansion, begin, end, report=report)
        children.fill_all()
        try:
            windows.relax_all(children, LabelStreams(below), best)
        except Unsorted:
            pass
        else:
            return best, children.moves
    best = np.full(states, least, below.form.dtype)
    return best, search_labels(context, layer, begin, end, below, best, report)
