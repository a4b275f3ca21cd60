"""Proves a packed file of a game in layers, from its last ply to its first, in tasks for any process.

    ply 2   |--------|--------|--------|        ranges of open blocks, a task each
            |-----|                             terminal blocks
    ply 1   |------|------| ...

The last tasks look for states that are stored at more than one ply. They are not needed if `PackedGame.ply`
confirms the ply of every state. All plies are read in the same key ranges, and each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |
    ply 5    |  13  15     |  37       |      15 is stored twice

The engine checks its layers likewise, by separate code on purpose: a fault of the engine must not hide
itself.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from solver.proof.packed.blocks import Reader, Series, cut
from solver.proof.packed.checker import Checker, Findings, Task, checked_ends, guarded
from solver.proof.packed.layers.internal_states import InternalStates, NextPly, ascend
from solver.proof.packed.metadata import StateKind, problems_of_about, problems_of_starts
from solver.proof.packed.rules import EXAMPLES
from solver.rules.arrays import MAX_STATE, Keys, in_order
from solver.system.executors import TaskExecutor, ignore
from solver.system.ledger import Ledger
from solver.system.progress import Progress

CHILDREN_AT_ONCE, MAX_CHILDREN_AT_ONCE = 1 << 25, 1 << 27
"""The least and the greatest number of children that a process collects, as its memory allows.

It then reads most of the next ply for them: the more children, the fewer reads.
"""

BYTES_PER_CHILD = 60
"""Bytes of memory for a collected child, with its share of the data of its parent."""

BLOCKS_AT_ONCE = 8
"""Blocks that are checked at a time: their children fit a processor's cache."""


