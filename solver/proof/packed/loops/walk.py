"""Proves a packed file of a game with loops: reads all of it, then follows play from the starts.

    marks     0    the state has not been reached
              1    a move of the last frontier leads to the state: it is in the next frontier
              2    the same, alternating: while states marked 1 are expanded, their children are marked 2
              3    the state has been expanded

Terminal states keep their first mark. If states are proved class by class, only canonical states are
expanded; the other members of the class are then marked 3.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain, cycle, islice

import numpy as np

from solver.proof.packed.blocks import cut
from solver.proof.packed.checker import Task
from solver.proof.packed.loops.arrays import EXPANDED
from solver.proof.packed.loops.tasks import LoopChecker
from solver.proof.packed.metadata import StateKind, problems_of_about, problems_of_labels
from solver.proof.packed.rules import EXAMPLES, Places
from solver.system.executors import TaskExecutor

BLOCKS_PER_TASK = 1 << 7
"""Blocks that a task reads."""

STATES_PER_TASK = 1 << 17
"""States that a task expands."""

STARTS_PER_TASK = 1 << 20
"""Starts that a task looks up: enough to make few passes through the file."""

MARKS_AT_ONCE = 1 << 22
"""Marks that are searched at a time."""


class LoopWalk:
    """A proof under way: its findings so far, and the processes that do its tasks."""

    def __init__(self, checker: LoopChecker, pool: TaskExecutor) -> None:
        """Prove by these processes; `checker` does quick tasks in this one."""
        self._checker, self._pool = checker, pool
        self._kinds, self._moves = Counter[StateKind](), 0

    def problems(self) -> Iterator[str]:
        """Yield the problems, until one makes it pointless to go on."""
        checker = self._checker
        checker.arrays.reserve()
        if checker.rules.by_class:
            yield from checker.done(LoopChecker.first_starts).problems
            yield from checker.done(LoopChecker.closed_starts).problems
        failed = False
        for problem in chain(checker.done(LoopChecker.stages).problems, self._read()):
            failed = True
            yield problem
        if failed:  # states that were not read cannot be found
            return
        yield from self._begun()
        yield from self._expanded()
        if checker.rules.by_class:
            yield from self._members_of_ends()
        unreached = list(islice(self._unreached(), EXAMPLES))
        yield from unreached
        if unreached:  # the counts below would be wrong, too
            return
        stored, proved = sum(series.states for series in checker.series.values()), self._kinds.total()
        if proved != stored:
            yield f"of the {stored:,} states in its blocks {proved:,} are proved"
        code = checker.code
        remoteness = [code.plies_left(label, stage) for stage, _, _, label in self._kinds]
        greatest = max((plies for plies in remoteness if plies is not None), default=0)
        yield from problems_of_labels(checker.db, code.smallest_for(0, greatest))
        yield from problems_of_about(checker.db, code, self._kinds, self._moves)

    def _read(self) -> Iterator[str]:
        for (stage, over), series in self._checker.series.items():
            tasks = (
                partial(LoopChecker.read, stage=stage, is_terminal=over, blocks=blocks)
                for blocks in cut(range(series.blocks), BLOCKS_PER_TASK)
            )
            yield from self._done(tasks)

    def _begun(self) -> Iterator[str]:
        checker = self._checker
        if not checker.rules.by_class:  # otherwise `problems` has asked for them
            yield from checker.done(LoopChecker.first_starts).problems
        failures = list[str]()
        yield from self._done(self._starts(failures))
        yield from failures
        yield from checker.done(LoopChecker.count_starts).problems

    def _starts(self, failures: list[str]) -> Iterator[Task]:
        """Yield the tasks for the starts; some are done while the rules compute the next starts, or fail."""
        while len(starts := self._checker.starts):
            for part in cut(starts, STARTS_PER_TASK):
                yield partial(LoopChecker.begin, starts=part)
            failures.extend(self._checker.done(LoopChecker.next_starts).problems)

    def _expanded(self) -> Iterator[str]:
        for mark in cycle((1, 2)):
            tasks = self._frontier(mark)
            first = next(tasks, None)
            if first is None:
                return
            yield from self._done(chain([first], tasks))

    def _members_of_ends(self) -> Iterator[str]:
        tasks = (
            partial(LoopChecker.members_of_ends, stage=stage, places=part)
            for (stage, over), places in self._checker.places.items()
            if over
            for part in _portions(chain(self._marked(places, 1), self._marked(places, 2)), STATES_PER_TASK)
        )
        yield from self._done(tasks)

    def _done(self, tasks: Iterator[Task]) -> Iterator[str]:
        """Do tasks, add their counts up, and yield their problems."""
        for findings in self._pool.map(tasks, self._checker.on_progress):
            self._kinds.update(findings.kinds)
            self._moves += findings.moves
            yield from findings.problems

    def _frontier(self, mark: int) -> Iterator[Task]:
        for (stage, over), places in self._checker.places.items():
            if not over:
                for part in _portions(self._marked(places, mark), STATES_PER_TASK):
                    self._checker.arrays.marks[part] = EXPANDED
                    yield partial(LoopChecker.expand, stage=stage, places=part, mark=3 - mark)

    def _marked(self, places: range, mark: int) -> Iterator[Places]:
        for part in cut(places, MARKS_AT_ONCE):
            marks = self._checker.arrays.marks[part.start : part.stop]
            yield np.flatnonzero(marks == mark) + part.start

    def _unreached(self) -> Iterator[str]:
        for (stage, _), places in self._checker.places.items():
            for part in self._marked(places, 0):
                for key in self._checker.arrays.keys[part].tolist():
                    yield f"{self._checker.rules.named(key, stage)}: no move leads there"


def _portions(parts: Iterator[Places], size: int) -> Iterator[Places]:
    """Yield the places in arrays of this size; the last one may be shorter."""
    rest = np.empty(0, np.intp)
    for part in parts:
        rest = np.append(rest, part)
        while len(rest) >= size:
            yield rest[:size]
            rest = rest[size:]
    if len(rest):
        yield rest
