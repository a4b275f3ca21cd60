"""The labels of the next layer, read as the windows get to them.

row 0    keys of 0008.going    labels of 0008.labels
row 1    keys of 0008.ended    labels from the utilities, which the rules say
...      in a folded solve the images of those states under the symmetries of the rules, see orbits.py
"""

from dataclasses import dataclass, field

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.engines.layers.storage.labelled_layer import LabelledLayer
from solver.rules.arrays import Keys, Labels

GROUP = 8
"""So many pieces are read at once."""


@dataclass
class LabelStreams:
    """The rows of a labelled layer, each filled with the keys that windows come to next."""

    layer: LabelledLayer
    keys: Keys = field(init=False)
    labels: Labels = field(init=False)
    at: Keys = field(init=False)
    counts: Keys = field(init=False)
    more: Keys = field(init=False)

    def __post_init__(self) -> None:
        """Make room; every row is to be filled."""
        rows = len(self.layer.rows)
        self.keys = np.empty((rows, GROUP * PIECE), np.int64)
        self.labels = np.empty((rows, GROUP * PIECE), self.layer.form.dtype)
        self.at, self.counts = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
        self.more = np.ones(rows, np.int64)
        self._next = [0] * rows

    def fill(self, number: int, low: int) -> None:
        """Fill a row with its next keys and labels; those below `low` may be left out."""
        row = self.layer.rows[number]
        begin = max(self._next[number], int(np.searchsorted(row.file.firsts, low, "right")) - 1)
        self._next[number] = end = min(row.file.pieces, begin + GROUP)
        self.at[number], self.more[number] = 0, end < row.file.pieces
        keys, labels = self.layer.part(row, begin, end)
        self.counts[number] = len(keys)
        self.keys[number, : len(keys)] = keys
        self.labels[number, : len(labels)] = labels
