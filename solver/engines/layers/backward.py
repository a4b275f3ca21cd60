"""The labels of all layers, from the last to the first, and their blocks of the database.

0007.going  --+                             +-->  0007.labels, for ply 6
              +--> the best among children  +-->  0007.blocks, for the database
0008.*      --+                             +-->  0007.solved, the counts
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.database.packed.label_code import LabelCode
from solver.engines.layers.blocks import encoded, parts, write_blocks
from solver.engines.layers.context import SolveContext
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.external_sort import SortedRuns
from solver.engines.layers.orbits import unfolded
from solver.engines.layers.storage.key_file import KeyFile
from solver.engines.layers.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.engines.layers.strategy import best_labels
from solver.errors import BrokenRules
from solver.rules.arrays import Labels
from solver.system.files import flush

PIECES_PER_TURN = 64
"""Pieces whose labels are given the first player's view at a time."""

MOST = 1 << 29
"""How many states there may be in a part of a layer: twice as many still have numbers of 32 bits."""


def label_layers(engine: SolveContext, form: LabelCode, layers: Sequence[dict[str, Any]]) -> None:
    """Label all layers in the work folder, the last one first; their blocks are there then."""
    sizes = [layer["going"] + layer["ended"] for layer in layers]
    for ply in reversed(range(len(layers))):
        if engine.work.facts(f"{ply:04}.solved") is None:
            counted = _Counted(engine, ply, sum(sizes[ply + 1 :]), sum(sizes))
            facts = _labelled(engine, form, ply, counted, last=ply == len(layers) - 1)
            engine.work.finish(f"{ply:04}.solved", facts)
        engine.work.drop(ply + 1, "going", "ended", "standing", "labels")


@dataclass
class _Counted:
    """How far the way back has got, for all threads.

    The work on a state has equal shares: to label it, to turn its label, to write it, and in a folded solve
    to unfold what is below it.
    """

    engine: SolveContext
    ply: int
    done: float
    total: int
    lock: Lock = field(default_factory=Lock)

    @property
    def shares(self) -> int:
        """How many there are."""
        return 4 if self.engine.fold else 3

    def share(self, states: float) -> None:
        """Say that one share of the work on so many states is done."""
        with self.lock:
            self.done += states / self.shares
            self.engine.progress("labelling", round(self.done), self.total, self.ply)

    def growing(self, states: int) -> Callable[[float], None]:
        """What is to be told which part, of 1, of one share of the work on so many states is done."""
        told = 0.0

        def reached(part: float) -> None:
            nonlocal told
            if part > told:
                self.share(states * (part - told))
                told = part

        return reached


def _labelled(
    engine: SolveContext, form: LabelCode, ply: int, counted: _Counted, *, last: bool
) -> dict[str, Any]:
    """What is known of a layer, whose labels and blocks are on disk then."""
    work, moves = engine.work, 0
    path = work.file(ply, "labels")
    with path.open("wb") as file:
        if not last:
            for part, count in _best(engine, form, ply, counted):
                engine.need_disk(part.nbytes)
                part.tofile(file)
                moves += count
        flush(file.fileno())
    layer = _layer(engine, form, ply)
    counts: Counter[tuple[int, int, int]] = Counter()
    with work.file(ply, "blocks").open("wb") as file:
        for blocks, more in engine.each(lambda part: encoded(layer, *part), parts(layer)):
            engine.need_disk(sum(len(block.keys) for block in blocks))
            write_blocks(file, blocks)
            counts.update(more)
            counted.share(sum(block.states * counted.shares**block.is_terminal for block in blocks))
        file.flush()
        flush(file.fileno())
    return {"moves": moves, "counts": [[*kind, count] for kind, count in sorted(counts.items())]}


def _best(engine: SolveContext, form: LabelCode, ply: int, counted: _Counted) -> Iterator[tuple[Labels, int]]:
    """The labels of a layer, for states in which play goes on, in parts, and the number of moves in each."""
    below = _layer(engine, form, ply + 1)
    runs = SortedRuns(engine.work.file(ply + 1, "images"))
    try:
        if engine.fold:
            below = unfolded(engine, below, runs, counted.growing(engine.work.going(ply).states))
        yield from _best_among(engine, ply, below, counted)
    finally:
        runs.remove()


def _best_among(
    engine: SolveContext, ply: int, below: LabelledLayer, counted: _Counted
) -> Iterator[tuple[Labels, int]]:
    going = engine.work.going(ply)
    fair = -(-going.pieces // engine.threads)
    most = engine.memory // (4 * (engine.threads + 1) * below.form.dtype.itemsize)
    size = max(1, min(fair, most // PIECE, MOST // PIECE))
    played = LayerExpansion(engine, going)

    def part(begin: int) -> tuple[Labels, int]:
        end = min(going.pieces, begin + size)
        reached = counted.growing(int(going.begins[end] - going.begins[begin]))
        best, moves = best_labels(played, begin, end, below, reached)
        reached(1)
        _turn(engine, going, begin, end, best, counted)
        return best, moves

    yield from engine.each(part, range(0, going.pieces, size))


def _layer(engine: SolveContext, form: LabelCode, ply: int) -> LabelledLayer:
    """A layer whose labels are in the work folder."""
    labels = LabelFile(engine.work.file(ply, "labels"), form.dtype)
    rows = LabelledRun(engine.work.going(ply), labels), LabelledRun(engine.work.ended(ply), None)
    return LabelledLayer(engine.rules, form, ply, rows)


def _turn(
    engine: SolveContext, going: KeyFile, begin: int, end: int, best: Labels, counted: _Counted
) -> None:
    """Turn labels for the players to move into labels for the first player."""
    least, at = np.iinfo(best.dtype).min, 0
    for first in range(begin, end, PIECES_PER_TURN):
        keys = going.read(first, min(end, first + PIECES_PER_TURN))
        part = best[at : at + len(keys)]
        if len(stuck := keys[part == least]):
            raise BrokenRules(f"the rules give no action in the state {stuck[0]}, which is not terminal")
        part *= (1 - 2 * engine.rules.movers(keys)).astype(best.dtype)
        at += len(keys)
        counted.share(len(keys))
