"""A search for the first states of a game, to see how many there are; an engine goes on from its answers."""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from time import monotonic
from typing import Any

from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.memory import MemoryWatch
from solver.engines.successors import SECONDS_PER_CHECK, Successors
from solver.rules.failures import rules_asked
from solver.system import resources
from solver.system.progress import Progress


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
