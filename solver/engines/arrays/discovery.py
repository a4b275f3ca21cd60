"""Breadth-first search for the reachable states, which get numbers in order of discovery.

    level      states of one depth, in order of their numbers
    chunk      some of them, as many as the rules answer for in a fraction of a second
    expansion  their moves, which may come from another process

Chunks are added in order, so the numbers do not depend on who was asked, nor on the size of chunks.
"""

from array import array
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, count, islice
from time import monotonic
from typing import Any

import numpy as np

from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.numbered import Growing, NumberedGame, Numbers
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.memory import MemoryWatch
from solver.engines.successors import SECONDS_PER_CHECK, Successors, starts_of
from solver.rules.failures import rules_asked
from solver.system import resources
from solver.system.progress import Progress, no_progress

BYTES_AHEAD_PER_STATE = 10
"""Bytes of labels for each state beyond those of the index of states, which is given back before."""

BYTES_AHEAD_PER_MOVE = 5
"""Bytes for each move when predecessors are found."""

MAX_SHORT = 2**16
"""Actions that two bytes can tell apart."""

STARTS_AT_ONCE = 1 << 16
"""Initial states that are taken before they are counted."""


def discover(
    rules: RulesPool,
    starts: Iterable[Hashable] | None,
    watch: MemoryWatch,
    at_most: int | None = None,
    *,
    answered: Iterable[Expansion] = (),
    progress: Progress = no_progress,
) -> NumberedGame | None:
    """The numbered states that play from `starts` (default: the initial states) can reach.

    None as soon as there are more than `at_most`. They are canonical states if the `rules` fold. What the
    rules have `answered` for the first states is not asked again. Raises `TooLarge` as soon as it is clear
    that they do not fit into memory, and `BrokenRules` if the rules raise or return what cannot be a state or
    an action.
    """
    game = rules.game
    with rules_asked(game):
        firsts = iter(starts_of(game, watch, progress) if starts is None else starts)
        first, known = next(firsts), dict[Any, None]()
        firsts = chain([first], firsts)
        left = STARTS_AT_ONCE if at_most is None else at_most + 1
        while some := list(islice(firsts, min(STARTS_AT_ONCE, left))):
            known.update(dict.fromkeys(rules.canonical(some)))
            if at_most is not None:
                left = at_most + 1 - len(known)
                if not left:
                    return None
    numbered = NumberedGame(game, first, rules.fold, list(known))
    discovery = _Discovery(numbered, iter(answered), rules, watch, at_most, progress)
    while numbered.stage_bounds[-1] < len(numbered):
        level = range(numbered.stage_bounds[-1], len(numbered))
        discovery.expand(level)
        if discovery.is_beyond:
            return None
        numbered.stage_bounds.append(level.stop)
    return numbered


