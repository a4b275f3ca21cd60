r"""The search for all states: breadth first in each stage, from the first stage to the last.

    stage 0   starts --> frontier --> children --> new ones are the next frontier ...
                              \--> exits, to later stages
    stage 1   exits of earlier stages --> ...

A stage is the states of one tier (`PackedGame.tier`), or all states where the rules tell none. Only the
states of one stage and its exits are held (scratch.py); at its end both are sorted and written to files.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from solver.engines.array_rules.rules import Rules, representatives
from solver.engines.loops.grouping import Grouped, grouped_by_tier, states_at_once
from solver.engines.loops.kernels import first_slot
from solver.engines.loops.scratch import Scratch
from solver.engines.loops.stage_files import SOLVED, find_in_order, keys_in_parts, write_keys
from solver.engines.loops.state_table import NOTHING, StateTable
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.records import FoundStarts, ReachedStage
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, distinct, max_abs_value
from solver.system.jit import kernel
from solver.system.resources import return_freed

Test: TypeAlias = Callable[[Rules, Keys], object]
"""A test of symmetries in some states; it raises `BrokenRules`."""

RECENT = 1 << 18
"""States that are remembered, so that one that comes again soon is left out; more would leave the cache."""

ONLY_TIER = 0
"""The tier of all states where the rules tell none."""


class Expanded(NamedTuple):
    """The children of some states."""

    by_tier: dict[int, Grouped]
    states: int
    """The number of those states that are not terminal."""
    moves: int
    """The number of their moves."""
    margin: int
    """The greatest absolute utility of those of the states that are terminal."""


def write_starts(context: SolveContext, parts: Iterable[Keys]) -> FoundStarts:
    """Write the states in which play begins to the work folder, those of each tier; return a record of them.

    They may come again.
    """
    if (known := FoundStarts.read(context.work)) is not None:
        return known
    tables, scratch = dict[int, StateTable](), Scratch(context)
    for part in parts:
        tiers = tiers_of(context, part)
        for tier in distinct(tiers).tolist():
            _add(context, tables.setdefault(tier, StateTable(scratch)), part[tiers == tier])
        states = sum(map(len, tables.values()))
        context.progress("finding initial states", states, None)
    for tier, table in tables.items():
        _write(context, scratch, 0, f"starts{tier}", len(table), table.drained())
    return FoundStarts(states, sorted(tables)).write(context.work)


def find_stages(
    context: SolveContext, tiers: Sequence[int], test_symmetries: Test, expected: int
) -> list[ReachedStage]:
    """Write the states of all stages to the work folder; return a record of each.

    Play begins in some tiers, whose starts are in the work folder. In a folded solve `test_symmetries` is
    called with all states, some at a time. Progress is measured by the `expected` number of states, or an
    upper bound of it, unless there are more. Raises `BrokenRules`.
    """

    def find(nth: int, tier: int, before: int, firsts: Sequence[Path]) -> ReachedStage:
        search = _Search(context, nth, tier, before, test_symmetries, expected)
        stage = search.run(keys for path in firsts for keys in keys_in_parts(KeyFile(path)))
        stage.write(context.work, nth)
        del search
        return_freed()
        return stage

    return find_in_order(context, tiers, find)


def tiers_of(context: SolveContext, keys: Keys) -> Keys:
    """The tier of each state."""
    tiers = context.rules.tiers(keys)
    return np.full(len(keys), ONLY_TIER) if tiers is None else tiers


def _add(context: SolveContext, table: StateTable, keys: Keys) -> None:
    """Add some states to a table."""
    table.divide_for(len(keys))
    _add_grouped(context, table, [table.grouped(keys)])


def _add_grouped(context: SolveContext, table: StateTable, parts: list[Grouped]) -> None:
    """Add states, grouped by a table, to it by all threads."""
    shares = table.shares(8 * context.job.threads)
    for _ in context.map_ordered(partial(table.add, parts), shares):
        pass
    table.split_full(context.map_ordered)


def _write(
    context: SolveContext, scratch: Scratch, nth: int, kind: str, states: int, parts: Iterable[Keys]
) -> None:
    """Write so many states, all different, to a file of a stage."""
    keys, begin = scratch.empty(states, np.dtype(np.int64)), 0
    for part in parts:
        keys[begin : begin + len(part)] = part
        begin += len(part)
    keys.sort()
    write_keys(context, nth, kind, keys)


class _Search:
    """A search for the states of one stage."""

    def __init__(
        self,
        context: SolveContext,
        nth: int,
        tier: int,
        before: int,
        test_symmetries: Test,
        expected: int,
    ) -> None:
        self._context, self._nth, self._tier, self._before = context, nth, tier, before
        self._test_symmetries, self._expected = test_symmetries, expected
        self._scratch = Scratch(context)
        self._table = StateTable(self._scratch)
        self._tables, self._margin = {tier: self._table}, 0
        self._states, self._moves = 0, 0

    def run(self, firsts: Iterable[Keys]) -> ReachedStage:
        """Find the states of the stage, write them and the exits, and return the record of them."""
        for keys in firsts:
            _add(self._context, self._table, keys)
        while frontier := self._frontier():
            expansions = list(self._context.map_ordered(self._expanded, frontier))
            for tier in sorted({tier for each in expansions for tier in each.by_tier}):
                parts = [each.by_tier[tier] for each in expansions if tier in each.by_tier]
                table = self._tables.setdefault(tier, StateTable(self._scratch, parts[0].bits))
                _add_grouped(self._context, table, parts)
            self._margin = max(self._margin, *(each.margin for each in expansions))
            self._states += sum(each.states for each in expansions)
            self._moves += sum(each.moves for each in expansions)
            states = self._before + len(self._table)
            total = self._expected if self._expected >= states else None
            self._context.progress("finding states", states, total)
        return self._written()

    def _frontier(self) -> list[Keys]:
        chunk, most = states_at_once(self._context, len(self._table.buckets), self._states, self._moves)
        return self._table.take(most, chunk)

    def _expanded(self, keys: Keys) -> Expanded:
        self._context.check_cancelled()
        rules = self._context.rules
        is_terminal = rules.terminal(keys)
        margin = max_abs_value(rules.utilities(keys[is_terminal]))
        open_states = keys[~is_terminal]
        children, _ = rules.every_child(open_states)
        moves = len(children)
        if self._context.fold:
            self._test_symmetries(rules, keys)
            children = without_repeats(representatives(rules, children), np.full(RECENT, -1))
        tiers = tiers_of(self._context, children)
        if (tiers < self._tier).any():
            raise BrokenRules(f"the tier falls from {self._tier} to {tiers.min()} by a move")
        bits = {tier: table.bits for tier, table in self._tables.items()}
        by_tier = grouped_by_tier(children, NOTHING, tiers, bits)
        return Expanded(by_tier, len(open_states), moves, margin)

    def _written(self) -> ReachedStage:
        states, found = len(self._table), self._states
        keys = self._scratch.empty(states, np.dtype(np.int64))
        begin, end = 0, found
        for part, is_terminal in self._context.map_ordered(
            lambda keys: (keys, self._context.rules.terminal(keys)), self._table.drained()
        ):
            open_states, terminal = part[~is_terminal], part[is_terminal]
            keys[begin : begin + len(open_states)] = open_states
            keys[end : end + len(terminal)] = terminal
            begin, end = begin + len(open_states), end + len(terminal)
        for kind, some in ((SOLVED.open, keys[:found]), (SOLVED.terminal, keys[found:])):
            some.sort()
            write_keys(self._context, self._nth, kind, some)
        exits = {tier: table for tier, table in self._tables.items() if tier != self._tier}
        for tier, table in exits.items():
            _write(self._context, self._scratch, self._nth, f"exits{tier}", len(table), table.drained())
        exits_of_all = [[tier, 0] for tier in sorted(exits)]
        return ReachedStage(found, states - found, 1, self._tier, self._margin, exits_of_all)


@kernel
def without_repeats(keys: Keys, recent: Keys) -> Keys:
    """The keys, in their order, without most of those that came before.

    `recent`: int64, a power of two of them, all -1 beforehand: the last key of each slot. They are moved to
    the front of the array.
    """
    kept, last = 0, len(recent) - 1
    for nth in range(len(keys)):
        key = keys[nth]
        slot = first_slot(key, last)
        keys[kept] = key
        kept += recent[slot] != key
        recent[slot] = key
    return keys[:kept]
