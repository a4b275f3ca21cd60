"""A strong solution and its file: a gzip stream of lines of text, an empty line, and a record for each state.

docs/certificates.md is the definition. Values are zigzag-coded: 0, -1, 1 and -2 are 0, 1, 2 and 3.
"""

from collections.abc import Iterator, Sequence
from gzip import GzipFile
from itertools import chain, starmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.analysis.certificates.certificate import UNREADABLE, Head, read_rows, rows_as_bytes
from solver.database import Database
from solver.database.columns import Batch, Selection, in_order, joined, merged
from solver.errors import ForeignFile, UsageError
from solver.packed import PackedGame
from solver.rules.arrays import Keys, by_side
from solver.rules.asking import symmetries_of
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from solver.rules.notation import read_position
from solver.system.files import atomic_target, writing
from solver.system.progress import Progress, no_progress, reported

TITLE = "perfectplay strong solution 1"

NUMBERS = ("endless", "symmetries", "texts", "count")
"""The names of the lines with numbers, which follow those of the game and its starts."""

LABELS = ("value", "remoteness")
"""The columns of a database that `Records` have in addition to the state."""

VALUES = range(-(1 << 62), 1 << 62)
"""The values whose zigzag codes have at most 63 bits, like the other numbers of the file."""


class Records(NamedTuple):
    """States and their labels."""

    states: NDArray[Any]
    """The states: integers or texts."""
    values: Keys
    remoteness: Keys
    """The remoteness in plies; -1 for none."""

    def part(self, rows: Any) -> "Records":
        """The records of the given rows."""
        return Records(*(column[rows] for column in self))


def write_strong(db: Database, path: Path, *, progress: Progress = no_progress) -> int:
    """Write the strong solution of a database to a file; returns the number of its states.

    A packed file is read in ranges of states; the states of other files are sorted in memory. Raises
    `UsageError` for values that are too large.
    """
    game, texts = db.game, not isinstance(db.game, PackedGame)
    if not texts and (large := [value for value in db.value_range if value not in VALUES]):
        raise UsageError(f"{db.path} has the value {large[0]:,}, which is too large for a strong solution")
    numbers = {
        "endless": db.endless_value,
        "symmetries": len(symmetries_of(game)) if db.folded else 0,
        "texts": int(texts),
        "count": len(db) * (1 + db.folding.is_signed),
    }
    starts = [text if texts else read_position(game, text) for text in db.beginnings()]
    head = Head(as_named(game), game_parameters(game), starts, numbers).as_bytes(TITLE)
    records = starmap(Records, merged(_all_streams(db)))
    parts = reported(progress, "writing states", records, numbers["count"], lambda part: len(part.states))
    with (
        writing(path),
        atomic_target(path, force=True, progress=progress) as unfinished,
        unfinished.open("wb") as raw,
        GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as file,
    ):
        file.write(head)
        last = 0
        for part in parts:
            file.write(body_of(part, last))
            last = part.states[-1]
    return numbers["count"]


def body_of(records: Records, last: Any = 0) -> bytes:
    """The records as in a file, uncompressed, after a record of the state `last`."""
    states, values, plies = records
    if texts := states.dtype.kind != "i":
        return rows_as_bytes(states.tolist(), values.tolist(), (plies + 1).tolist(), texts=texts)
    return rows_as_bytes(states, values << 1 ^ values >> 63, plies + 1, texts=texts, last=last)


def _all_streams(db: Database) -> Sequence[Iterator[Batch]]:
    """All states, including those with the players exchanged, in ascending streams."""
    if not db.folding.is_signed:
        return streams(db, LABELS)
    states, values, remoteness = in_order(chain.from_iterable(streams(db, LABELS)))
    sides = by_side(db.folding, states, values)
    return [iter([in_order((*side, remoteness) for side in sides)])]


def streams(db: Database, columns: Sequence[str], plies: range | None = None) -> Sequence[Iterator[Batch]]:
    """The states of a file, or of the given plies, in ascending streams, for a packed file one per stage.

    A stream has the state, or the position, and the given columns.
    """
    names = ("state" if isinstance(db.game, PackedGame) else "position", *columns)
    if (packed := db.packed) is None:
        return [iter([in_order([joined(db.columns(names, Selection(plies)), names)])])]
    stages = [stage for stage in packed.stage_numbers if plies is None or stage in plies]
    return [packed.columns(names, Selection(range(stage, stage + 1))) for stage in stages]


def is_strong(path: Path) -> bool:
    """Whether a file begins like a strong solution."""
    try:
        with GzipFile(path) as file:
            return file.readline(len(TITLE) + 1) == f"{TITLE}\n".encode()
    except UNREADABLE:
        return False


def read_strong(path: Path) -> tuple[Head, Records]:
    """The strong solution in a file, unchecked; raises `ForeignFile`."""
    try:
        with GzipFile(path) as file:
            head, states, labels = read_rows(file, TITLE, NUMBERS)
            values, plies = np.asarray(labels, np.int64)
    except UNREADABLE as error:
        raise ForeignFile(f"{path} is not a strong solution, or damaged: {error}") from error
    if not head.numbers["texts"]:
        values = values >> 1 ^ -(values & 1)
    return head, Records(states, values, plies - 1)
