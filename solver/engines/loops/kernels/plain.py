"""The inner loops of compiled.py by NumPy alone, for machines without numba; each does what it says there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.loops.grouping import Buckets
from solver.rules.arrays import Keys

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def buckets_of(keys: Keys, bits: int) -> Keys:
    """The bucket of each key, one of 2**bits."""
    hashes: NDArray[np.uint64] = keys.view(np.uint64) * MULTIPLIER
    buckets: Keys = (hashes >> np.uint64(1) >> np.uint64(63 - bits)).astype(np.int64)
    return buckets


def number_keys(keys: Keys, bits: int, cursor: Keys, numbers: NDArray[np.uint32]) -> None:
    """Write the number of each key, which is the cursor of its bucket, one of 2**bits; raise the cursors."""
    buckets = buckets_of(keys, bits)
    order = np.argsort(buckets, kind="stable")
    counts = np.bincount(buckets, minlength=len(cursor))
    ranks = np.arange(len(keys)) - np.repeat(np.cumsum(counts) - counts, counts)
    numbers[order] = np.repeat(cursor, counts) + ranks
    cursor += counts


def find_groups(keys: Keys, tiers: Keys, buckets: Buckets, groups: NDArray[np.uint32], begins: Keys) -> int:
    """Write the group of each key, and where each group begins; return -1, or the index of a stranger."""
    known = np.zeros(len(keys), np.bool_)
    for tier, bits, first in zip(buckets.tiers, buckets.bits, buckets.firsts[:-1], strict=True):
        some = tiers == tier
        known |= some
        groups[some] = first + buckets_of(keys[some], int(bits))
    if not known.all():
        return int(known.argmin())
    begins[1:] = np.cumsum(np.bincount(groups, minlength=len(begins) - 1))
    return -1


def sort_by_group(
    keys: Keys,
    owners: NDArray[np.int32],
    groups: NDArray[np.uint32],
    cursor: Keys,
    in_order: Keys,
    kept: NDArray[np.int32],
) -> None:
    """Write keys and their owners, if there are any, to `in_order` and `kept`, group by group."""
    order = np.argsort(groups, kind="stable")
    in_order[:] = keys[order]
    if len(owners):
        kept[:] = owners[order]


def insert(keys: Keys, known: Keys, count: int, slots: Any) -> int:
    """Append those of the keys to `known` that are not among its first `count`; return how many it has then.

    The slots are not used.
    """
    different, first = np.unique(keys, return_index=True)
    new = keys[np.sort(first[~np.isin(different, known[:count])])]
    known[count : count + len(new)] = new
    return count + len(new)


def places_in(keys: Keys, known: Keys) -> Keys:
    """The index of each key in `known`; -1 for a key that is not there."""
    if not len(known):
        return np.full(len(keys), -1)
    order = np.argsort(known)
    at = order[np.minimum(np.searchsorted(known, keys, sorter=order), len(known) - 1)]
    return np.where(known[at] == keys, at, -1)


def keep_open(children: Keys, owners: NDArray[np.int32], is_end: Any, floors: Any, bests: Any) -> int:
    """Keep the moves that do not end play, of owners whose floor is not the best; how many there are."""
    some = ~is_end & (floors[owners >> 1] < bests[owners & 1])
    kept = int(np.count_nonzero(some))
    children[:kept], owners[:kept] = children[some], owners[some]
    return kept


def count_moves(owners: NDArray[np.int32], counts: NDArray[np.uint32]) -> None:
    """Add the number of moves of each owner to `counts`."""
    counts += np.bincount(owners >> 1, minlength=len(counts)).astype(np.uint32)


def raise_floors(owners: NDArray[np.int32], offers: Any, floors: Any) -> None:
    """Raise the floor of each owner to an offer, which is for the first player; a floor, for the mover."""
    np.maximum.at(floors, owners >> 1, np.where(owners & 1, -offers, offers))


def raise_floors_by_states(
    keys: Keys, owners: NDArray[np.int32], known: Keys, slots: Any, offers: Any, floors: Any
) -> bool:
    """Raise the floor of each owner to what its key offers, one of a bucket; whether all keys are there."""
    places = places_in(keys, known)
    raise_floors(owners, offers[places], floors)
    return bool((places >= 0).all())


def link(
    keys: Keys,
    owners: NDArray[np.int32],
    known: Keys,
    slots: Any,
    first: int,
    children: NDArray[np.uint16],
    parents: NDArray[np.uint32],
) -> bool:
    """Write the index of each key in a bucket and the number of its owner; whether all keys are there."""
    places = places_in(keys, known)
    children[:], parents[:] = places, first + (owners >> 1)
    return bool((places >= 0).all())


def sort_by_child(
    children: NDArray[np.uint16], parents: NDArray[np.uint32], begins: Keys, out: NDArray[np.uint32]
) -> None:
    """Write the parents to `out` in the order of their children, those of one child in their order."""
    out[:] = parents[np.argsort(children, kind="stable")]
    begins[1:] = np.cumsum(np.bincount(children, minlength=len(begins) - 1))


def settle(states: NDArray[np.uint32], winner: int, open_moves: Any, found: NDArray[np.uint32]) -> int:
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
    found[: len(new)] = new
    return len(new)


def settle_parents(
    level: NDArray[np.uint32],
    offsets: Keys,
    parents: NDArray[np.uint32],
    winner: int,
    open_moves: Any,
    found: NDArray[np.uint32],
) -> int:
    """Settle the parents of all states of a level."""
    counts = offsets[level + np.uint32(1)] - offsets[level]
    places = np.repeat(offsets[level] + counts - np.cumsum(counts), counts) + np.arange(counts.sum())
    return settle(parents[places], winner, open_moves, found)
