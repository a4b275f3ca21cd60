"""The states of a file as arrays that all processes of a proof share: files in a folder, mapped into memory.

    places    0     1     2    ...              the states of the file, series by series, as it has them
    keys      8 bytes each
    labels    1 to 8 bytes each                 those of terminal states follow from their utilities
    marks     1 byte each                       whether play reaches the state, see `loops.walk`

Mapped pages are memory that the system takes back where it is short of it. Room is reserved at the beginning,
as a write to a mapped page for which there is none would end the process.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import DiskFull
from solver.proof.packed.rules import Places
from solver.rules.arrays import Keys, Labels

WRITTEN_AT_ONCE = 1 << 20
"""Bytes of zeros."""

EXPANDED = 3
"""The mark of a state that has been expanded, or proved with one that has."""

Marks = NDArray[np.uint8]
"""What is known of how play reaches each state."""


@dataclass(frozen=True)
class StateArrays:
    """The arrays in a folder."""

    folder: Path
    states: int
    """The number of states."""
    label_type: np.dtype[np.signedinteger]
    """What a label is stored as."""

    def reserve(self) -> None:
        """Create the files, all zeros; raises `DiskFull`."""
        size = self.states * (8 + self.label_type.itemsize + 1)
        try:
            for name, dtype in self._types.items():
                _reserve(self.folder / name, self.states * dtype.itemsize)
        except OSError as error:
            raise DiskFull(
                f"a proof of {self.states:,} states takes {size:,} bytes in {self.folder.parent} ({error}): "
                "make room there, or let TMPDIR name another folder"
            ) from error

    def write(self, place: int, keys: Keys, labels: Labels) -> None:
        """Store keys and labels of states from a place on."""
        for name, values in (("keys", keys), ("labels", labels)):
            with (self.folder / name).open("r+b") as file:
                file.seek(place * values.itemsize)
                file.write(values.tobytes())

    @cached_property
    def keys(self) -> Keys:
        """The keys: int64, (states,)."""
        return self._mapped("keys", "r")

    @cached_property
    def labels(self) -> Labels:
        """The labels: (states,)."""
        return self._mapped("labels", "r")

    @cached_property
    def marks(self) -> Marks:
        """The marks, which can be written: uint8, (states,)."""
        return self._mapped("marks", "r+")

    def mark(self, places: Places, mark: int) -> None:
        """Mark those of the places that have no mark yet.

        Processes may do so at the same time, as long as they set the same mark.
        """
        self.marks[places[self.marks[places] == 0]] = mark

    @property
    def _types(self) -> dict[str, np.dtype[Any]]:
        return {"keys": np.dtype(np.int64), "labels": self.label_type, "marks": np.dtype(np.uint8)}

    def _mapped(self, name: str, mode: Any) -> NDArray[Any]:
        mapped = np.memmap(self.folder / name, self._types[name], mode, shape=(self.states,))
        return np.asarray(mapped)  # without the overhead of a subclass


def _reserve(path: Path, size: int) -> None:
    """Create a file of zeros; raises OSError where there is no room."""
    with path.open("wb") as file:
        for begin in range(0, size, WRITTEN_AT_ONCE):
            file.write(bytes(min(WRITTEN_AT_ONCE, size - begin)))
