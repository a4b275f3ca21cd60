"""The inner loops over states and over moves, compiled by numba, independent of the game."""

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from solver.rules.arrays import Keys
from solver.system.jit import kernel

MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: Knuth, The Art of Computer Programming, volume 3, section 6.4."""

SLOT_SHIFT = 20
"""The number of low bits of a hash that are dropped, as they depend on few bits of the key."""


@kernel
def first_slot(key: int, last: int) -> int:
    """The slot in [0, last] where the search for a key begins."""
    return int64(uint64(key) * uint64(MULTIPLIER) >> uint64(SLOT_SHIFT)) & last  # type: ignore[return-value]


@kernel
def sort_by_group(
    keys: Keys,
    owners: NDArray[np.int32],
    groups: NDArray[Any],
    cursor: Keys,
    in_order: Keys,
    owners_in_order: NDArray[np.int32],
) -> None:
    """Write keys, and owners if there are any, by group; each group is written from its cursor on."""
    if len(owners):
        for nth in range(len(keys)):
            at = cursor[groups[nth]]
            cursor[groups[nth]] = at + 1
            in_order[at], owners_in_order[at] = keys[nth], owners[nth]
    else:
        for nth in range(len(keys)):
            at = cursor[groups[nth]]
            in_order[at], cursor[groups[nth]] = keys[nth], at + 1


@kernel
def slot_of(key: int, known: Keys, slots: NDArray[np.uint32]) -> int:
    """The slot of a key, or the empty slot for it."""
    last = len(slots) - 1
    slot: int = first_slot(key, last)
    while slots[slot] and known[int64(slots[slot]) - 1] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def enter(keys: Keys, slots: NDArray[np.uint32]) -> None:
    """Enter the index plus 1 of each of these distinct keys into a hash table with open addressing.

    `slots`: uint32, a power of two greater than the number of keys, all 0 beforehand.
    """
    for nth in range(len(keys)):
        slots[slot_of(keys[nth], keys, slots)] = nth + 1


@kernel
def keep_open(children: Keys, owners: NDArray[np.int32], is_end: Any, floors: Any, bests: Any) -> int:
    """Move the moves to open children of owners without the best floor to the front; return their number.

    `bests`: the best floor of each player.
    """
    count = 0
    for nth in range(len(children)):
        owner = owners[nth]
        children[count], owners[count] = children[nth], owner  # if it is to go, the next one takes its place
        count += (not is_end[nth]) & (floors[owner >> 1] < bests[owner & 1])
    return count


@kernel
def link(
    keys: Keys,
    owners: NDArray[np.int32],
    known: Keys,
    slots: NDArray[np.uint32],
    first: int,
    children: NDArray[np.uint32],
    parents: NDArray[np.uint32],
) -> bool:
    """Write the index of each key among the known ones, and its owner; return whether all keys are known.

    `slots`: see `enter`. `first` is added to owners.
    """
    for nth in range(len(keys)):
        place = int64(slots[slot_of(keys[nth], known, slots)])
        if not place:
            return False
        children[nth], parents[nth] = place - 1, first + owners[nth]
    return True


@kernel
def settle(states: NDArray[np.uint32], winner: int, open_moves: Any, settled: NDArray[np.uint32]) -> int:
    """Count, for each of the states, one more move that wins for `winner`, the mover or the other player.

    States that are decided by this are written to `settled`; their number is returned. `open_moves`: twice
    the number of moves that are not known to be lost, plus the player to move; the greatest number of the
    dtype for a decided state.
    """
    count, decided = 0, np.iinfo(open_moves.dtype).max
    for nth in range(len(states)):
        state = states[nth]
        left = int64(open_moves[state])
        if left != decided:
            if left & 1 != winner:
                left -= 2
            if left < 2 or left & 1 == winner:
                left = decided
                settled[count] = state
                count += 1
            open_moves[state] = left
    return count
