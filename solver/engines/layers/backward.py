"""The backward pass: backward induction from the last layer to the first, and the blocks of the database.

0007.going  --+                              +-->  0007.labels, for ply 6
              +--> best labels of children   +-->  0007.blocks, for the database
0008.*      --+                              +-->  0007.solved, the counts
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.database.packed.label_code import LabelCode
from solver.engines.context import SolveContext
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.external_sort import SortedRuns
from solver.engines.layers.orbits import with_orbit_images
from solver.engines.layers.strategy import best_labels
from solver.engines.storage.blocks import encode_part, parts_of, write_blocks
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.errors import BrokenRules
from solver.rules.arrays import Labels
from solver.system.files import flush

PIECES_PER_READ = 64
"""Pieces of keys that are read at a time to turn their labels."""


def label_layers(context: SolveContext, form: LabelCode, layers: Sequence[dict[str, Any]]) -> None:
    """Write labels and blocks of all layers to the work folder, from the last layer to the first."""
    sizes = [layer["going"] + layer["ended"] for layer in layers]
    for ply in reversed(range(len(layers))):
        if context.work.facts(f"{ply:04}.solved") is None:
            progress = _BackwardProgress(context, ply, sum(sizes[ply + 1 :]), sum(sizes))
            facts = _label_layer(context, form, ply, progress, last=ply == len(layers) - 1)
            context.work.finish(f"{ply:04}.solved", facts)
        context.work.drop(ply + 1, "going", "ended", "standing", "labels")


@dataclass
class _BackwardProgress:
    """Progress of the backward pass, shared by all threads.

    The work on a state counts in equal shares: labelling it, turning its label into one for the first player,
    encoding it into a block, and in a folded solve adding the images of the states of the next layer.
    """

    context: SolveContext
    ply: int
    done: float
    total: int
    lock: Lock = field(default_factory=Lock)

    @property
    def shares(self) -> int:
        """The number of shares of the work on a state."""
        return 4 if self.context.fold else 3

    def add(self, states: float) -> None:
        """Count one share of the work on `states` states as done."""
        with self.lock:
            self.done += states / self.shares
            self.context.progress("labelling", round(self.done), self.total, self.ply)

    def fraction_of(self, states: int) -> Callable[[float], None]:
        """Return a function to call with the fraction, in [0, 1], of one share for `states` that is done.

        A fraction less than an earlier one is ignored.
        """
        known = 0.0

        def report(fraction: float) -> None:
            nonlocal known
            if fraction > known:
                self.add(states * (fraction - known))
                known = fraction

        return report


def _label_layer(
    context: SolveContext, form: LabelCode, ply: int, progress: _BackwardProgress, *, last: bool
) -> dict[str, Any]:
    """Write labels and blocks of one layer to disk; return its number of moves and the counts by kind."""
    work, moves = context.work, 0
    with work.file(ply, "labels").open("wb") as file:
        if not last:
            for labels, count in _labels(context, form, ply, progress):
                context.need_disk(labels.nbytes)
                labels.tofile(file)
                moves += count
        flush(file.fileno())
    layer = _labelled_layer(context, form, ply)
    counts: Counter[tuple[int, int, int]] = Counter()
    with work.file(ply, "blocks").open("wb") as file:
        for blocks, kinds in context.map_ordered(lambda part: encode_part(layer, *part), parts_of(layer)):
            context.need_disk(sum(len(block.keys) for block in blocks))
            write_blocks(file, blocks)
            counts.update(kinds)
            progress.add(sum(block.states * progress.shares**block.is_terminal for block in blocks))
        file.flush()
        flush(file.fileno())
    return {"moves": moves, "counts": [[*kind, count] for kind, count in sorted(counts.items())]}


def _labels(
    context: SolveContext, form: LabelCode, ply: int, progress: _BackwardProgress
) -> Iterator[tuple[Labels, int]]:
    """Yield (labels, number of moves) for the open states of a layer, in parts, in ascending order."""
    below = _labelled_layer(context, form, ply + 1)
    runs = SortedRuns(context.work.file(ply + 1, "images"))
    try:
        if context.fold:
            report = progress.fraction_of(context.work.open_states(ply).states)
            below = with_orbit_images(context, below, runs, report)
        yield from _labels_from(context, ply, below, progress)
    finally:
        runs.remove()


def _labels_from(
    context: SolveContext, ply: int, below: LabelledLayer, progress: _BackwardProgress
) -> Iterator[tuple[Labels, int]]:
    layer = context.work.open_states(ply)
    share = -(-layer.pieces // context.threads)
    limit = context.memory // (4 * (context.threads + 1) * below.form.dtype.itemsize)
    size = max(1, min(share, limit // PIECE))
    expansion = LayerExpansion(context, layer)

    def part(begin: int) -> tuple[Labels, int]:
        end = min(layer.pieces, begin + size)
        report = progress.fraction_of(int(layer.begins[end] - layer.begins[begin]))
        best, moves = best_labels(expansion, begin, end, below, report)
        report(1)
        _to_first_player_labels(context, layer, range(begin, end), best, progress)
        return best, moves

    yield from context.map_ordered(part, range(0, layer.pieces, size))


def _labelled_layer(context: SolveContext, form: LabelCode, ply: int) -> LabelledLayer:
    """The layer at `ply`, whose labels are in the work folder."""
    labels = LabelFile(context.work.file(ply, "labels"), form.dtype)
    rows = (
        LabelledRun(context.work.open_states(ply), labels),
        LabelledRun(context.work.terminal_states(ply), None),
    )
    return LabelledLayer(context.rules, form, ply, rows)


def _to_first_player_labels(
    context: SolveContext, layer: KeyFile, pieces: range, best: Labels, progress: _BackwardProgress
) -> None:
    """Turn labels for the players to move into labels for the first player, in place.

    `best` has the labels of the states in `pieces`. Raises `BrokenRules` for a state without a label, which
    has no move.
    """
    least, at = np.iinfo(best.dtype).min, 0
    for first in pieces[::PIECES_PER_READ]:
        keys = layer.read(first, min(pieces.stop, first + PIECES_PER_READ))
        part = best[at : at + len(keys)]
        if len(stuck := keys[part == least]):
            raise BrokenRules(f"the rules give no action in the state {stuck[0]}, which is not terminal")
        part *= (1 - 2 * context.rules.movers(keys)).astype(best.dtype)
        at += len(keys)
        progress.add(len(keys))
