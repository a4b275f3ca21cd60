"""A game whose states and actions are numbered: its moves as flat arrays, and its labels.

Labels are computed by retrograde analysis as in `solver.engines.graph_states`, which explains it and names
the sources: one pass for each value, from its ends back to the states from which the winner can force it.
Here a step takes all states of one remoteness at once; their predecessors are in arrays.

    offsets   the predecessors of state n are in [offsets[n], offsets[n + 1])     those of 5:  2 2 9
    open      for a state in which the loser is to move: the number of its moves that are not lost yet
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.database.backwards import ranges
from solver.database.columns import MISSING
from solver.database.metadata import Metadata
from solver.engines.states import Successors
from solver.game import ENDLESS, FIRST, SECOND, AnyGame
from solver.rules.arrays import distinct
from solver.rules.folding import Folding
from solver.system.progress import Progress, no_progress

Growing: TypeAlias = "array[int]"
"""An array that grows: typecode `B`, `H`, `I` or `q`, for 1, 2, 4 or 8 bytes each."""

Numbers = npt.NDArray[np.uint32]
"""Numbers of states, or of actions."""

Offsets = npt.NDArray[np.int64]
"""Offsets into an array of moves."""


@dataclass
class NumberedGame:
    """The reachable states of a game, numbered breadth first from the starts, and their moves.

    The moves of state n are in [offsets[n], offsets[n + 1]), in action order. Arrays grow during the search;
    the properties are NumPy views of them for later.
    """

    game: AnyGame
    start: Any
    """The first state in which play may begin."""
    folded: bool
    """Whether each state represents its class of symmetric states."""
    states: list[Any] = field(default_factory=list)
    """The states by number; the starts come first."""
    stage_bounds: list[int] = field(default_factory=lambda: [0])
    """The number of the first state of each depth (fewest plies from a start), then the number of states."""
    actions: list[Any] = field(default_factory=list)
    """The actions by number, in order of their first use."""
    grown_movers: Growing = field(default_factory=lambda: array("B"))
    grown_counts: Growing = field(default_factory=lambda: array("I"))
    grown_children: Growing = field(default_factory=lambda: array("I"))
    grown_played: Growing = field(default_factory=lambda: array("H"))
    utilities: Growing = field(default_factory=lambda: array("q"))
    """The utilities of the terminal states, by number."""

    def __len__(self) -> int:
        """The number of states."""
        return len(self.states)

    def successors(self) -> Iterator[Successors]:
        """Yield the successors of each state."""
        actions = map(self.actions.__getitem__, self.grown_played)
        moves = zip(actions, map(self.states.__getitem__, self.grown_children), strict=True)
        utilities = iter(self.utilities)
        for mover, count in zip(self.grown_movers, self.grown_counts, strict=True):
            yield Successors(mover, tuple(islice(moves, count)), None if count else next(utilities))

    @property
    def starts(self) -> int:
        """The number of states in which play may begin."""
        return self.stage_bounds[1]

    @cached_property
    def movers(self) -> npt.NDArray[np.uint8]:
        """The players to move; dtype uint8, shape (states,)."""
        return np.frombuffer(self.grown_movers, np.uint8)

    @cached_property
    def offsets(self) -> Offsets:
        """The first move of each expanded state, and the number of moves; int64, shape (states + 1,)."""
        offsets = np.zeros(len(self.grown_counts) + 1, np.int64)
        np.cumsum(np.frombuffer(self.grown_counts, np.uint32), out=offsets[1:])
        return offsets

    @cached_property
    def children(self) -> Numbers:
        """The states that moves lead to; dtype uint32, shape (moves,)."""
        return np.frombuffer(self.grown_children, np.uint32)

    @cached_property
    def played(self) -> npt.NDArray[Any]:
        """The action of each move; dtype uint16, or uint32 for many actions; shape (moves,)."""
        return np.frombuffer(self.grown_played, f"u{self.grown_played.itemsize}")

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The numbers of the terminal states, ascending; dtype int64."""
        return np.flatnonzero(np.diff(self.offsets) == 0)

    @cached_property
    def depths(self) -> npt.NDArray[np.int32]:
        """The fewest plies from a start to each state; dtype int32, shape (states,)."""
        return np.repeat(np.arange(len(self.stage_bounds) - 1, dtype=np.int32), np.diff(self.stage_bounds))

    @cached_property
    def is_layered(self) -> bool:
        """Whether every state has a single ply: all paths to it from the starts are equally long."""
        first_moves = self.offsets[np.minimum(self.stage_bounds, len(self.grown_counts))]
        bounds = [*self.stage_bounds, len(self)]
        for ply, (begin, end) in enumerate(pairwise(first_moves.tolist())):
            low, high = bounds[ply + 1 : ply + 3]
            children = self.children[begin:end]
            if begin < end and not (low <= children.min() and children.max() < high):
                return False
        return True


MOVES_AT_ONCE = 1 << 17
"""Moves that are processed in one step, at some 40 bytes each."""

MAX_PARTS = 16
"""The most parts in which predecessors are sorted: each takes a pass over all moves."""


