"""A set of states as a hash table in buckets, each small enough for the cache of a processor.

    key  --hash-->  bucket      its highest bits; states are brought to it many at a time
                    slot        some lower bits; a slot has the index of a state in the bucket

    bucket 2        keys   40  7  12         in the order in which they were added
                    slots  . 2 . . 1 3 .     open addressing: 0 (.) is empty, 2 stands for the key 7

If a bucket has become too large, all are split in two by the next bit of the hash. A state of a finished
stage has a number: its index in its bucket, where the keys ascend, plus the sizes of all buckets before.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.engines.loops import kernels
from solver.engines.loops.grouping import Grouped, grouped_by_tier
from solver.engines.loops.scratch import Scratch
from solver.rules.arrays import Keys

BUCKET = 48 << 10
"""Keys of a bucket from which on it is split, so that an index fits into 16 bits."""

LEAST_SLOTS = 64
"""Slots of a small bucket."""

PORTION = 1 << 13
"""Keys that are added at a time, for which there has to be room even if all are new."""

NOTHING = np.empty(0, np.int32)
"""Belongs to keys that nothing belongs to."""


@dataclass
class Bucket:
    """Some keys, in the order in which they were added."""

    scratch: Scratch
    room: Keys
    slots: NDArray[Any]
    count: int = 0
    taken: int = 0
    """The number of keys that were taken as a frontier."""

    @classmethod
    def empty(cls, scratch: Scratch) -> "Bucket":
        """A bucket without keys."""
        return cls(scratch, np.empty(0, np.int64), np.zeros(LEAST_SLOTS, np.uint32))

    @classmethod
    def of(cls, scratch: Scratch, keys: Keys) -> "Bucket":
        """A bucket of at most `BUCKET` keys, all different, in their order; the array becomes its own."""
        slots = max(LEAST_SLOTS, 1 << (4 * len(keys) // 3).bit_length())
        bucket = cls(scratch, keys, scratch.zeros(slots, np.dtype(np.uint16)))
        bucket.count = kernels.insert(keys, keys, 0, bucket.slots)
        return bucket

    @property
    def keys(self) -> Keys:
        """The keys."""
        return self.room[: self.count]

    def add(self, keys: Keys) -> None:
        """Add those of the keys that it does not have."""
        for begin in range(0, len(keys), PORTION):
            portion = keys[begin : begin + PORTION]
            self._make_room(self.count + len(portion))
            self.count = kernels.insert(portion, self.room, self.count, self.slots)

    def split(self, bits: int) -> "tuple[Bucket, Bucket]":
        """The two buckets of its keys among 2**bits, twice as many as before."""
        odd = (kernels.buckets_of(self.keys, bits) & 1) != 0
        halves = Bucket.empty(self.scratch), Bucket.empty(self.scratch)
        for half, of_half in zip(halves, (~odd, odd), strict=True):
            half.add(self.keys.take(np.flatnonzero(of_half)))  # which lets other threads run
            half.taken = int(np.count_nonzero(of_half[: self.taken]))
        return halves

    def _make_room(self, count: int) -> None:
        if count > len(self.room):
            room = self.scratch.empty(count + (count >> 2), np.dtype(np.int64))
            room[: self.count] = self.keys
            self.room = room
        if 4 * count > 3 * len(self.slots):
            slots = 1 << (2 * count - 1).bit_length()
            self.slots = self.scratch.zeros(slots, np.dtype(np.uint32))
            self.count = kernels.insert(self.keys.copy(), self.room, 0, self.slots)


BucketMap: TypeAlias = Callable[
    [Callable[[Bucket], tuple[Bucket, Bucket]], Iterator[Bucket]], Iterator[tuple[Bucket, Bucket]]
]
"""An ordered map over buckets, such as `map`."""


class StateTable:
    """A set of states, which numbers them."""

    def __init__(self, scratch: Scratch, bits: int = 0) -> None:
        """Begin without states, with 2**bits buckets."""
        self.bits = bits
        self.buckets = [Bucket.empty(scratch) for _ in range(1 << bits)]

    def __len__(self) -> int:
        """The number of states."""
        return sum(bucket.count for bucket in self.buckets)

    @property
    def begins(self) -> Keys:
        """The number of the first state of each bucket, and the number of states: int64, (buckets + 1,)."""
        return np.cumsum([0, *(bucket.count for bucket in self.buckets)])

    def shares(self, number: int) -> list[range]:
        """The buckets in about so many ranges."""
        size = -(-len(self.buckets) // number)
        return [
            range(begin, min(begin + size, len(self.buckets))) for begin in range(0, len(self.buckets), size)
        ]

    def grouped(self, keys: Keys, owners: NDArray[Any] = NOTHING) -> Grouped:
        """Sort keys, with what belongs to each, by bucket."""
        return grouped_by_tier(keys, owners, np.zeros(len(keys), np.int64), {0: self.bits})[0]

    def add(self, parts: Sequence[Grouped], buckets: range) -> None:
        """Add to some buckets their keys of all parts, which were grouped by this table as it is now."""
        for number in buckets:
            for part in parts:
                self.buckets[number].add(part.bucket(number)[0])

    def divide_for(self, more: int) -> None:
        """Split all buckets in two until they can take so many more states."""
        while len(self) + more > BUCKET << self.bits:
            self._split()

    def split_full(self, mapped: BucketMap = map) -> None:
        """Split all buckets in two until none is too large."""
        while max(bucket.count for bucket in self.buckets) > BUCKET:
            self._split(mapped)

    def _split(self, mapped: BucketMap = map) -> None:
        self.bits += 1
        whole, self.buckets = self.buckets[::-1], []
        each = (whole.pop() for _ in range(len(whole)))  # which are held no longer
        for halves in mapped(partial(Bucket.split, bits=self.bits), each):
            self.buckets.extend(halves)

    def take(self, most: int, size: int) -> list[Keys]:
        """At most about `most` states that were not taken before, in arrays of about `size`."""
        taken, arrays, count, total = list[Keys](), list[Keys](), 0, 0
        for bucket in self.buckets:
            end = min(bucket.count, bucket.taken + most - total)
            taken.append(bucket.keys[bucket.taken : end])
            count, total, bucket.taken = count + len(taken[-1]), total + len(taken[-1]), end
            if count >= size:
                arrays.append(np.concatenate(taken))
                taken, count = [], 0
        if count:
            arrays.append(np.concatenate(taken))
        return arrays

    def drained(self) -> Iterator[Keys]:
        """Yield all states, which are no longer held."""
        while self.buckets:
            yield self.buckets.pop().keys


class Numbering:
    """The numbers of the states of a finished stage."""

    def __init__(self, states: int, parts: Callable[[], Iterator[Keys]]) -> None:
        """Number so many states; `parts` yields them in ascending order, as often as it is called."""
        self._parts, self.bits = parts, 0
        while 2 * states > BUCKET << self.bits:
            self.bits += 1
        while (sizes := self._sizes()).max() > BUCKET:
            self.bits += 1
        self.begins: Keys = np.concatenate([[0], np.cumsum(sizes)])
        """The number of the first state of each bucket, and the number of states: int64, (buckets + 1,)."""

    def numbers(self) -> Iterator[NDArray[np.uint32]]:
        """Yield the numbers of the states of each part."""
        cursor = self.begins[:-1].copy()
        return (self._numbers(keys, cursor) for keys in self._parts())

    def keys(self, scratch: Scratch) -> Keys:
        """All states, by number."""
        keys = scratch.empty(int(self.begins[-1]), np.dtype(np.int64))
        for numbers, part in zip(self.numbers(), self._parts(), strict=True):
            keys[numbers] = part
        return keys

    def _sizes(self) -> Keys:
        sizes = np.zeros(1 << self.bits, np.int64)
        for keys in self._parts():
            self._numbers(keys, sizes)
        return sizes

    def _numbers(self, keys: Keys, cursor: Keys) -> NDArray[np.uint32]:
        """The numbers of some states, given the next one in each bucket, which is raised."""
        numbers = np.empty(len(keys), np.uint32)
        kernels.number_keys(keys, self.bits, cursor, numbers)
        return numbers
