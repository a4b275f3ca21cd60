"""The states in which play of a packed game begins, as an array."""

from collections.abc import Sized
from operator import index

import numpy as np

from solver.engines.memory import size
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, TooLarge
from solver.packed import STATE_BITS, PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.system import resources

BYTES_PER_START = 16
"""Bytes of memory for each initial state at least: its key, and once more where keys are sorted."""


def packed_starts(game: PackedGame, options: SolveOptions) -> Keys:
    """The own start of the options, or the initial states in the order of the rules: int64, (starts,).

    They are computed within the memory that the options allow. Raises `BrokenRules` if there is none, or one
    is no packed state, and `TooLarge` before any is made.
    """
    if (own := options.own_start(game)) is not None:
        return np.array(own, np.int64)
    with rules_asked(game, "initial_states"), resources.bounded(options.memory):
        states = game.initial_states()
        if not isinstance(states, Sized):
            _refuse_by_bound(game, options.memory)
        try:
            starts = np.fromiter(map(index, states), np.int64)
        except OverflowError:  # one has more bits
            starts = np.array([-1])
    if not len(starts) or starts.min() < 0:
        raise BrokenRules(
            f"the rules of {type(game).__name__} should give initial states from 0 to below 2**{STATE_BITS}"
        )
    return starts


def _refuse_by_bound(game: PackedGame, memory: int | None) -> None:
    """Raise `TooLarge` if play may begin in more states than there is memory for."""
    room, bound = resources.room(memory), bound_of(game) or 0
    if (needed := bound * BYTES_PER_START) > room:
        raise TooLarge(
            f"this game may begin in as many as {bound:,} states, which take {size(needed)} of memory before "
            f"the first move, and there are {size(room)}: give it more, choose smaller parameters or --start "
            "from one position (rules that begin in few states return them as a list)"
        )
