"""A game whose states and actions are numbered: its moves as flat arrays, a few bytes each."""

from array import array
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.game import AnyGame

Growing: TypeAlias = "array[int]"
"""An array that grows: typecode `B`, `H`, `I` or `q`, for 1, 2, 4 or 8 bytes each."""

Numbers = npt.NDArray[np.uint32]
"""Numbers of states, or of actions."""

Offsets = npt.NDArray[np.int64]
"""Offsets into an array of moves."""


@dataclass
class NumberedGame:
    """The reachable states of a game, numbered breadth first from the starts, and their moves.

    The moves of state n are those in [offsets[n], offsets[n + 1]), in action order. Arrays grow while states
    are found; their views as NumPy arrays are for later.
    """

    game: AnyGame
    start: Any
    """The first state in which play may begin."""
    folded: bool
    """Whether each state represents its class of symmetric states."""
    states: list[Any]
    """The states by number; those in which play begins come first."""
    levels: list[int] = field(default_factory=lambda: [0])
    """The number of the first state of each depth, which is the fewest plies from a start; then `len`."""
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

    @property
    def starts(self) -> int:
        """The number of states in which play may begin."""
        return self.levels[1]

    @cached_property
    def movers(self) -> npt.NDArray[np.uint8]:
        """The players to move; dtype uint8, shape (states,)."""
        return np.frombuffer(self.grown_movers, np.uint8)

    @cached_property
    def offsets(self) -> Offsets:
        """The first move of each state, and the number of moves; dtype int64, shape (states + 1,)."""
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.frombuffer(self.grown_counts, np.uint32), out=offsets[1:])
        return offsets

    @cached_property
    def children(self) -> Numbers:
        """The states that moves lead to; dtype uint32, shape (moves,)."""
        return np.frombuffer(self.grown_children, np.uint32)

    @cached_property
    def played(self) -> npt.NDArray[Any]:
        """The actions that are moved by; dtype uint16, or uint32 where there are more; shape (moves,)."""
        return np.frombuffer(self.grown_played, f"u{self.grown_played.itemsize}")

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The numbers of the terminal states, ascending; dtype int64."""
        return np.flatnonzero(np.diff(self.offsets) == 0)

    @cached_property
    def depths(self) -> npt.NDArray[np.int32]:
        """The fewest plies from a start to each state; dtype int32, shape (states,)."""
        return np.repeat(np.arange(len(self.levels) - 1, dtype=np.int32), np.diff(self.levels))

    @cached_property
    def is_layered(self) -> bool:
        """Whether every state has a single ply: all paths to it from the starts are equally long."""
        first_moves = self.offsets[self.levels]
        for ply, (begin, end) in enumerate(pairwise(first_moves.tolist())):
            low, high = (*self.levels, len(self))[ply + 1 : ply + 3]
            children = self.children[begin:end]
            if begin < end and not (low <= children.min() and children.max() < high):
                return False
        return True
