"""The inner loops over tables of states and over moves, compiled with numba; they know nothing of any game.

plain.py has the same for NumPy alone.
"""

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from solver.engines.loops.state_table import MovesOut
from solver.rules.arrays import Keys
from solver.system.jit import kernel

MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: Knuth, The Art of Computer Programming, volume 3, section 6.4."""

SLOT_SHIFT = 20
"""Bits of a hash below those that tell the slot; the highest ones tell the bucket."""


@kernel
def bucket_of(key: int, bits: int) -> int:
    """The bucket of a key, one of 2**bits: the highest bits of its hash."""
    return int64((uint64(key) * uint64(MULTIPLIER) >> uint64(1)) >> uint64(63 - bits))  # type: ignore[return-value]


@kernel
def first_slot(key: int, last: int) -> int:
    """The slot where a key is sought first, in [0, last]."""
    return int64(uint64(key) * uint64(MULTIPLIER) >> uint64(SLOT_SHIFT)) & last  # type: ignore[return-value]


@kernel
def count_in_buckets(keys: Keys, bits: int, begins: Keys) -> None:
    """Count the keys of each of 2**bits buckets, and make of it where each begins.

    `begins`: int64, (2**bits + 1,), all 0 beforehand.
    """
    for nth in range(len(keys)):
        begins[bucket_of(keys[nth], bits) + 1] += 1
    for bucket in range(len(begins) - 1):
        begins[bucket + 1] += begins[bucket]


@kernel
def sort_into_buckets(keys: Keys, owners: Any, bits: int, cursor: Keys, grouped: Keys, kept: Any) -> None:
    """Write keys and what belongs to each to `grouped` and `kept`, each bucket from its cursor on."""
    for nth in range(len(keys)):
        bucket = bucket_of(keys[nth], bits)
        at = cursor[bucket]
        cursor[bucket] = at + 1
        grouped[at], kept[at] = keys[nth], owners[nth]


@kernel
def slot_of(key: int, known: Keys, slots: NDArray[np.uint32]) -> int:
    """The slot of a key, or the empty one where it is to be entered."""
    last = len(slots) - 1
    slot: int = first_slot(key, last)
    while slots[slot] and known[int64(slots[slot]) - 1] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def insert(keys: Keys, known: Keys, count: int, slots: NDArray[np.uint32]) -> int:
    """Append those of the keys to `known` that are not among its first `count`; return how many it has then.

    `slots`: uint32, a power of two of them: a hash table of the indices in `known` plus 1, by open
    addressing, 0 for an empty slot. There must be room in both.
    """
    for nth in range(len(keys)):
        key = keys[nth]
        slot = slot_of(key, known, slots)
        if not slots[slot]:
            known[count] = key
            count += 1
            slots[slot] = count
    return count


@kernel
def find(keys: Keys, known: Keys, slots: NDArray[np.uint32], base: int, found: Keys) -> None:
    """Write the index of each key in `known`, plus `base`, to `found`; -1 for a key that is not there."""
    for nth in range(len(keys)):
        place = int64(slots[slot_of(keys[nth], known, slots)])
        found[nth] = base + place - 1 if place else -1


@kernel
def sort_by_child(
    children: NDArray[np.uint16], parents: NDArray[np.uint32], begins: Keys, out: NDArray[np.uint32]
) -> None:
    """Write the parents to `out` in the order of their children, those of one child in their order.

    `begins`: int64, (children + 1,), all 0 beforehand, gets the place of the first parent of each child.
    """
    for nth in range(len(children)):
        begins[int64(children[nth]) + 1] += 1
    for child in range(len(begins) - 1):
        begins[child + 1] += begins[child]
    cursor = begins.copy()
    for nth in range(len(children)):
        child = int64(children[nth])
        out[cursor[child]] = parents[nth]
        cursor[child] += 1


@kernel
def raise_floors(numbers: Keys, owners: NDArray[np.int32], offers: Any, signs: Any, floors: Any) -> None:
    """Raise the floor of each owner to the offer with a number, for the player to move; -1 for no offer.

    `signs`: 1 for each owner where the first player is to move, otherwise -1.
    """
    for nth in range(len(owners)):
        if numbers[nth] >= 0:
            owner = owners[nth]
            floors[owner] = max(floors[owner], offers[numbers[nth]] * signs[owner])


@kernel
def keep_open(
    numbers: Keys, owners: NDArray[np.int32], begins: Keys, settled: Any, bases: Keys, moves: MovesOut
) -> int:
    """Write the moves to states that have a number, of owners that are not settled, to `moves`.

    They are grouped by the bucket of the child: those of a bucket are in its part of `begins`, and its first
    state has the number in `bases`. Returns how many moves were written.
    """
    kept = 0
    for bucket in range(len(bases)):
        moves.begins[bucket] = kept
        for nth in range(begins[bucket], begins[bucket + 1]):
            number, owner = numbers[nth], owners[nth]
            if number >= 0 and not settled[owner]:
                moves.children[kept] = number - bases[bucket]
                moves.parents[kept] = owner
                moves.counts[owner] += 1
                kept += 1
    moves.begins[len(bases)] = kept
    return kept


@kernel
def settle(states: NDArray[np.uint32], winner: int, open_moves: Any, found: Any, count: int) -> int:
    """Count one more move of each of the states: it wins for `winner`, who moves there or does not.

    A state that is decided by it is appended to `found`, which has `count` states; returns how many it has
    then. `open_moves`: twice the number of moves that are not known to be lost, plus the player to move; the
    greatest number of the dtype for a decided state.
    """
    decided = np.iinfo(open_moves.dtype).max
    for nth in range(len(states)):
        state = states[nth]
        left = int64(open_moves[state])
        if left != decided:
            if left & 1 != winner:
                left -= 2
            if left < 2 or left & 1 == winner:
                left = decided
                found[count] = state
                count += 1
            open_moves[state] = left
    return count


@kernel
def buckets_of(keys: Keys, bits: int) -> Keys:
    """The bucket of each key, one of 2**bits."""
    buckets = np.empty(len(keys), np.int64)
    for nth in range(len(keys)):
        buckets[nth] = bucket_of(keys[nth], bits)
    return buckets
