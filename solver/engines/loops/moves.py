"""The moves of a stage: their number in each open state, their parents, and what moves out of it offer.

    floor       the best label that a move to an end, or to a later stage, offers the player to move
    open moves  the moves that stay in the stage, and one more for the floor if there is one
    parents     of each open state: the states of the stage with a move to it, once for each move

A state whose floor is the best label of all needs nothing else: its other moves are left out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.engines.context import SolveContext
from solver.engines.loops.machine import kernels
from solver.engines.loops.scratch import Scratch
from solver.engines.loops.state_table import Grouped, MovesOut, StateTable, apart
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, Labels

Numbers = NDArray[np.uint32]
"""Numbers of states."""


class LabelledStage(NamedTuple):
    """The open states of a stage, and what they offer to those with a move to them."""

    table: StateTable
    offers: Labels
    """The label of each state, by number, backed up over a move."""


class Run(NamedTuple):
    """Moves of some parents, by the bucket of the child."""

    begins: Keys
    """Where the moves into each bucket begin: int64, (buckets + 1,)."""
    children: NDArray[np.uint16]
    """The index of the child in its bucket."""
    parents: Numbers


class StageMoves(NamedTuple):
    """The moves of a stage."""

    offsets: Keys
    """Where the parents of each state begin, and how many there are: int64, (states + 1,)."""
    parents: Numbers
    open_moves: NDArray[Any]
    """Twice the number of open moves, plus the player to move: uint16 or uint32, (states,)."""
    floors: Labels
    """For the player to move; the least number of the dtype for none: (states,)."""
    moves: int
    """The number of moves in all states."""


class MoveFinder:
    """Finds the moves of one stage."""

    def __init__(
        self,
        context: SolveContext,
        code: LabelCode,
        tier: int,
        table: StateTable,
        later: "dict[int, LabelledStage]",
    ) -> None:
        """Find the moves of the states in `table`; `later` has the later stages, by tier."""
        self._context, self._code, self._tier, self._table, self._later = context, code, tier, table, later
        self._best = code.of_ends(np.array([1, -1]) * code.max_abs_value, 1) * np.array([1, -1], code.dtype)
        self._least = np.iinfo(code.dtype).min
        self._begins = table.begins

    def moves(self, keys: Keys) -> StageMoves:
        """The moves of the states of the stage, given by number."""
        size = max(1 << 10, self._context.keys_per_sort // self._context.rules.action_count)
        wide = np.uint16 if self._context.rules.action_count < (1 << 15) - 1 else np.uint32
        open_moves, floors = np.empty(len(keys), wide), np.empty(len(keys), self._code.dtype)
        scratch, runs, total = Scratch(self._context), list[Run](), 0

        def part(begin: int) -> tuple[Run, int]:
            end = min(begin + size, len(keys))
            return self._part(keys[begin:end], begin, open_moves[begin:end], floors[begin:end])

        for run, count in self._context.map_ordered(part, range(0, max(1, len(keys)), size)):
            runs.append(Run(run.begins, scratch.copy(run.children), scratch.copy(run.parents)))
            total += count
        offsets, parents = self._parents(runs, len(keys), scratch)
        return StageMoves(offsets, parents, open_moves, floors, total)

    def _part(self, keys: Keys, first: int, open_moves: NDArray[Any], floors: Labels) -> tuple[Run, int]:
        """The moves of some states that stay in the stage, and the number of all moves.

        `first` is the number of the first state; `open_moves` and `floors` are written to.
        """
        self._context.check_cancelled()
        rules, movers = self._context.rules, self._context.rules.movers(keys)
        signs = (1 - 2 * movers).astype(floors.dtype)
        floors[:] = self._least
        children, owners = self._children(keys)
        moves = len(children)
        if (tiers := rules.tiers(children)) is not None:
            places = dict(apart(tiers))
            inside = places.pop(self._tier, np.zeros(moves, np.bool_))
            for tier, some in places.items():
                self._offer(self._later[tier], children[some], owners[some], signs, floors)
            children, owners = children[inside], owners[inside]
        grouped = self._table.grouped(children, owners)
        numbers = self._table.find(grouped)
        self._offer_ends(grouped, numbers, signs, floors)
        out = MovesOut(
            np.empty(len(self._begins), np.int64),
            np.empty(len(numbers), np.uint16),
            np.empty(len(numbers), np.uint32),
            np.zeros(len(keys), np.uint32),
        )
        settled = floors == self._best[movers]
        kept = kernels().keep_open(numbers, grouped.owners, grouped.begins, settled, self._begins[:-1], out)
        count = out.counts + (floors != self._least)
        if (stuck := count == 0).any():
            raise BrokenRules(
                f"the rules give no action in the state {keys[stuck][0]}, which is not terminal"
            )
        open_moves[:] = 2 * count + movers
        return Run(out.begins, out.children[:kept], out.parents[:kept] + np.uint32(first)), moves

    def _children(self, keys: Keys) -> tuple[Keys, NDArray[np.int32]]:
        """The child of each move, and the index of its parent."""
        rules = self._context.rules
        found = [rules.children(keys, action) for action in range(rules.action_count)]
        children = np.concatenate([each for each, _ in found])
        owners = np.concatenate([codes for _, codes in found]) >> 1
        return rules.canonical(children) if self._context.fold else children, owners

    def _offer(
        self, stage: LabelledStage, children: Keys, owners: NDArray[np.int32], signs: Labels, floors: Labels
    ) -> None:
        """Raise the floors of states by moves to a later stage."""
        exits = stage.table.grouped(children, owners)
        numbers = stage.table.find(exits)
        kernels().raise_floors(numbers, exits.owners, stage.offers, signs, floors)
        self._offer_ends(exits, numbers, signs, floors)

    def _offer_ends(self, moves: Grouped, numbers: Keys, signs: Labels, floors: Labels) -> None:
        """Raise the floors of states by moves to ends, which have no number."""
        places = np.flatnonzero(numbers < 0)
        offers = self._code.of_ends(self._context.rules.utilities(moves.keys[places]), 1)
        kernels().raise_floors(np.arange(len(places)), moves.owners[places], offers, signs, floors)

    def _parents(self, runs: Sequence[Run], states: int, scratch: Scratch) -> tuple[Keys, Numbers]:
        """The offsets of the parents of each state, and the parents."""
        sizes = sum((np.diff(run.begins) for run in runs), np.zeros(len(self._begins) - 1, np.int64))
        firsts = np.concatenate([[0], np.cumsum(sizes)])
        offsets, parents = np.empty(states + 1, np.int64), scratch.empty(int(firsts[-1]), np.dtype(np.uint32))
        offsets[-1] = firsts[-1]

        def bucket(nth: int) -> None:
            parts = [slice(run.begins[nth], run.begins[nth + 1]) for run in runs]
            children = np.concatenate([run.children[part] for run, part in zip(runs, parts, strict=True)])
            owners = np.concatenate([run.parents[part] for run, part in zip(runs, parts, strict=True)])
            begins = np.zeros(int(self._begins[nth + 1] - self._begins[nth]) + 1, np.int64)
            kernels().sort_by_child(children, owners, begins, parents[firsts[nth] : firsts[nth + 1]])
            offsets[self._begins[nth] : self._begins[nth + 1]] = begins[:-1] + firsts[nth]

        for _ in self._context.map_ordered(bucket, range(len(sizes))):
            pass
        return offsets, parents
