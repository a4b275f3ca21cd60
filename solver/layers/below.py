"""The labels of the next layer, read as the windows get to them.

row 0    keys of 0008.going    labels of 0008.labels
row 1    keys of 0008.ended    labels from the utilities, which the rules say
"""

from dataclasses import dataclass, field

import numpy as np

from solver.arrays import Keys, Labels
from solver.blocks import BLOCK
from solver.labels import LabelForm
from solver.layers.keyfile import KeyFile
from solver.layers.labelfile import LabelFile
from solver.layers.rules import Rules

GROUP = 8
"""So many pieces are read at once."""


@dataclass(frozen=True)
class LabelledLayer:
    """A layer whose labels are known."""

    rules: Rules
    form: LabelForm
    ply: int
    going: KeyFile
    ended: KeyFile
    labels: LabelFile
    """Of `going`."""

    def part(self, row: int, begin: int, end: int) -> tuple[Keys, Labels]:
        """Keys and labels of some pieces of a row; play goes on in row 0 and is over in row 1."""
        file = (self.going, self.ended)[row]
        keys = file.read(begin, end)
        if row == 0:
            return keys, self.labels.read(int(file.begins[begin]), int(file.begins[end]))
        return keys, self.form.of_ends(self.rules.utilities(keys), self.ply)


@dataclass
class Below:
    """The rows of a labelled layer, each filled with the keys that windows come to next."""

    layer: LabelledLayer
    keys: Keys = field(init=False)
    labels: Labels = field(init=False)
    at: Keys = field(init=False)
    counts: Keys = field(init=False)
    more: Keys = field(init=False)

    def __post_init__(self) -> None:
        """Make room; every row is to be filled."""
        self.keys = np.empty((2, GROUP * BLOCK), np.int64)
        self.labels = np.empty((2, GROUP * BLOCK), self.layer.form.dtype)
        self.at, self.counts, self.more = np.zeros(2, np.int64), np.zeros(2, np.int64), np.ones(2, np.int64)
        self._next = [0, 0]

    def fill(self, row: int, low: int) -> None:
        """Fill a row with its next keys and labels; those below `low` may be left out."""
        file = (self.layer.going, self.layer.ended)[row]
        begin = max(self._next[row], int(np.searchsorted(file.firsts, low, "right")) - 1)
        self._next[row] = end = min(file.pieces, begin + GROUP)
        self.at[row], self.more[row] = 0, end < file.pieces
        keys, labels = self.layer.part(row, begin, end)
        self.counts[row] = len(keys)
        self.keys[row, : len(keys)] = keys
        self.labels[row, : len(labels)] = labels
