"""Traps: positions in which a player who looks two plies ahead is likely to err."""

from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys

TRAPS = 50
"""The most traps that are collected."""

LIKELY = 0.5
"""The least chance of an error in a trap."""


LAST = 2**63 - 1
"""A modulus for rows that sorts -1 after all others."""


class Trap(NamedTuple):
    """A position in which a player who looks two plies ahead is likely to err."""

    row: int
    """The ply or remoteness; -1 for none."""
    error: float
    """The chance of the error."""
    position: str


def first_traps(traps: Iterable[Trap]) -> list[Trap]:
    """The first `TRAPS` traps by row, with none last, then by descending error, then by position."""
    return nsmallest(TRAPS, traps, key=lambda trap: (trap.row % LAST, -trap.error, trap.position))


def traps_in(keys: Keys, rows: Keys, errors: NDArray[Any], text_of: Callable[[int], str]) -> list[Trap]:
    """The first traps among positions, given their keys, rows and chances of errors, and the text of a key.

    Only for positions that may be among the first traps are texts made.
    """
    likely = np.flatnonzero(errors >= LIKELY)
    likely = likely[np.lexsort((-errors[likely], rows[likely] % LAST))]
    last = likely[:TRAPS][-1:]
    equal = (rows[likely] == rows[last]) & (errors[likely] == errors[last])
    equal[:TRAPS] = True
    candidates = likely[equal]
    columns = (column[candidates].tolist() for column in (rows, errors, keys))
    return first_traps(Trap(row, error, text_of(key)) for row, error, key in zip(*columns, strict=True))
