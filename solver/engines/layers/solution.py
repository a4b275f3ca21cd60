"""A game solved by layers, from the rules to the rows of the packed database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.database.packed.block import Block
from solver.database.packed.label_code import LabelForm, label_form
from solver.database.packed.writer import Count
from solver.engines.layers.backward import label_layers
from solver.engines.layers.context import Engine
from solver.engines.layers.storage.block_file import read_blocks


@dataclass(frozen=True)
class Solution:
    """What a solve left in its work folder."""

    engine: Engine
    form: LabelForm
    layers: int
    states: int
    terminal: int
    moves: int
    values: tuple[int, int]
    """The least and the largest minimax value, for the first player."""
    counts: tuple[Count, ...]

    def blocks(self) -> Iterator[Block]:
        """The rows of the table of blocks, in order."""
        for ply in range(self.layers):
            yield from read_blocks(self.engine.work.file(ply, "blocks"))


def solution(engine: Engine, layers: Sequence[dict[str, Any]]) -> Solution:
    """Every state of the layers that were found, with its label, in the work folder of the engine.

    Raises `UnfitRules` where no label can hold the utilities, `BrokenRules` where the rules fail, and
    `DiskFull`.
    """
    form = label_form(len(layers) - 1, max(layer["margin"] for layer in layers), engine.level)
    label_layers(engine, form, layers)
    facts = [engine.work.facts(f"{ply:04}.solved") or {} for ply in range(len(layers))]
    counts = [_count(form, ply, *kind) for ply, each in enumerate(facts) for kind in each["counts"]]
    values = [count.value for count in counts]
    return Solution(
        engine=engine,
        form=form,
        layers=len(layers),
        states=sum(layer["going"] + layer["ended"] for layer in layers),
        terminal=sum(layer["ended"] for layer in layers),
        moves=sum(each["moves"] for each in facts),
        values=(min(values), max(values)),
        counts=tuple(counts),
    )


def _count(form: LabelForm, ply: int, is_terminal: int, mover: int, label: int, states: int) -> Count:
    """The row of a kind of states, whose label is the utility where play is over."""
    if is_terminal:
        return Count(ply, 1, mover, label, 0, states)
    labels = np.array([label])
    plies = int(form.remoteness(labels, ply)[0])
    return Count(ply, 0, mover, int(form.values(labels)[0]), None if plies < 0 else plies, states)
