"""The tasks of the search for the states of a stage.

    ExpandStates    some open states of a round         -->  their children, sorted
    AddStates       children in some ranges of keys     -->  those that are not known: the next round

Each task writes one shard of the files that the driver (finding.py) names; ../storage/merging.py merges runs.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.engines.loops.kernels import first_slot
from solver.engines.loops.workplace import Workplace, tiers_of
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, key_shards
from solver.engines.storage.merging import KeyRange, Names, merged, ranks_in
from solver.engines.storage.steps import Answer
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, distinct, max_abs_value
from solver.system.executors import OnProgress
from solver.system.jit import kernel

CHILDREN = "children.run"

RECENT = 1 << 18
"""States that are remembered, to leave out those that soon recur; more would not fit the cache."""


def exits_kind(tier: int) -> str:
    """The kind of the sorted runs of states that are exits to a later tier."""
    return f"exits{tier}.run"


class Rounds(NamedTuple):
    """The files of the states that some consecutive rounds of a stage have found."""

    first: int
    last: int
    open_states: int
    terminal: int
    shards: int

    @property
    def states(self) -> int:
        """The number of states."""
        return self.open_states + self.terminal

    def kind(self, is_terminal: int) -> str:
        """The kind of the files of open, or of terminal, states."""
        return f"rounds{self.first}-{self.last}.{'terminal' if is_terminal else 'open'}.run"

    def names(self, context: SolveContext, stage: int, is_terminal: int) -> list[str]:
        """The names of those files."""
        return [path.name for path in context.work.shards(stage, self.kind(is_terminal), self.shards)]

    def files(self, context: SolveContext, stage: int, is_terminal: int) -> KeyFile:
        """The open, or the terminal, states."""
        work = context.work
        return KeyFile(*work.shards(stage, self.kind(is_terminal), self.shards), held=work.held)


@dataclass(frozen=True)
class ExpandStates:
    """Find the children of the open states in some pieces of a round."""

    stage: int
    tier: int
    round: Rounds
    nth: int
    begin: int
    end: int

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the children as a sorted run, those of other tiers as exits; raises `BrokenRules`."""
        context, rules = workplace.context, workplace.context.rules
        states, moves, recent = self.round.files(context, self.stage, 0), 0, np.full(RECENT, -1)
        by_tier = defaultdict[int, list[Keys]](list, {self.tier: []})
        for piece in range(self.begin, self.end):
            context.check_cancelled()
            keys = states.read(piece, piece + 1)
            children, _ = rules.every_child(keys)
            moves += len(children)
            if context.fold:
                workplace.test_symmetries(rules, keys)
                children = rules.representatives(children)
            children = without_repeats(children, recent)
            tiers = tiers_of(context, children)
            for tier in distinct(tiers).tolist():
                if tier < self.tier:
                    raise BrokenRules(f"the tier falls from {self.tier} to {tier} by a move")
                by_tier[tier].append(children[tiers == tier])
            on_progress(len(keys))
        exit_shard = self.round.last << 32 | self.nth  # different for each task of a stage
        for tier, parts in by_tier.items():
            kind, number = (CHILDREN, self.nth) if tier == self.tier else (exits_kind(tier), exit_shard)
            run = distinct(np.concatenate([*parts, keys[:0]]))
            with key_shards(context, self.stage, number, kind) as (file,):
                file.add(run)
        done = int(states.begins[self.end] - states.begins[self.begin])
        exits = [[tier, exit_shard] for tier in sorted({*by_tier} - {self.tier})]
        return {"states": done, "moves": moves, "exits": exits}


@dataclass(frozen=True)
class AddStates:
    """Find the new states of a round in some ranges of keys: the states of sorted runs that are not known."""

    stage: int
    round: int
    nth: int
    runs: Names
    ranges: tuple[KeyRange, ...]
    known: Sequence[Rounds]

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write a shard of the round; return the facts about it."""
        context = workplace.context
        known = [[rounds.files(context, self.stage, kind) for rounds in self.known] for kind in (0, 1)]
        into, margin = Rounds(self.round, self.round, 0, 0, 0), 0
        with key_shards(context, self.stage, self.nth, into.kind(0), into.kind(1)) as files:
            for keys in merged(context, self.runs, self.ranges):
                for kind, new in enumerate(context.rules.open_and_terminal(keys, folded=False)):
                    for file in known[kind]:
                        new = new[ranks_in(file, new) < 0]
                    files[kind].add(new)
                    if kind and len(new):
                        if context.fold:
                            workplace.test_symmetries(context.rules, new)
                        margin = max(margin, max_abs_value(context.rules.utilities(new)))
        states = [file.states for file in files]
        on_progress(sum(states))
        return {"states": sum(states), "open": states[0], "terminal": states[1], "margin": margin}


@kernel
def without_repeats(keys: Keys, recent: Keys) -> Keys:
    """The keys, in their order, without most repetitions; they are moved to the front of the array.

    `recent`: int64, the last key of each slot, a power of two in length, all -1 before the first call.
    """
    count, last = 0, len(recent) - 1
    for nth in range(len(keys)):
        key = keys[nth]
        slot = first_slot(key, last)
        keys[count] = key
        count += recent[slot] != key
        recent[slot] = key
    return keys[:count]
