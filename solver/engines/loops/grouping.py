"""Keys sorted by the tables of states that they belong to, and by bucket, in one pass.

tiers     5   6   5   5            tables 5 and 6, of 2 and 4 buckets: groups 0 and 1, then 2 to 5
keys      a   b   c   d
groups    1   4   0   1   --->     table 5:  [ c | a d ]      table 6:  [   |   | b |   ]
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engines.loops import kernels
from solver.engines.storage.context import SolveContext
from solver.rules.arrays import Keys

MOVES_PER_ROUND = 1 << 26
"""The most moves that are grouped before they are followed."""

MOVES_PER_BUCKET = 1 << 10
"""Moves to each bucket that one thread should find at a time, as each bucket is looked at in turn."""

LEAST_STATES = 1 << 8
"""States of which one thread finds the moves at least."""


def states_at_once(context: SolveContext, buckets: int, states: int, moves: int) -> tuple[int, int]:
    """The number of states of which one thread finds the moves at a time, and that of a round.

    The moves lead to so many buckets; so many `states` have had so many `moves`. Those of a round, grouped,
    take 12 bytes each, which is at most a third of the memory.
    """
    actions = context.rules.action_count
    each = min(actions, 1 + 5 * moves // (4 * states)) if states else actions
    in_round = min(max(1 << 24, buckets << 13), MOVES_PER_ROUND, context.job.memory // (3 * 12))
    at_once = min(
        max(context.keys_per_sort >> 2, buckets * MOVES_PER_BUCKET), in_round // (2 * context.job.threads)
    )
    chunk = max(LEAST_STATES, at_once // each)
    return chunk, max(chunk, in_round // each)


class Grouped(NamedTuple):
    """Keys sorted by bucket of a table, and what belongs to each."""

    keys: Keys
    owners: NDArray[Any]
    """Empty if nothing belongs to the keys."""
    begins: Keys
    """Where the keys of each bucket begin, and their number: int64, (buckets + 1,)."""

    @property
    def bits(self) -> int:
        """There are 2**bits buckets."""
        return (len(self.begins) - 1).bit_length() - 1

    def bucket(self, nth: int) -> tuple[Keys, NDArray[Any]]:
        """The keys of a bucket, and what belongs to each."""
        part = slice(self.begins[nth], self.begins[nth + 1])
        return self.keys[part], self.owners[part]


class Buckets(NamedTuple):
    """The buckets of some tables, numbered one table after the other."""

    tiers: Keys
    bits: Keys
    """Each has 2**bits buckets."""
    firsts: Keys
    """The number of the first bucket of each, and of all buckets."""


def grouped_by_tier(
    keys: Keys, owners: NDArray[Any], tiers: Keys, known_bits: Mapping[int, int]
) -> dict[int, Grouped]:
    """Sort keys by tier and by bucket of the table of the tier, of 2**bits; return those of each tier.

    A tier without a table is taken to have one with the most buckets of all. `owners` may be empty.
    """
    bits = dict(known_bits)
    groups = np.empty(len(keys), np.uint32)
    stranger = 0
    while stranger >= 0:
        buckets = _buckets(bits)
        begins = np.zeros(int(buckets.firsts[-1]) + 1, np.int64)
        stranger = kernels.find_groups(keys, tiers, buckets, groups, begins)
        if stranger >= 0:
            bits[int(tiers[stranger])] = max(bits.values())
    in_order, kept = np.empty_like(keys), np.empty_like(owners)
    kernels.sort_by_group(keys, owners, groups, begins[:-1].copy(), in_order, kept)
    groups_by_tier = dict[int, Grouped]()
    for tier, first, last in zip(bits, buckets.firsts[:-1], buckets.firsts[1:], strict=True):
        part = slice(begins[first], begins[last])
        groups_by_tier[tier] = Grouped(in_order[part], kept[part], begins[first : last + 1] - begins[first])
    return groups_by_tier


def _buckets(bits: Mapping[int, int]) -> Buckets:
    firsts = np.cumsum([0, *(1 << each for each in bits.values())])
    return Buckets(np.array([*bits], np.int64), np.array([*bits.values()], np.int64), firsts)
