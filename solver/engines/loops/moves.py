"""The moves of a stage: their number in each open state, their parents, and what moves out of it offer.

    floor       the best label that a move to an end, or to a later stage, offers the player to move
    open moves  the moves that stay in the stage, and one more for the floor if there is one
    parents     of each open state: the states of the stage with a move to it, once for each move

A state whose floor is the best label of all needs nothing else: its other moves are left out.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.engines.loops import kernels
from solver.engines.loops.finding import tiers_of
from solver.engines.loops.grouping import Grouped, grouped_by_tier, states_at_once
from solver.engines.loops.scratch import Scratch
from solver.engines.loops.state_table import StateTable
from solver.engines.storage.context import SolveContext
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, Labels

Numbers = NDArray[np.uint32]
"""Numbers of states."""


OTHERWISE = "the rules lead to other states when they are asked again"


class LabelledStage(NamedTuple):
    """The open states of a stage, and what they offer to those with a move to them."""

    table: StateTable
    offers: Labels
    """The label of each state, by number, backed up over a move."""
    begins: Keys
    """The number of the first state of each bucket, and the number of states: int64, (buckets + 1,)."""


class Run(NamedTuple):
    """Moves of some parents, by the bucket of the child."""

    begins: Keys
    """Where the moves into each bucket begin: int64, (buckets + 1,)."""
    children: NDArray[np.uint16]
    """The index of the child in its bucket."""
    parents: Numbers


class FoundMoves(NamedTuple):
    """The moves of some states."""

    states: slice
    """The places of the states among those of the round."""
    by_tier: dict[int, Grouped]
    """The moves to open states of each tier, but for those of states with the best floor."""
    counts: NDArray[np.uint32]
    """The number of moves of each state among these that stay in the stage."""
    moves: int


class FoundStage(NamedTuple):
    """The moves of a stage as they were found."""

    runs: list[Run]
    open_moves: NDArray[Any]
    floors: Labels
    moves: int


class StageMoves(NamedTuple):
    """The moves of a stage, reversed."""

    offsets: Keys
    """Where the parents of each state begin, and how many there are: int64, (states + 1,)."""
    parents: Numbers
    open_moves: NDArray[Any]
    """Twice the number of open moves, plus the player to move: uint16 or uint32, (states,)."""
    floors: Labels
    """For the player to move; the least number of the dtype for none: (states,)."""
    moves: int


class MoveOffers:
    """What moves offer to the states of a stage."""

    def __init__(self, context: SolveContext, code: LabelCode) -> None:
        self._context, self._code = context, code
        signs = np.array([1, -1], code.dtype)
        self._bests = code.encode_ends(np.array([1, -1]) * code.max_abs_value, 1) * signs
        self.least = np.iinfo(code.dtype).min
        """The floor of a state to which no move out of the stage offers anything."""

    def open_moves(self, keys: Keys, floors: Labels) -> tuple[Keys, NDArray[np.int32], int]:
        """The children of some states that are open, with their owners, and the number of all moves.

        Floors are raised by the other moves. Moves of a state with the best floor are left out.
        """
        context, rules = self._context, self._context.rules
        context.check_cancelled()
        children, owners = (rules.folded_children if context.fold else rules.every_child)(keys)
        moves, is_end = len(children), rules.terminal(children)
        offers = self._code.encode_ends(rules.utilities(children[is_end]), 1)
        kernels.raise_floors(owners[is_end], offers, floors)
        kept = kernels.keep_open(children, owners, is_end, floors, self._bests)
        return children[:kept], owners[:kept], moves

    def counters(self, keys: Keys, counts: NDArray[Any], floors: Labels) -> NDArray[np.int64]:
        """Twice the number of open moves of each state, plus its player to move, given those that stay.

        Raises `BrokenRules` for a state without any.
        """
        counts = counts + (floors != self.least)
        if (stuck := counts == 0).any():
            raise BrokenRules(
                f"the rules give no action in the state {keys[stuck][0]}, which is not terminal"
            )
        doubled: NDArray[np.int64] = 2 * counts.astype(np.int64) + self._context.rules.movers(keys)
        return doubled


def counter_dtype(context: SolveContext) -> "np.dtype[np.unsignedinteger[Any]]":
    """The integers that hold twice the number of open moves of a state, plus the player to move."""
    return np.dtype(np.uint16 if context.rules.action_count < (1 << 15) - 1 else np.uint32)


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
        self._bits = {tier: table.bits, **{each: stage.table.bits for each, stage in later.items()}}
        self._offers, self._begins = MoveOffers(context, code), table.begins

    def found(self, keys: Keys, scratch: Scratch, report: Callable[[int], None]) -> FoundStage:
        """The moves of the states of the stage, given by number; `report` is told how many are done."""
        open_moves: NDArray[Any] = scratch.empty(len(keys), counter_dtype(self._context))
        floors: Labels = scratch.empty(len(keys), self._code.dtype)
        floors[:] = self._offers.least
        runs, total, begin = list[Run](), 0, 0
        while begin < len(keys):
            chunk, most = states_at_once(self._context, len(self._table.buckets), begin, total)
            some = slice(begin, min(begin + most, len(keys)))
            parts = self._parts(keys[some], chunk, floors[some])
            self._offer(parts, floors[some])
            runs.append(self._run(parts, begin, scratch))
            counts = np.concatenate([part.counts for part in parts])
            open_moves[some] = self._offers.counters(keys[some], counts, floors[some])
            total += sum(part.moves for part in parts)
            begin = some.stop
            report(begin)
        return FoundStage(runs, open_moves, floors, total)

    def _parts(self, keys: Keys, size: int, floors: Labels) -> list[FoundMoves]:
        """The moves of some states, `size` of them at a time; their floors are raised by moves to ends."""
        parts = [slice(begin, min(begin + size, len(keys))) for begin in range(0, len(keys), size)]
        return list(self._context.map_ordered(lambda part: self._part(part, keys[part], floors[part]), parts))

    def _part(self, part: slice, keys: Keys, floors: Labels) -> FoundMoves:
        children, owners, moves = self._offers.open_moves(keys, floors)
        tiers = tiers_of(self._context, children)
        by_tier = grouped_by_tier(children, owners, tiers, self._bits)
        counts = np.zeros(len(keys), np.uint32)
        kernels.count_moves(by_tier[self._tier].owners, counts)
        return FoundMoves(part, by_tier, counts, moves)

    def _offer(self, parts: Sequence[FoundMoves], floors: Labels) -> None:
        """Raise the floors of some states by their moves to later stages."""
        for tier, stage in self._later.items():

            def raised(buckets: range, tier: int = tier, stage: LabelledStage = stage) -> Labels:
                own = np.full_like(floors, self._offers.least)
                for nth in buckets:
                    bucket = stage.table.buckets[nth]
                    offers = stage.offers[stage.begins[nth] : stage.begins[nth + 1]]
                    for part in parts:
                        moves = part.by_tier[tier].bucket(nth)
                        self._check(
                            kernels.raise_floors_by_states(
                                *moves, bucket.keys, bucket.slots, offers, own[part.states]
                            )
                        )
                return own

            shares = stage.table.shares(self._context.job.threads)
            for own in self._context.map_ordered(raised, shares):
                np.maximum(floors, own, out=floors)

    def _run(self, parts: Sequence[FoundMoves], first: int, scratch: Scratch) -> Run:
        """The moves of some states that stay in the stage; `first` is the number of the first state."""
        inside = [part.by_tier[self._tier] for part in parts]
        begins = sum((each.begins for each in inside), np.zeros(len(self._begins), np.int64))
        total = int(begins[-1])
        children = scratch.empty(total, np.dtype(np.uint16))
        parents = scratch.empty(total, np.dtype(np.uint32))

        def link(buckets: range) -> None:
            for nth in buckets:
                bucket, at = self._table.buckets[nth], int(begins[nth])
                for part, grouped in zip(parts, inside, strict=True):
                    keys, owners = grouped.bucket(nth)
                    to = slice(at, at := at + len(keys))
                    known, number = (bucket.keys, bucket.slots), first + part.states.start
                    self._check(kernels.link(keys, owners, *known, number, children[to], parents[to]))

        for _ in self._context.map_ordered(link, self._table.shares(8 * self._context.job.threads)):
            pass
        return Run(begins, children, parents)

    def _check(self, is_known: bool) -> None:
        if not is_known:
            raise BrokenRules(OTHERWISE)


def reversed_moves(context: SolveContext, stage: FoundStage, begins: Keys, scratch: Scratch) -> StageMoves:
    """The moves of a stage by child, given the number of the first state of each bucket."""
    runs = stage.runs
    sizes = sum((np.diff(run.begins) for run in runs), np.zeros(len(begins) - 1, np.int64))
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    offsets = scratch.empty(int(begins[-1]) + 1, np.dtype(np.int64))
    parents = scratch.empty(int(firsts[-1]), np.dtype(np.uint32))
    offsets[-1] = firsts[-1]

    def reverse(nth: int) -> None:
        parts = [slice(run.begins[nth], run.begins[nth + 1]) for run in runs]
        children = np.concatenate([run.children[part] for run, part in zip(runs, parts, strict=True)])
        owners = np.concatenate([run.parents[part] for run, part in zip(runs, parts, strict=True)])
        inside = np.zeros(int(begins[nth + 1] - begins[nth]) + 1, np.int64)
        kernels.sort_by_child(children, owners, inside, parents[firsts[nth] : firsts[nth + 1]])
        offsets[begins[nth] : begins[nth + 1]] = inside[:-1] + firsts[nth]

    for _ in context.map_ordered(reverse, range(len(sizes) if runs else 0)):
        pass
    return StageMoves(offsets, parents, stage.open_moves, stage.floors, stage.moves)