class LayerChecker(Checker):
    """Does the tasks of a proof ply by ply."""

    def series_at(self, ply: int) -> list[Series]:
        """The series of a ply: none, one or two."""
        return [self.series[kind] for kind in ((ply, 0), (ply, 1)) if kind in self.series]

    def states(self, ply: int, is_terminal: int, blocks: range, children_at_once: int) -> Findings:
        """Check the states in some blocks of a series, collecting about `children_at_once`."""
        series, next_ply = self.series[ply, is_terminal], NextPly(self.reader, self.series_at(ply + 1))
        internal = InternalStates(self.rules, self.code, ply, next_ply, children_at_once)
        findings = [self._checked_batch(series, batch, internal) for batch in cut(blocks, BLOCKS_AT_ONCE)]
        findings.append(guarded(lambda: Findings(tuple(internal.finish()), ply_proved=True)))
        return replace(Findings.merged(findings), reached=next_ply.reached)

    def starts(self) -> Iterator[str]:
        """Check the states of ply 0."""
        keys = [self.reader.states(series, range(series.blocks)).keys for series in self.series_at(0)]
        first = in_order(np.concatenate(keys))
        return problems_of_starts(self.db, self.rules, first)

    def repeated(self, first: int, last: int) -> Iterator[str]:
        """Yield the states in the key range [first, last] that are stored twice, at most `EXAMPLES`."""
        series = list(self.series.values())
        parts = [_between(self.reader, stored, first, last) for stored in series]
        keys = in_order(np.concatenate(parts))
        for key in dict.fromkeys(keys[1:][keys[1:] == keys[:-1]][:EXAMPLES].tolist()):
            plies = [stored.ply for stored, part in zip(series, parts, strict=True) if key in part]
            yield f"{self.rules.named(key, plies[0])}: it is also at ply {plies[-1]}"

    def min_task_blocks(self, series: Series, children_at_once: int, limit: int) -> int:
        """The least number of blocks for a task: one batch, or more if children are unsorted.

        Unsorted children are spread over the whole next ply, which is read once for each sort of them. So a
        task should fill a sort of `children_at_once`, within the `limit` of blocks. The number of unsorted
        children is estimated from the block in the middle of the series.
        """
        if series.is_terminal:
            return BLOCKS_AT_ONCE
        try:
            middle = self.reader.block(series, series.blocks // 2)
            children = [keys for play in self.rules.plays(middle.keys) for _, keys in play.edges()]
        except (Exception, SystemExit):
            return BLOCKS_AT_ONCE  # the task that checks this block reports it
        unsorted = sum(len(keys) for keys in children if not ascend(keys))
        return max(BLOCKS_AT_ONCE, min(children_at_once // unsorted, limit)) if unsorted else BLOCKS_AT_ONCE

    def _checked_batch(self, series: Series, blocks: range, internal: InternalStates) -> Findings:
        def checked() -> Findings:
            states = self.reader.states(series, blocks)
            ends = series.is_terminal
            return checked_ends(self.rules, states, series.ply) if ends else internal.checked(states)

        findings = guarded(checked)
        self.on_progress(sum(map(series.size, blocks)))
        return findings


BLOCKS_PER_RANGE = 256
"""Blocks that begin in one key range."""


def ranges(series: Sequence[Series]) -> Iterator[tuple[int, int]]:
    """Yield key ranges [first, last] that cover all states, up to `MAX_STATE`."""
    firsts = np.sort(np.concatenate([stored.firsts for stored in series]))
    cuts = np.unique(firsts[::BLOCKS_PER_RANGE])
    yield from zip(cuts.tolist(), [*(cuts[1:] - 1).tolist(), MAX_STATE], strict=True)


def _between(reader: Reader, series: Series, first: int, last: int) -> Keys:
    low = max(0, int(series.firsts.searchsorted(first, "right")) - 1)
    high = int(series.firsts.searchsorted(last, "right"))
    if low >= high:
        return np.empty(0, np.int64)
    keys = reader.states(series, range(low, high)).keys
    return keys[keys.searchsorted(first) : keys.searchsorted(last, "right")]


TASKS_PER_PROCESS = 8
"""Tasks per process and series, so that all processes end at about the same time."""

MAX_BLOCKS_PER_TASK = 1 << 10
"""The most blocks of a task, so that progress is visible."""


@dataclass(frozen=True)
class LayerWalk:
    """A proof and the processes that do its tasks."""

    checker: LayerChecker
    """Does quick tasks in this process."""
    pool: TaskExecutor
    processes: int
    children_at_once: int
    """The number of children that a process collects."""
    ledger: Ledger | None
    """Has the plies that are proved, from which an interrupted proof resumes."""

    def problems(self, progress: Progress) -> Iterator[str]:
        """Yield all problems, a cause before its consequences."""
        checker, series, parts = self.checker, self.checker.series, list[Findings]()
        states = sum(stored.states for stored in series.values())
        proved = dict(self.ledger.entries) if self.ledger else {}
        if proved:  # reported first, so that no speed is estimated from it
            checker.on_progress(sum(stored.states for (ply, _), stored in series.items() if ply in proved))
        for ply in sorted({ply for ply, _ in series}, reverse=True):
            if ply in proved:
                parts.append(_as_findings(proved[ply]))
            else:
                parts.append((yield from self._proved(ply)))
        yield from checker.done(LayerChecker.starts).problems
        whole = Findings.merged(parts)
        if not whole.ply_proved:
            key_ranges = ranges(list(series.values()))
            tasks = [partial(LayerChecker.repeated, first=first, last=last) for first, last in key_ranges]
            for nth, findings in enumerate(self.pool.map(tasks, ignore), start=1):
                yield from findings.problems
                progress("looking for repeats", nth * states // len(tasks), states)
        yield from problems_of_about(checker.db, checker.code, whole.kinds, whole.moves)

    def _proved(self, ply: int) -> Generator[str, None, Findings]:
        """Yield the problems of a ply; returns the sum of all findings on it."""
        parts = list[Findings]()
        for findings in self._checked(ply):
            yield from findings.problems
            parts.append(replace(findings, reached=()))
        whole = Findings.merged(parts)
        if self.ledger and not whole.problems:
            self.ledger.add([ply, _as_json(whole)])
        return whole

    def _checked(self, ply: int) -> Iterator[Findings]:
        """Yield the findings on the states of a ply, then the states of the next ply that no move reaches."""
        checker = self.checker
        next_ply = NextPly(checker.reader, checker.series_at(ply + 1))
        for series in checker.series_at(ply):
            for findings in self.pool.map(self._tasks_of(series), checker.on_progress):
                next_ply.add(findings.reached)
                yield findings
        rules, unreached = checker.rules, islice(next_ply.unreached(), EXAMPLES)
        yield Findings(
            tuple(f"{rules.named(key, ply + 1)}: no move leads there" for key in unreached), ply_proved=True
        )

    def _tasks_of(self, series: Series) -> Iterator[Task]:
        share = min(MAX_BLOCKS_PER_TASK, -(-series.blocks // (TASKS_PER_PROCESS * self.processes)))
        most = -(-series.blocks // self.processes)
        size = max(share, self.checker.min_task_blocks(series, self.children_at_once, most))
        for blocks in cut(range(series.blocks), size):
            yield partial(
                LayerChecker.states,
                ply=series.ply,
                is_terminal=series.is_terminal,
                blocks=blocks,
                children_at_once=self.children_at_once,
            )


def _as_json(findings: Findings) -> dict[str, Any]:
    """The counts of findings without problems, for the ledger."""
    kinds = [[*kind, states] for kind, states in sorted(findings.kinds.items())]
    return {"kinds": kinds, "moves": findings.moves, "ply_proved": findings.ply_proved}


def _as_findings(entry: dict[str, Any]) -> Findings:
    kinds = Counter[StateKind]({tuple(kind): states for *kind, states in entry["kinds"]})
    return Findings((), kinds, entry["moves"], entry["ply_proved"])
