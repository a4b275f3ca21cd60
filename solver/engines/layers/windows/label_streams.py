"""Streams the keys and labels of the successor layer, in key order, through one fixed buffer per file.

row 0    keys of 0008.going    labels of 0008.labels
row 1    keys of 0008.ended    labels from the utilities, which the rules give
...      in a folded solve the images of those states under the symmetries of the rules, see orbits.py
"""

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.engines.layers.windows.rows import KeyRows, LabelRows
from solver.engines.storage.labelled_layer import LabelledLayer

PIECES_PER_FILL = 8
"""Pieces that are read into a row at a time, if there are few rows."""

PIECES_BUFFERED = 512
"""Pieces that all rows hold together: of many rows each gets fewer, but two at least."""


class LabelStreams:
    """The rows of a labelled layer, each filled with the keys that windows come to next."""

    def __init__(self, layer: LabelledLayer) -> None:
        """Allocate the rows, all of which are still empty."""
        self._pieces = min(PIECES_PER_FILL, max(2, PIECES_BUFFERED // len(layer.rows)))
        rows = KeyRows.empty(len(layer.rows), self._pieces * PIECE)
        self.layer, self.rows = layer, LabelRows(rows, np.empty(rows.keys.shape, layer.form.dtype))
        self._next = [0] * len(layer.rows)

    def fill(self, number: int, low: int) -> None:
        """Fill a row with its next keys and their labels; keys below `low` may be skipped."""
        row, rows = self.layer.rows[number], self.rows.rows
        begin = max(self._next[number], int(np.searchsorted(row.file.firsts, low, "right")) - 1)
        self._next[number] = end = min(row.file.pieces, begin + self._pieces)
        rows.cursor[number], rows.has_more[number] = 0, end < row.file.pieces
        keys, labels = self.layer.part(row, begin, end)
        rows.filled[number] = len(keys)
        rows.keys[number, : len(keys)] = keys
        self.rows.labels[number, : len(labels)] = labels
