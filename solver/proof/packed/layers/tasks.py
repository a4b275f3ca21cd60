"""The tasks of the proof of a file in layers, which any process can do in any order.

    ply 2   |--------|--------|--------|        ranges of open blocks, a task each
            |-----|                             terminal blocks
    ply 1   |------|------| ...

The findings of a task are its problems, and counts that `solver.proof.packed.layers.walk` adds up.

The last tasks look for states that are stored at more than one ply. They are not needed if `PackedGame.ply`
confirms the ply of every state. All plies are read in the same key ranges, and each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |
    ply 5    |  13  15     |  37       |      15 is stored twice

The engine checks its layers likewise, by separate code on purpose: a fault of the engine must not hide
itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from solver.proof.packed.blocks import Reader, Series, cut
from solver.proof.packed.checker import Checker, Findings, checked_ends, guarded
from solver.proof.packed.layers.internal_states import ChildLookup, InternalStates, ascend
from solver.proof.packed.metadata import problems_of_starts
from solver.proof.packed.rules import EXAMPLES
from solver.rules.arrays import MAX_STATE, Keys, in_order

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
        series, next_ply = self.series[ply, is_terminal], ChildLookup(self.reader, self.series_at(ply + 1))
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