class GameLabels(NamedTuple):
    """The labels of all states, as `solver.rules.labels` defines them."""

    endless: str
    """The winner of endless play: one of `ENDLESS`."""
    values: npt.NDArray[np.int64]
    """Minimax values for the first player; dtype int64, shape (states,)."""
    remoteness: npt.NDArray[np.int32]
    """Plies to the end, or `MISSING`; dtype int32, shape (states,)."""

    @property
    def endless_value(self) -> int:
        """The value of endless play."""
        return ENDLESS[self.endless]


def label(game: NumberedGame, endless: str = "draw", *, progress: Progress = no_progress) -> GameLabels:
    """The labels of all states; `endless` is the winner of endless play, one of `ENDLESS`."""
    endless_value, utilities = ENDLESS[endless], np.frombuffer(game.utilities, np.int64)
    analysis = _Analysis(game, progress)
    order = np.argsort(utilities, kind="stable")
    values, firsts = np.unique(utilities[order], return_index=True)
    ends = dict(zip(values.tolist(), np.split(game.ends[order], firsts[1:]), strict=False))
    wins = [(value, FIRST) for value in reversed(ends) if value > endless_value]
    losses = [(value, SECOND) for value in ends if value < endless_value]
    evens = [(value, FIRST if value > 0 else SECOND) for value in ends if value == endless_value != 0]
    for value, winner in wins + losses + evens:
        analysis.spread(value, winner, ends[value])
    rest = ~analysis.decided
    analysis.values[rest] = endless_value
    analysis.remoteness[rest & (np.diff(game.offsets) == 0)] = 0
    return GameLabels(endless, analysis.values, analysis.remoteness)


class _Analysis:
    """A retrograde analysis in progress."""

    def __init__(self, game: NumberedGame, progress: Progress) -> None:
        self.values = np.zeros(len(game), np.int64)
        self.remoteness = np.full(len(game), MISSING, np.int32)
        self.decided = np.zeros(len(game), np.bool_)
        self._movers, self._progress, self._done = game.movers, progress, 0
        self._open = np.diff(game.offsets).astype(np.int32)
        self._offsets, self._predecessors = predecessors(game, progress)

    def spread(self, value: int, winner: int, ends: npt.NDArray[np.int64]) -> None:
        """Label the states from which `winner` can force `value` but nothing better."""
        level, plies = ends, 0
        while level.size:
            self.values[level], self.remoteness[level], self.decided[level] = value, plies, True
            self._done += level.size
            self._progress("labelling", self._done, self.decided.size)
            forced = [self._forced(parents, winner) for parents in self._parents(level)]
            level, plies = distinct(np.concatenate(forced)), plies + 1

    def _forced(self, parents: Numbers, winner: int) -> Numbers:
        """The newly decided ones of the parents of a level, given once for each move into it."""
        parents = parents[~self.decided[parents]]
        winners = self._movers[parents] == winner
        losers = parents[~winners]
        np.subtract.at(self._open, losers, 1)
        return np.concatenate([parents[winners], losers[self._open[losers] == 0]])

    def _parents(self, level: npt.NDArray[np.integer]) -> Iterator[Numbers]:
        """Yield the parents of the states of a level, some at a time, once for each move into it."""
        first, counts = self._offsets[level], self._offsets[level + 1] - self._offsets[level]
        totals = np.cumsum(counts)
        begin = done = 0
        while begin < level.size:
            end = max(begin + 1, int(np.searchsorted(totals, done + MOVES_AT_ONCE, "right")))
            yield self._predecessors[ranges(first[begin:end], counts[begin:end])]
            begin, done = end, int(totals[end - 1])


def predecessors(game: NumberedGame, progress: Progress = no_progress) -> tuple[Offsets, Numbers]:
    """Offsets, and parents: those of n, once for each move to it, are in [offsets[n], offsets[n + 1]).

    Moves are sorted by child, range by range of children, to take little more memory than the result.
    """
    counts = np.zeros(len(game), np.int64)
    for begin in range(0, game.children.size, MOVES_AT_ONCE):
        np.add.at(counts, game.children[begin : begin + MOVES_AT_ONCE], 1)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    parents = np.empty(game.children.size, np.uint32)
    low, most = 0, max(MOVES_AT_ONCE, parents.size // MAX_PARTS)
    while low < len(game):
        high = max(low + 1, int(np.searchsorted(offsets, offsets[low] + most, "right")) - 1)
        parents[offsets[low] : offsets[high]] = _parents_of(game, low, high)
        low = high
        progress("finding predecessors", int(offsets[low]), parents.size)
    return offsets, parents


def _parents_of(game: NumberedGame, low: int, high: int) -> Numbers:
    chosen = np.flatnonzero((game.children >= low) & (game.children < high))
    order = np.argsort(game.children[chosen], kind="stable")
    parents = (np.searchsorted(game.offsets, chosen, "right") - 1).astype(np.uint32)
    return parents[order]


def metadata(game: NumberedGame, labels: GameLabels, layout: int) -> Metadata:
    """The metadata of a file of this layout."""
    return Metadata(
        folding=Folding(game.game, game.folded),
        layout=layout,
        start=game.start,
        starts=game.starts,
        endless=labels.endless,
        values=(int(labels.values.min()), int(labels.values.max())),
        states=len(game),
        terminal=game.ends.size,
        moves=game.children.size,
    )