class _Discovery:
    """A search under way: the states found so far, and what gives them their numbers."""

    def __init__(
        self,
        numbered: NumberedGame,
        answered: Iterator[Expansion],
        rules: RulesPool,
        watch: MemoryWatch,
        at_most: int | None,
        progress: Progress,
    ) -> None:
        self._numbered, self._rules, self._watch, self._at_most = numbered, rules, watch, at_most
        self._answered, self._progress, self._checked = answered, progress, monotonic()
        self._states = {state: number for number, state in enumerate(numbered.states)}
        self._actions: dict[Any, int] = {}

    @property
    def is_beyond(self) -> bool:
        """Whether there are more states than were wanted."""
        return self._at_most is not None and len(self._numbered) > self._at_most

    def expand(self, level: range) -> None:
        """Add the moves of the states of a level, or of some of them if there are too many states then."""
        for expansion in self._expansions(level):
            self._add(expansion)
            if monotonic() > self._checked + SECONDS_PER_CHECK:
                self._check()
            if self.is_beyond:
                return

    def _expansions(self, level: range) -> Iterator[Expansion]:
        """Yield the moves of the states of a level that are not added, first what was answered before."""
        counts = self._numbered.grown_counts
        while len(counts) < level.stop and (answer := next(self._answered, None)) is not None:
            yield answer
        yield from self._rules.each("expansion", self._numbered.states, range(len(counts), level.stop))

    def _check(self) -> None:
        """Report how far the search is, and refuse what does not fit into memory."""
        numbered, self._checked = self._numbered, monotonic()
        self._progress("finding states", len(numbered.grown_counts), None)
        ahead = BYTES_AHEAD_PER_STATE * len(numbered) + BYTES_AHEAD_PER_MOVE * len(numbered.grown_children)
        self._watch.check(len(numbered), ahead=ahead + self._rules.used())

    def _add(self, expansion: Expansion) -> None:
        """Add the moves of the next states."""
        numbered = self._numbered
        numbered.grown_movers.extend(expansion.movers)
        numbered.grown_counts.extend(expansion.counts)
        numbered.utilities.extend(expansion.utilities)
        children = _numbers(expansion.children, self._states, numbered.states)
        numbered.grown_children.frombytes(_renumbered(expansion.reached, children).tobytes())
        played = _numbers(expansion.actions, self._actions, numbered.actions)
        if len(numbered.actions) > MAX_SHORT:
            self._widen()
        code = np.dtype(f"u{numbered.grown_played.itemsize}")
        numbered.grown_played.frombytes(_renumbered(expansion.played, played).astype(code).tobytes())

    def _widen(self) -> None:
        """Make room for more actions than two bytes can tell apart."""
        if self._numbered.grown_played.typecode == "H":
            self._numbered.grown_played = array("I", self._numbered.grown_played)


def _numbers(items: list[Any], index: dict[Any, int], listed: list[Any]) -> Growing:
    """The numbers of items that differ; a new one gets the next number and is listed."""
    numbers: list[Any] = list(map(index.get, items))
    if new := [item for item, number in zip(items, numbers, strict=True) if number is None]:
        fresh = count(len(listed))
        numbers = [next(fresh) if number is None else number for number in numbers]
        index.update(zip(new, count(len(listed))))
        listed.extend(new)
    return array("I", numbers)


def _renumbered(places: Growing, numbers: Growing) -> Numbers:
    """The numbers at these places."""
    return np.frombuffer(numbers, np.uint32)[np.frombuffer(places, np.uint32)]


class StateProbe:
    """Asks the rules breadth first, and keeps what they answer: no state is asked about again."""

    def __init__(self, rules: RulesPool, watch: MemoryWatch, progress: Progress) -> None:
        """Ask these rules, as long as there is enough memory."""
        self._rules, self._watch, self._progress = rules, watch, progress
        self._answers = deque[Expansion]()
        self._coming: Iterator[Expansion] = iter(())
        self._successors = chain.from_iterable(map(Expansion.successors, self.expansions()))

    def count(self, starts: Sequence[Any], at_most: int) -> int | None:
        """The number of states that play from `starts` reaches; None for more than `at_most`.

        Raises `TooLarge` as soon as they do not fit into memory, and `BrokenRules`.
        """
        with rules_asked(self._rules.game), resources.uncollected():
            level, checked = list(dict.fromkeys(self._rules.canonical(starts))), monotonic()
            known = set(level)
            while level:
                following = list[Any]()
                self._coming = self._rules.each("expansion", level, range(len(level)))
                for expansion in self._coming:
                    self._answers.append(expansion)
                    new = [child for child in expansion.children if child not in known]
                    known.update(new)
                    following += new
                    if len(known) > at_most:
                        return None
                    if monotonic() > checked + SECONDS_PER_CHECK:
                        self._progress("finding states", len(known), None)
                        self._watch.check(len(known), ahead=self._rules.used())
                        checked = monotonic()
                level = following
        return len(known)

    def successors(self, states: Sequence[Any]) -> Iterator[Successors]:
        """Yield the successors of each of the states, the next level of the search."""
        return islice(self._successors, len(states))

    def expansions(self) -> Iterator[Expansion]:
        """Yield what was answered, and the rest of the level that was asked about last."""
        while self._answers:
            yield self._answers.popleft()
        yield from self._coming
