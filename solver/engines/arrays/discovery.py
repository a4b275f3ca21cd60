"""Breadth-first search for the reachable states, which are numbered in the order of discovery.

    level      the states of one depth, in the order of their numbers
    chunk      some of these states, for which the rules answer in a fraction of a second
    expansion  the moves of a chunk, perhaps computed by another process

Chunks are added in order, so the numbers depend neither on who was asked nor on the size of chunks.
"""

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count, islice
from sys import maxsize
from time import monotonic
from typing import Any, TypeAlias

import numpy as np

from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.numbered import Growing, NumberedGame, Numbers
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.memory import MemoryWatch
from solver.engines.states import SECONDS_PER_CHECK, starts_of
from solver.rules.failures import rules_asked
from solver.system.progress import Progress, no_progress

BYTES_AHEAD_PER_STATE = 10
"""Bytes for each state that labels take beyond the index of states, which is freed before."""

BYTES_AHEAD_PER_MOVE = 5
"""Bytes for each move when predecessors are computed."""

MAX_SHORT = 2**16
"""The most actions whose numbers fit into two bytes."""

MAX_PLIES_FOR_FILES = 2_000
"""The most plies of the first 200,000 states for engines in files, which take milliseconds for each ply."""

STARTS_AT_ONCE = 1 << 16
"""Initial states that are read before they are counted."""


Index: TypeAlias = defaultdict[Any, int]
"""The number of each item, assigned when the item is first looked up."""


class Discovery:
    """A search for all states, or canonical states if rules fold, that can be paused and continued."""

    def __init__(
        self,
        rules: RulesPool,
        starts: Iterable[Hashable] | None,
        watch: MemoryWatch,
        progress: Progress = no_progress,
    ) -> None:
        """Search by these rules from the `starts` (default: the initial states); raises `BrokenRules`."""
        self._rules, self._watch, self._progress, self._checked = rules, watch, progress, monotonic()
        with rules_asked(rules.game):
            self._starts = iter(starts_of(rules.game, watch, progress) if starts is None else starts)
            first = next(self._starts)
            self._numbered = NumberedGame(rules.game, first, rules.fold)
            self._states, self._actions = Index(count().__next__), Index(count().__next__)
            _numbers(list(rules.canonical([first])), self._states, self._numbered.states)
        self._expansions: Iterator[Expansion] = iter(())

    @property
    def is_deep(self) -> bool:
        """Whether the states found so far are at so many plies that engines in files would be slower."""
        return len(self._numbered.stage_bounds) > MAX_PLIES_FOR_FILES

    @property
    def is_layered(self) -> bool:
        """Whether no state was reached at two plies so far; the search cannot go on after this."""
        return self._numbered.is_layered

    def run(self, at_most: int = maxsize) -> NumberedGame | None:
        """The states, numbered; None as soon as there are more than `at_most`: a later call continues.

        Raises `TooLarge` as soon as it is clear that they do not fit into memory, and `BrokenRules` if the
        rules raise or return what cannot be a state or an action.
        """
        numbered, counts, bounds = self._numbered, self._numbered.grown_counts, self._numbered.stage_bounds
        self._take_starts(at_most)
        while len(numbered) <= at_most:
            if (expansion := next(self._expansions, None)) is not None:
                self._add(expansion)
            elif len(counts) < len(numbered):
                bounds.append(len(numbered))
                self._expansions = self._rules.answers("expansion", numbered.states, range(*bounds[-2:]))
            else:
                self._states.clear()
                return numbered
        return None

    def _take_starts(self, at_most: int) -> None:
        """Number the remaining starts, until there is one more state than `at_most`."""
        states = self._numbered.states
        with rules_asked(self._rules.game):
            while starts := list(
                islice(self._starts, min(STARTS_AT_ONCE, max(0, at_most + 1 - len(states))))
            ):
                _numbers(list(dict.fromkeys(self._rules.canonical(starts))), self._states, states)

    def _add(self, expansion: Expansion) -> None:
        """Add the moves of the next states; raises `TooLarge` if the solve will not fit into memory."""
        numbered = self._numbered
        numbered.grown_movers.extend(expansion.movers)
        numbered.grown_counts.extend(expansion.counts)
        numbered.utilities.extend(expansion.utilities)
        children = _numbers(expansion.children, self._states, numbered.states)
        numbered.grown_children.frombytes(_renumbered(expansion.reached, children).tobytes())
        played = _numbers(expansion.actions, self._actions, numbered.actions)
        if len(numbered.actions) > MAX_SHORT and numbered.grown_played.typecode == "H":
            numbered.grown_played = array("I", numbered.grown_played)
        code = np.dtype(f"u{numbered.grown_played.itemsize}")
        numbered.grown_played.frombytes(_renumbered(expansion.played, played).astype(code).tobytes())
        if monotonic() > self._checked + SECONDS_PER_CHECK:
            self._checked, states = monotonic(), len(numbered)
            self._progress("finding states", len(numbered.grown_counts), None)
            ahead = BYTES_AHEAD_PER_STATE * states + BYTES_AHEAD_PER_MOVE * len(numbered.grown_children)
            self._watch.check(states, numbered.states[-1], ahead=ahead + self._rules.used())


def _numbers(items: list[Any], index: Index, listed: list[Any]) -> Growing:
    """The numbers of items; a new item gets the next number and is appended to `listed`."""
    numbers = array("I", map(index.__getitem__, items))
    listed.extend([*islice(reversed(index), len(index) - len(listed))][::-1])
    return numbers


def _renumbered(places: Growing, numbers: Growing) -> Numbers:
    return np.frombuffer(numbers, np.uint32)[np.frombuffer(places, np.uint32)]
