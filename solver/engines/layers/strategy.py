"""Two ways from one layer to another: windows where they can be used, else sorting and searching."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from solver.engines.layers.context import SolveContext
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.external_sort import RunStreams, SortedRuns, ranges
from solver.engines.layers.sort_search import search_labels
from solver.engines.layers.storage.key_file import KeyFile, mean_gap
from solver.engines.layers.storage.labelled_layer import LabelledLayer
from solver.engines.layers.windows.child_streams import ChildStreams, Disorder
from solver.engines.layers.windows.label_streams import LabelStreams
from solver.rules.arrays import Keys, Labels

Result = TypeVar("Result")

SPARSE = 1 << 14
"""Where keys are further apart than this, on average, a window of bits would be nearly empty."""

SMALL = 1 << 16
"""Fewer states are sorted sooner than windows are opened."""


def windows_pay(files: Sequence[KeyFile]) -> bool:
    """Whether there are so many keys in files that windows are worth while, and numba to open them."""
    if sum(file.states for file in files) < SMALL:
        return False
    try:
        import solver.engines.layers.windows.merge  # noqa: F401
    except (ImportError, RuntimeError):  # no numba, or no place for what it compiles
        return False
    return True


def by_windows(files: Sequence[KeyFile]) -> bool:
    """Whether the keys of files, or those that they lead to, are found through windows of bits."""
    return windows_pay(files) and mean_gap(files) <= SPARSE


def merged_runs(runs: SortedRuns, low: int, high: int) -> Iterator[Keys]:
    """The keys of sorted runs from `low` on, below `high`, in ascending order, each once."""
    if by_windows(runs.files):
        from solver.engines.layers.windows import merge as windows

        rows = RunStreams(runs.files, low, high)
        for row in range(len(runs.files)):
            rows.fill(row)
        yield from windows.merged(rows, high)
    else:
        yield runs.between(low, high)


def from_runs(
    engine: SolveContext, scratch: Path, parts: Iterable[Keys], do: Callable[[Iterator[Keys]], Result]
) -> Iterator[Result]:
    """What `do` makes of the keys of sorted parts, range after range in ascending order, each key once.

    Meanwhile the parts are runs in files whose names begin with `scratch`.
    """
    runs = SortedRuns(scratch)
    try:
        for keys in filter(len, parts):
            engine.need_disk(2 * len(keys))
            runs.add(keys)
        yield from engine.each(lambda bounds: do(merged_runs(runs, *bounds)), ranges(runs.files, engine.room))
    finally:
        runs.remove()


def best_labels(
    played: LayerExpansion, begin: int, end: int, below: LabelledLayer, reached: Callable[[float], object]
) -> tuple[Labels, int]:
    """The best labels, for the players to move, of the states in some pieces of a layer; and how many moves.

    A state without a move has the least number instead of a label. `reached` is told what part of the work is
    done, which may begin again.
    """
    engine, layer = played.engine, played.layer
    states = int(layer.begins[end] - layer.begins[begin])
    least = np.iinfo(below.form.dtype).min
    if windows_pay([layer]):
        from solver.engines.layers.windows import merge as windows

        best: Labels = np.full(states, least, below.form.dtype)
        waiting = ChildStreams(played, begin, end, reached=reached)
        waiting.fill_all()
        try:
            windows.take_labels(waiting, LabelStreams(below), best)
        except Disorder:
            pass
        else:
            return best, waiting.moves
    best = np.full(states, least, below.form.dtype)
    return best, search_labels(engine, layer, begin, end, below, best, reached)
