"""External sort: sorted runs on disk, merged range by range, for more keys than fit into memory.

    run 0    |  3  9   |  12   31  40   |  77      |
    run 1    |  4      |  11   12       |  60  90  |
    sorted   |  3 4 9  |  11 12 31 40   |  60 77 90|       a range at a time, without duplicates

Source: D. E. Knuth, The Art of Computer Programming, volume 3, section 5.4.
"""

from collections.abc import Sequence

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.layers.windows.streams import KeyRows
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import UnfitRules
from solver.rules.arrays import GREATEST, Keys


class RunStreams:
    """The keys of sorted runs in [low, high), as streams that windows merge."""

    def __init__(self, files: Sequence[KeyFile], low: int, high: int) -> None:
        """Position each file at its first key that is not below `low`."""
        self._files = files
        self._next = [file.place(low) for file in files]
        self._ends = [file.place(high) for file in files]
        self.rows = KeyRows.empty(len(files), 2 * PIECE)
        self.window_state = np.zeros(2, np.int64)

    def fill(self, row: int) -> None:
        """Fill a row with its next keys; it stays empty if there are no more."""
        rows, begin = self.rows, self._next[row]
        self._next[row] = end = min(self._ends[row], begin + 2 * PIECE)
        rows.keys[row, : end - begin] = self._files[row].read_states(begin, end)
        rows.cursor[row], rows.filled[row], rows.has_more[row] = 0, end - begin, end > begin


def write_run(work: WorkFolder, ply: int, kind: str, nth: int, keys: Keys) -> None:
    """Write a run of ascending keys; raises `UnfitRules` for `GREATEST`, the bound of the last key range."""
    if len(keys) and keys[-1] >= GREATEST:
        raise UnfitRules(f"the layers engine cannot solve this game: it has the state {keys[-1]}, 2**63 - 1")
    with work.new_shard(ply, kind, nth) as path, KeyWriter(path) as writer:
        writer.write(packed(keys))
