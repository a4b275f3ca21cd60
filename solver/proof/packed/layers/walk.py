"""Proves a packed file of a game in layers, from its last ply to its first."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from solver.proof.packed.blocks import Series, cut
from solver.proof.packed.checker import Findings, Task
from solver.proof.packed.layers.internal_states import ReachedBits
from solver.proof.packed.layers.tasks import LayerChecker, ranges
from solver.proof.packed.metadata import StateKind, problems_of_about
from solver.proof.packed.rules import EXAMPLES
from solver.system.executors import TaskExecutor, ignore
from solver.system.ledger import Ledger
from solver.system.progress import Progress

TASKS_PER_PROCESS = 8
"""Tasks per process and series, so that all processes end at about the same time."""

MAX_BLOCKS_PER_TASK = 1 << 10
"""The most blocks of a task, so that progress is visible."""


class LayerWalk:
    """A proof under way: its findings so far, and the processes that do its tasks."""

    def __init__(
        self,
        checker: LayerChecker,
        pool: TaskExecutor,
        processes: int,
        children_at_once: int,
        ledger: Ledger | None = None,
    ) -> None:
        """Prove by these processes, which collect `children_at_once`; `checker` does quick tasks here.

        The `ledger` has the plies that are proved, from which an interrupted proof resumes.
        """
        self._db, self._series, self._checker, self._pool = checker.db, checker.series, checker, pool
        self._processes, self._children_at_once, self._ledger = processes, children_at_once, ledger
        self._kinds, self._moves, self._ply_proved = Counter[StateKind](), 0, True

    def problems(self, progress: Progress) -> Iterator[str]:
        """Yield all problems, a cause before its consequences."""
        states = sum(series.states for series in self._series.values())
        proved = dict(self._ledger.entries) if self._ledger else {}
        if proved:  # reported first, so that no speed is estimated from it
            self._checker.on_progress(
                sum(series.states for (ply, _), series in self._series.items() if ply in proved)
            )
        for ply in sorted({ply for ply, _ in self._series}, reverse=True):
            if ply in proved:
                self._add(_as_findings(proved[ply]))
            else:
                yield from self._problems_at(ply)
        yield from self._checker.done(LayerChecker.starts).problems
        if not self._ply_proved:
            key_ranges = ranges(list(self._series.values()))
            tasks = [partial(LayerChecker.repeated, first=first, last=last) for first, last in key_ranges]
            for nth, findings in enumerate(self._pool.map(tasks, ignore), start=1):
                yield from findings.problems
                progress("looking for repeats", nth * states // len(tasks), states)
        yield from problems_of_about(self._db, self._checker.code, self._kinds, self._moves)

    def _problems_at(self, ply: int) -> Iterator[str]:
        parts = list[Findings]()
        for findings in self._checked(ply):
            yield from findings.problems
            parts.append(replace(findings, reached=()))
        findings = Findings.merged(parts)
        self._add(findings)
        if self._ledger and not findings.problems:
            self._ledger.add([ply, _as_json(findings)])

    def _add(self, findings: Findings) -> None:
        self._kinds.update(findings.kinds)
        self._moves += findings.moves
        self._ply_proved &= findings.ply_proved

    def _checked(self, ply: int) -> Iterator[Findings]:
        """Yield the findings on the states of a ply, then the states of the next ply that no move reaches."""
        reached_bits = ReachedBits(self._checker.series_at(ply + 1))
        for series in self._checker.series_at(ply):
            for findings in self._pool.map(self._tasks_of(series), self._checker.on_progress):
                reached_bits.add(findings.reached)
                yield findings
        rules = self._checker.rules
        unreached = islice(reached_bits.unreached(self._checker.reader), EXAMPLES)
        yield Findings(
            tuple(f"{rules.named(key, ply + 1)}: no move leads there" for key in unreached), ply_proved=True
        )

    def _tasks_of(self, series: Series) -> Iterator[Task]:
        share = min(MAX_BLOCKS_PER_TASK, -(-series.blocks // (TASKS_PER_PROCESS * self._processes)))
        most = -(-series.blocks // self._processes)
        size = max(share, self._checker.min_task_blocks(series, self._children_at_once, most))
        for blocks in cut(range(series.blocks), size):
            yield partial(
                LayerChecker.states,
                ply=series.ply,
                is_terminal=series.is_terminal,
                blocks=blocks,
                children_at_once=self._children_at_once,
            )


def _as_json(findings: Findings) -> dict[str, Any]:
    """The counts of findings without problems, for the ledger."""
    kinds = [[*kind, states] for kind, states in sorted(findings.kinds.items())]
    return {"kinds": kinds, "moves": findings.moves, "ply_proved": findings.ply_proved}


def _as_findings(entry: dict[str, Any]) -> Findings:
    kinds = Counter[StateKind]({tuple(kind): states for *kind, states in entry["kinds"]})
    return Findings((), kinds, entry["moves"], entry["ply_proved"])
