"""The inner loops of kernels.py by NumPy alone, for machines without numba; each does what it says there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.loops.state_table import MovesOut
from solver.rules.arrays import Keys

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def buckets_of(keys: Keys, bits: int) -> Keys:
    """The bucket of each key, one of 2**bits."""
    hashes: NDArray[np.uint64] = keys.view(np.uint64) * MULTIPLIER
    buckets: Keys = (hashes >> np.uint64(1) >> np.uint64(63 - bits)).astype(np.int64)
    return buckets


def count_in_buckets(keys: Keys, bits: int, begins: Keys) -> None:
    """Count the keys of each of 2**bits buckets, and make of it where each begins."""
    begins[1:] = np.cumsum(np.bincount(buckets_of(keys, bits), minlength=len(begins) - 1))


def sort_into_buckets(keys: Keys, owners: Any, bits: int, cursor: Keys, grouped: Keys, kept: Any) -> None:
    """Write keys and what belongs to each to `grouped` and `kept`, bucket by bucket."""
    order = np.argsort(buckets_of(keys, bits), kind="stable")
    grouped[:], kept[:] = keys[order], owners[order]


def insert(keys: Keys, known: Keys, count: int, slots: NDArray[np.uint32]) -> int:
    """Append those of the keys to `known` that are not among its first `count`; return how many it has then.

    The slots are not used.
    """
    different, first = np.unique(keys, return_index=True)
    new = keys[np.sort(first[~np.isin(different, known[:count])])]
    known[count : count + len(new)] = new
    return count + len(new)


def find(keys: Keys, known: Keys, slots: NDArray[np.uint32], base: int, found: Keys) -> None:
    """Write the index of each key in `known`, plus `base`, to `found`; -1 for a key that is not there."""
    order = np.argsort(known)
    places = np.searchsorted(known, keys, sorter=order)
    places[places == len(known)] = 0
    at = order[places] if len(known) else places
    there = known[at] == keys if len(known) else np.zeros(len(keys), np.bool_)
    found[:] = np.where(there, at + base, -1)


def sort_by_child(
    children: NDArray[np.uint16], parents: NDArray[np.uint32], begins: Keys, out: NDArray[np.uint32]
) -> None:
    """Write the parents to `out` in the order of their children, those of one child in their order."""
    out[:] = parents[np.argsort(children, kind="stable")]
    begins[1:] = np.cumsum(np.bincount(children, minlength=len(begins) - 1))


def raise_floors(numbers: Keys, owners: NDArray[np.int32], offers: Any, signs: Any, floors: Any) -> None:
    """Raise the floor of each owner to the offer with a number, for the player to move; -1 for no offer."""
    some = numbers >= 0
    numbers, owners = numbers[some], owners[some]
    np.maximum.at(floors, owners, offers[numbers] * signs[owners])


def keep_open(
    numbers: Keys, owners: NDArray[np.int32], begins: Keys, settled: Any, bases: Keys, moves: MovesOut
) -> int:
    """Write the moves to states that have a number, of owners that are not settled, to `moves`."""
    some = (numbers >= 0) & ~settled[owners]
    moves.begins[:] = np.concatenate([[0], np.cumsum(some)])[begins]
    kept = int(moves.begins[-1])
    moves.children[:kept] = numbers[some] - np.repeat(bases, np.diff(moves.begins))
    moves.parents[:kept] = owners[some]
    moves.counts[:] = np.bincount(owners[some], minlength=len(moves.counts))
    return kept


def settle(states: NDArray[np.uint32], winner: int, open_moves: Any, found: Any, count: int) -> int:
    """Count one more move of each of the states: it wins for `winner`, who moves there or does not."""
    decided = np.iinfo(open_moves.dtype).max
    different, times = np.unique(states, return_counts=True)
    left = open_moves[different].astype(np.int64)
    still = left != decided
    different, times, left = different[still], times[still], left[still]
    wins = left & 1 == winner
    left -= np.where(wins, 0, 2 * times)
    done = wins | (left < 2)
    open_moves[different] = np.where(done, decided, left)
    new = different[done]
    found[count : count + len(new)] = new
    return count + len(new)
