"""A greedy cover: the choice of an option for each state, such that few states are needed in total.

An option needs certain states. The best option minimizes

    additional states / states that have the option

where additional states are not needed anyway; choices are repeated until none changes. This is a greedy set
cover (V. Chvatal, "A greedy heuristic for the set-covering problem", Mathematics of Operations Research 4,
1979). A second way considers mainly how many states have the option.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from solver.database.backwards import plies_to, ranges
from solver.rules.arrays import Flags, Keys, distinct

BY_ADDITIONS, BY_SHARING = WAYS = (0, 1)
"""The ways in which the best option is chosen."""

MAX_ROUNDS = 6
"""The most rounds in which states may change their choices."""

COMPILED_FROM = 5_000
"""The least number of items for which compiled loops are worth the time to load numba."""


class Lists(NamedTuple):
    """Concatenated lists of numbers."""

    bounds: Keys
    """The start of each list, and the end of the last one: int64, shape (lists + 1,)."""
    items: Keys
    """The items of all lists: int64, shape (bounds[-1],)."""

    @classmethod
    def of_pairs(cls, size: int, places: Keys, items: Keys) -> "Lists":
        """The distinct items at each of `size` places, in ascending order."""
        all_items = distinct(items)
        pairs = distinct(places * len(all_items) + np.searchsorted(all_items, items))
        width = max(1, len(all_items))
        return cls(np.searchsorted(pairs, np.arange(size + 1) * width), all_items[pairs % width])

    def at(self, places: Keys) -> "Lists":
        """The lists at the given places."""
        sizes = np.diff(self.bounds)[places]
        items = self.items[ranges(self.bounds[places], sizes)]
        return Lists(np.concatenate(([0], np.cumsum(sizes))), items)

    def places(self) -> Keys:
        """The place of the list of each item."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))


class Options(NamedTuple):
    """The options of states."""

    of_states: Lists
    """The numbers of the options of each state."""
    needs: Lists
    """The states that each option needs."""
    values: Keys
    """The value of each option, for the owner."""
    remoteness: Keys
    """The remoteness of each option; -1 for none."""


def cover(options: Options, needed: Keys, way: int) -> Lists:
    """The states that the best option of each state needs, chosen in one of the `WAYS`.

    `needed` has the distinct states that are needed anyway.
    """
    states = distinct(options.needs.items)
    numbered = Lists(options.needs.bounds, np.searchsorted(states, options.needs.items))
    shared = np.bincount(options.of_states.items, minlength=len(options.values))
    loop = _compiled(_cover) if len(options.of_states.items) >= COMPILED_FROM else _cover
    order = np.argsort(np.diff(options.of_states.bounds), kind="stable")
    is_needed = np.isin(states, needed, assume_unique=True)
    ranking = -shared, -options.values, options.remoteness
    return options.needs.at(loop(order, options.of_states, numbered, is_needed, ranking, way == BY_SHARING))


def ranks(after: Lists) -> Keys:
    """The rank of each place: one more than the greatest rank of the places after it, 0 if there are none.

    `after` must have no cycles.
    """
    return plies_to(after.places(), after.items, np.full(len(after.bounds) - 1, False), all_play=True)


@lru_cache
def _compiled(loop: Callable[..., Keys]) -> Callable[..., Keys]:
    """The same loop, compiled if numba is installed."""
    with suppress(ImportError, RuntimeError):  # no numba, or no folder for its cache
        from solver.system.jit import kernel

        return kernel(loop)
    return loop


def _cover(
    order: Keys, options: Lists, needs: Lists, is_needed: Flags, ranking: tuple[Any, ...], by_sharing: bool
) -> Keys:
    """The number of the option taken at each place; the items of `needs` are numbers of states."""
    taken, used = np.full(len(order), -1, np.int64), np.zeros(len(is_needed), np.int64)
    unshared, worth, remoteness = ranking
    for _ in range(MAX_ROUNDS):
        is_same = True
        for place in order:
            now = taken[place]
            if now >= 0:
                for nth in range(needs.bounds[now], needs.bounds[now + 1]):
                    used[needs.items[nth]] -= 1
            best, added, added_now, least = -1, 0, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for at in range(options.bounds[place], options.bounds[place + 1]):
                option = options.items[at]
                begin, end = needs.bounds[option], needs.bounds[option + 1]
                adds = 0
                for nth in range(begin, end):
                    need = needs.items[nth]
                    adds += used[need] == 0 and not is_needed[need]
                first = min(1.0, end - begin) if by_sharing else -adds / unshared[option]
                second = min(1.0, adds) if by_sharing else 0.0
                rest = float(unshared[option]), float(worth[option]), float(remoteness[option])
                key = (first, second, *rest, float(option))
                if option == now:
                    added_now = adds
                if best < 0 or key < least:
                    best, added, least = option, adds, key
            if now < 0 or added < added_now:
                taken[place] = best
                is_same &= best == now
            for nth in range(needs.bounds[taken[place]], needs.bounds[taken[place] + 1]):
                used[needs.items[nth]] += 1
        if is_same:
            break
    return taken
