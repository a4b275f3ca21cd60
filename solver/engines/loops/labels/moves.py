"""Finds the moves of a stage by tasks: the moves of the states of each range, then the parents of its states.

    FindMoves       range 0:  moves to range 0 | to range 1 | to range 2
                    range 1:  moves to range 0 | to range 1 | to range 2
    ReverseMoves    range 1:  the parents of each of its states, from the second column

States are numbered in ascending order (ranges.py).

    floor       the best label that a move to an end, or to a later stage, offers the player to move
    open moves  the moves that stay in the stage, and one more for the floor if there is one
    parents     of an open state: the states of the stage with a move to it, once for each move

A state whose floor is the best possible label needs nothing else: its other moves are left out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.engines.loops import kernels
from solver.engines.loops.labels.array_file import ArrayFile, write_arrays
from solver.engines.loops.labels.ranges import NOTHING, MoveCode, Ranges, by_group, by_range, ranges_of
from solver.engines.loops.workplace import SOLVED, Workplace, tiers_of
from solver.engines.storage.context import SolveContext
from solver.engines.storage.merging import ranks_in
from solver.engines.storage.records import LinkedStage, ReachedStage
from solver.engines.storage.steps import Answer
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, Labels, sorted_along
from solver.system.executors import OnProgress

MOVES, PARENTS, FLOORS = "moves.run", "parents.run", "floors.run"
"""The kinds of files: of moves by the range of the child, of parents, and of states by floor."""

Numbers = NDArray[np.uint32]
"""Numbers of states."""

PIECES_AT_ONCE = 4
"""Pieces of states whose moves are computed at a time; their children are looked up together."""

OTHERWISE = "the rules lead to other states when they are asked again"

KEYS, OWNERS, BYTES = np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint8)


def counters_kind(label: int) -> str:
    """The kind of files of numbers of open moves as of when the states with this label were settled."""
    return f"counters{label}.run"


def counter_dtype(context: SolveContext) -> "np.dtype[np.unsignedinteger[Any]]":
    """The integers that hold twice the number of open moves of a state, plus the player to move."""
    return np.dtype(np.uint16 if context.rules.action_count < (1 << 15) - 1 else np.uint32)


@dataclass(frozen=True)
class FindMoves:
    """Find the moves of the states of a range."""

    ranges: Ranges
    nth: int
    tier: int
    code: LabelCode
    later: Mapping[int, int]
    """The number of each later stage that moves lead to, by its tier."""

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the moves, by the range of the child, and the counters and floors of the states."""
        return _Finder(self, workplace.context).run(on_progress)


