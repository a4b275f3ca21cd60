"""The tasks of the proof of a game with loops: read blocks into arrays, then expand states in these.

The results of tasks are in the arrays; their findings are problems, and counts that
`solver.proof.packed.loops.walk` adds up.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice

import numpy as np

from solver.proof.packed.blocks import Series, cut
from solver.proof.packed.checker import Findings, guarded, kinds_of, problems_of_states
from solver.proof.packed.loops.arrays import EXPANDED
from solver.proof.packed.loops.expansion import (
    OpenedLoops,
    StateExpansion,
    members_of,
    problems_of_found_members,
)
from solver.proof.packed.metadata import problems_of_start, starting_states
from solver.proof.packed.rules import Places
from solver.proof.packed.symmetry import problems_of_members
from solver.rules.arrays import Keys, distinct
from solver.system.words import number_of

BLOCKS_AT_ONCE = 8
"""Blocks that are read at a time."""

STATES_AT_ONCE = 1 << 16
"""States whose moves are played at a time: enough to make the overhead of calling the rules small."""

STARTS_AT_ONCE = 1 << 22
"""Starts that are in memory at a time."""

CHILDREN_AT_ONCE = 1 << 22
"""Children that a process collects and looks up at a time, at about 60 bytes each."""


class LoopChecker(OpenedLoops):
    """Does the tasks of a proof frontier by frontier."""

    def stages(self) -> Iterator[str]:
        """Check that stages are the tiers of the rules, in ascending order."""
        stages = max(stage for stage, _ in self.series) + 1
        if self.tiers is None and stages > 1:
            yield f"the rules tell no tiers, but there are {stages} stages"
        if self.tiers is not None and (self.tiers[1:] <= self.tiers[:-1]).any():
            yield f"the tiers of its stages do not ascend: {self.tiers.tolist()}"

    def read(self, stage: int, is_terminal: int, blocks: range) -> Findings:
        """Read some blocks of a series into the arrays, and check terminal states."""
        series, findings = self.series[stage, is_terminal], list[Findings]()
        for batch in cut(blocks, BLOCKS_AT_ONCE):
            findings.append(guarded(partial(self._read, series, batch)))
            if is_terminal:
                self.on_progress(sum(map(series.size, batch)))
        return Findings.merged(findings)

    @cached_property
    def _starts_to_come(self) -> Iterator[int]:
        return starting_states(self.db, self.rules, self.arrays.states)

    def first_starts(self) -> Iterator[str]:
        """Ask the rules for the first `starts`, and check the start that the file states."""
        yield from self.next_starts()
        yield from problems_of_start(self.db, self.rules, self.starts)

    def next_starts(self) -> Iterator[str]:
        """Ask the rules for the next `starts`, empty when there are no more."""
        self.starts = self.starts[:0]
        following = islice(self._starts_to_come, None if self.rules.by_class else STARTS_AT_ONCE)
        self.starts = np.fromiter(following, np.int64)
        yield from ()

    def closed_starts(self) -> Iterator[str]:
        """Check that every state that is symmetric to a start is a start, too."""
        problem = "play begins there, but not in all that is symmetric to it"
        for image in self.rules.images(self.starts):
            yield from self.rules.each_wrong(self.starts, 0, ~np.isin(image, self.starts), problem)

    def begin(self, starts: Keys) -> Iterator[str]:
        """Check some of the starts, and give the states that stand for them the mark 1."""
        parts = list[Keys]()
        for part in cut(starts, STATES_AT_ONCE):
            representatives = self.rules.representatives(part)
            yield from problems_of_members(self.rules, part, representatives)
            parts.append(distinct(part if self.rules.by_class else representatives))
        keys = distinct(np.concatenate(parts))
        places = self.finder.find(keys, 0)
        missing = "play begins there, but it is not in the file"
        yield from self.rules.each_wrong(keys, 0, places < 0, missing)
        if self.rules.by_class:  # only canonical states are expanded; each is a start, too
            is_member = self.rules.canonical(keys) != keys
            self.arrays.mark(places[is_member & (places >= 0)], EXPANDED)
        self.arrays.mark(places[places >= 0], 1)

    def count_starts(self) -> Iterator[str]:
        """Check the number of starts: all states marked so far."""
        stated, begun = self.db.about["starts"], np.count_nonzero(self.arrays.marks)
        if stated != str(begun):
            yield f"about says starts = {stated}, but play begins in {number_of(int(begun), 'position')}"

    def expand(self, stage: int, places: Places, mark: int) -> Findings:
        """Check the open states at these places, and set `mark` on those first reached from them."""
        findings = list[Findings]()
        expansion = StateExpansion(self, stage, mark)
        for batch in cut(places, STATES_AT_ONCE):
            if expansion.waiting > CHILDREN_AT_ONCE:
                findings.append(guarded(expansion.finish))
            findings.append(guarded(partial(expansion.add, batch)))
            self.on_progress(findings[-1].kinds.total())
        findings.append(guarded(expansion.finish))
        return Findings.merged(findings)

    def members_of_ends(self, stage: int, places: Places) -> Findings:
        """Check that all states symmetric to the terminal ones at these places are stored; mark them."""
        parts = cut(places, STATES_AT_ONCE)
        return Findings.merged(guarded(partial(self._members_of_ends, stage, part)) for part in parts)

    def _members_of_ends(self, stage: int, places: Places) -> Iterator[str]:
        keys, rules = self.arrays.keys[places], self.rules
        images = rules.images(keys)
        yield from problems_of_states(rules, keys, images, stage, is_terminal=True)
        members = members_of(keys, images)
        labels = self.arrays.labels[places][members.canonical]
        yield from problems_of_found_members(self, stage, 1, members.keys, labels)

    def _read(self, series: Series, blocks: Sequence[int]) -> Findings:
        keys, labels = self.reader.states(series, blocks)
        rules, stage, over = self.rules, series.ply, series.is_terminal
        problems, out = list[str](), abs(labels.astype(np.int64)) >= self.code.limit
        problems.extend(rules.each_wrong(keys, stage, out, "its label is none"))
        if self.tiers is not None:
            strays = rules.tiers(keys) != self.tiers[stage]
            problems.extend(rules.each_wrong(keys, stage, strays, "its stage is that of another tier"))
        self.arrays.write(self.places[stage, over].start + series.offset(blocks[0]), keys, labels)
        if not over:
            return Findings(tuple(problems))
        images = None if rules.by_class else rules.images(keys)
        problems.extend(problems_of_states(rules, keys, images, stage, is_terminal=True))
        return Findings(tuple(problems), kinds_of(stage, 1, rules.movers(keys), labels))
