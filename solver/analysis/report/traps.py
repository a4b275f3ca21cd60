"""The first positions in which the player who looks two plies ahead is likely to err."""

from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rules.arrays import Keys

TRAPS = 50
"""Positions kept in which the player who looks two plies ahead is likely to err."""

LIKELY = 0.5
"""The chance to err from which on it is likely."""


LAST = 2**63 - 1
"""The remainder of a row by it puts -1 behind all others."""


class Trap(NamedTuple):
    """A position in which the player who looks two plies ahead is likely to err."""

    row: int
    """Its ply or remoteness; -1 for none."""
    error: float
    position: str


def first_traps(traps: Iterable[Trap]) -> list[Trap]:
    """The first traps by row, then the likeliest, then by text: the same in whichever order they come.

    Those without a row come last.
    """
    return nsmallest(TRAPS, traps, key=lambda trap: (trap.row % LAST, -trap.error, trap.position))


def traps_in(keys: Keys, rows: Keys, errors: NDArray[Any], text_of: Callable[[int], str]) -> list[Trap]:
    """The first traps among positions, given their keys, rows and chances to err, and the text of a key.

    Texts are made of those alone that may be among the first, and kept of no more than these.
    """
    likely = np.flatnonzero(errors >= LIKELY)
    likely = likely[np.lexsort((-errors[likely], rows[likely] % LAST))]
    last = likely[:TRAPS][-1:]
    equal = (rows[likely] == rows[last]) & (errors[likely] == errors[last])
    equal[:TRAPS] = True
    some = likely[equal]
    columns = (column[some].tolist() for column in (rows, errors, keys))
    return first_traps(Trap(row, error, text_of(key)) for row, error, key in zip(*columns, strict=True))
