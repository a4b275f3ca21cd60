"""The states in which play of a packed game begins, as an array."""

from operator import index

import numpy as np

from solver.engines.options import SolveOptions
from solver.errors import BrokenRules
from solver.packed import STATE_BITS, PackedGame
from solver.rules.arrays import Keys, distinct
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position
from solver.system.resources import bounded


def packed_starts(game: PackedGame, options: SolveOptions) -> Keys:
    """The own start of the options, or the initial states in the order of the rules: int64, (starts,).

    They are computed within the memory that the options allow. Raises `BrokenRules` if there is none, or one
    is no packed state.
    """
    if options.start is not None:
        return np.array([read_position(game, options.start)], np.int64)
    with rules_asked(game, "initial_states"), bounded(options.memory):
        try:
            starts = np.fromiter(map(index, game.initial_states()), np.int64)
        except OverflowError:  # one has more bits
            starts = np.array([-1])
    if not len(starts) or starts.min() < 0:
        raise BrokenRules(
            f"the rules of {type(game).__name__} should give initial states from 0 to below 2**{STATE_BITS}"
        )
    return starts


def are_more(game: PackedGame, starts: Keys, most: int, *, fold: bool) -> bool:
    """Whether the starts alone are surely more than `most` states, or with `fold` classes of states."""
    most *= 1 + len(symmetries_of(game)) if fold else 1
    return len(starts) > most and len(distinct(starts)) > most