class _Finder:
    """Finds the moves of the states of a range."""

    def __init__(self, task: FindMoves, context: SolveContext) -> None:
        self._task, self._context, self._code = task, context, task.code
        ranges, self._states = task.ranges, SOLVED.open_states(context, task.ranges.stage)
        self._firsts = np.array(ranges.firsts[:-1], np.int64)
        self._begin, self._end = ranges.bounds[task.nth : task.nth + 2]
        self._later = {
            tier: (SOLVED.open_states(context, stage), SOLVED.labels_of(context, stage, task.code))
            for tier, stage in task.later.items()
        }
        signs = np.array([1, -1], task.code.dtype)
        self._bests = task.code.encode_ends(np.array([1, -1]) * task.code.max_abs_value, 1) * signs
        self._no_floor = np.iinfo(task.code.dtype).min
        self._keys: list[list[Keys]] = [[] for _ in range(len(ranges))]
        self._parents: list[list[NDArray[np.int32]]] = [[] for _ in range(len(ranges))]

    def run(self, on_progress: OnProgress) -> Answer:
        task, context, begins = self._task, self._context, self._states.begins
        states, moves = int(begins[self._end] - begins[self._begin]), 0
        floors: Labels = np.full(states, self._no_floor, self._code.dtype)
        counters = np.empty(states, counter_dtype(context))
        for piece in range(self._begin, self._end, PIECES_AT_ONCE):
            keys = self._states.read(piece, min(piece + PIECES_AT_ONCE, self._end))
            at = int(begins[piece] - begins[self._begin])
            part = slice(at, at + len(keys))
            counts, more = self._moves(keys, at, floors[part])
            counts += floors[part] != self._no_floor
            if not counts.all():
                stuck = keys[counts.argmin()]
                raise BrokenRules(f"the rules give no action in the state {stuck}, which is not terminal")
            counters[part] = 2 * counts + context.rules.movers(keys)
            moves += more
        gains, by_gain = self._by_gain(floors, counters & 1)
        stage, arrays = task.ranges.stage, list[NDArray[Any]]()
        for to, (children, parents) in enumerate(zip(self._keys, self._parents, strict=True)):
            moves_to = np.concatenate([np.empty(0, np.int64), *children]), np.concatenate([NOTHING, *parents])
            children.clear()
            parents.clear()
            arrays += self._coded(to, *moves_to)
        write_arrays(context, stage, MOVES, task.nth, arrays)
        write_arrays(context, stage, FLOORS, task.nth, by_gain)
        write_arrays(context, stage, counters_kind(0), task.nth, [counters])
        on_progress(states)
        return {"states": states, "moves": moves, "floors": gains}

    def _moves(self, keys: Keys, at: int, floors: Labels) -> tuple[Keys, int]:
        """Store the moves of some states, without those of states with the best floor; raise their floors.

        Returns the number of moves of each state that stay in the stage, and that of all moves. The first of
        the states has the number `at` in the range.
        """
        context, rules = self._context, self._context.rules
        context.check_cancelled()
        children, owners = (rules.folded_children if context.fold else rules.every_child)(keys)
        moves, is_end = len(children), rules.terminal(children)
        offers = self._code.encode_ends(rules.utilities(children[is_end]), 1)
        _raise_floors(owners[is_end], offers, floors)
        count = kernels.keep_open(children, owners, is_end, floors, self._bests)
        children, owners = children[:count], owners[:count]
        tiers, left = tiers_of(context, children), 0
        for tier, (states, labels) in self._later.items():
            leaves = np.flatnonzero(tiers == tier)
            ordered, leaves = sorted_along(children[leaves], leaves, len(children).bit_length())
            if (ranks := ranks_in(states, ordered)).min(initial=0) < 0:
                raise BrokenRules(OTHERWISE)
            offers = self._code.before(labels.at(ranks))
            _raise_floors(owners[leaves], offers, floors)
            left += len(leaves)
        if len(stays := np.flatnonzero(tiers == self._task.tier)) + left < len(children):
            raise BrokenRules(OTHERWISE)
        if left:
            children, owners = children[stays], owners[stays]
        in_order, codes, begins = by_range(children, self._firsts, owners)
        for nth, (begin, end) in enumerate(pairwise(begins.tolist())):
            if begin < end:
                self._keys[nth].append(in_order[begin:end])
                self._parents[nth].append((codes[begin:end] >> 1) + at)
        return np.bincount(owners >> 1, minlength=len(keys)), moves

    def _coded(self, to: int, keys: Keys, parents: NDArray[np.int32]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The moves to a range, encoded if required and possible; raises `BrokenRules` for others."""
        first, last = self._task.ranges.firsts[to : to + 2]
        if len(keys) and not first <= keys.min() <= keys.max() <= last:
            raise BrokenRules(OTHERWISE)
        code = _move_code(self._context, self._task.ranges, to, self._task.nth)
        return code.encoded(keys, parents) if code else (keys, parents)

    def _by_gain(self, floors: Labels, movers: NDArray[Any]) -> tuple[list[list[int]], list[NDArray[Any]]]:
        """The gains with numbers of states; and for each winner: gains, the begin of each, states by gain.

        A gain is a floor in favour of the winner.
        """
        arrays, sizes = list[NDArray[Any]](), Counter[int]()
        labels = np.where(floors == self._no_floor, 0, floors.astype(np.int64))
        of_first = labels * (1 - 2 * movers.astype(np.int64))
        for sign in (1, -1):
            states = np.flatnonzero(sign * of_first > 0)
            states = states[np.argsort(sign * of_first[states], kind="stable")]
            gains, firsts = np.unique(sign * of_first[states], return_index=True)
            arrays += [gains, np.append(firsts, len(states)), states.astype(np.uint32)]
            sizes.update(dict(zip(gains.tolist(), np.diff(arrays[-2]).tolist(), strict=True)))
        return [[*size] for size in sorted(sizes.items())], arrays


def _move_code(context: SolveContext, ranges: Ranges, to: int, of: int) -> MoveCode | None:
    """The code of moves to a range from another; None if files are held, or moves are too wide for one."""
    first, last = ranges.firsts[to : to + 2]
    parents = ranges.begins[of + 1] - ranges.begins[of]
    return None if context.work.held.is_open else MoveCode.of(first, last, parents)


def _raise_floors(owners: NDArray[np.int32], offers: Labels, floors: Labels) -> None:
    """Raise the floor of each owner to an offer; offers are for the first player, floors for the mover."""
    np.maximum.at(floors, owners >> 1, np.where(owners & 1, -offers, offers))


@dataclass(frozen=True)
class ReverseMoves:
    """Find the parents of the states of a range."""

    ranges: Ranges
    nth: int

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write the offset of the first parent of each state, and all parents; raises `BrokenRules`."""
        context, ranges = workplace.context, self.ranges
        keys = SOLVED.open_states(context, ranges.stage).read(*ranges.bounds[self.nth : self.nth + 2])
        slots = np.zeros(1 << (4 * len(keys) // 3).bit_length(), np.uint32)
        kernels.enter(keys, slots)
        children, parents = list[Numbers](), list[Numbers]()
        for nth, first in enumerate(ranges.begins[:-1]):
            context.check_cancelled()
            moves = self._moves(context, nth)
            children.append(np.empty(len(moves[0]), np.uint32))
            parents.append(np.empty(len(moves[0]), np.uint32))
            if not kernels.link(*moves, keys, slots, first, children[-1], parents[-1]):
                raise BrokenRules(OTHERWISE)
        ordered, _, offsets = by_group(np.concatenate(parents), np.concatenate(children), len(keys))
        write_arrays(context, ranges.stage, PARENTS, self.nth, [offsets, ordered])
        on_progress(len(keys))
        return {"states": len(keys)}

    def _moves(self, context: SolveContext, nth: int) -> tuple[Keys, NDArray[np.int32]]:
        """The moves to this range from the states of range `nth`."""
        file = ArrayFile(context.work, self.ranges.stage, MOVES, nth)
        if code := _move_code(context, self.ranges, self.nth, nth):
            return code.decoded(file.read(2 * self.nth, BYTES), file.read(2 * self.nth + 1, KEYS))
        return file.read(2 * self.nth, KEYS), file.read(2 * self.nth + 1, OWNERS)


def find_moves(
    workplace: Workplace, stages: Sequence[ReachedStage], nth: int, code: LabelCode, on_progress: OnProgress
) -> LinkedStage:
    """Write the moves of a stage to the work folder; return their record. Raises `BrokenRules`."""
    context = workplace.context
    if (moves := LinkedStage.read(context.work, nth)) is not None:
        return moves
    ranges, tier = ranges_of(context, nth), stages[nth].tier
    exits = {exit_tier for exit_tier, *_ in stages[nth].exits}
    later = {stage.tier: number for number, stage in enumerate(stages) if stage.tier in exits}
    finding = [FindMoves(ranges, part, tier, code, later) for part in range(len(ranges))]
    answers = workplace.run(f"{nth:04}.moving", finding, on_progress)
    workplace.run(f"{nth:04}.reversing", [ReverseMoves(ranges, part) for part in range(len(ranges))])
    moves = LinkedStage(
        [*ranges.bounds], sum(answer["moves"] for answer in answers), [answer["floors"] for answer in answers]
    ).write(context.work, nth)
    context.work.drop(nth, MOVES)
    return moves
