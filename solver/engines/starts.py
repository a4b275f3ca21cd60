"""The states in which play of a packed game begins, as an array."""

from collections.abc import Iterable, Sized
from itertools import islice
from operator import index

import numpy as np

from solver.engines.memory import size
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, TooLarge
from solver.packed import STATE_BITS, PackedGame
from solver.rules.arrays import Keys, distinct
from solver.rules.asking import bound_of, symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position
from solver.system import resources
from solver.system.progress import Progress

STARTS_AT_ONCE = 1 << 17
"""Initial states that are made between two reports of progress."""

BYTES_PER_START = 16
"""Bytes of memory for each initial state at least: parts are joined, then sorted."""


def packed_starts(game: PackedGame, options: SolveOptions) -> Keys:
    """The own start of the options, or the initial states in the order of the rules: int64, (starts,).

    They are computed within the memory that the options allow. Raises `BrokenRules` if there is none, or one
    is no packed state, and `TooLarge`.
    """
    if options.start is not None:
        return np.array([read_position(game, options.start)], np.int64)
    with rules_asked(game, "initial_states"), resources.bounded(options.memory):
        states = game.initial_states()
        if not isinstance(states, Sized):
            _refuse_by_bound(game, options.memory)
        try:
            starts = _made(map(index, states), options.progress)
        except OverflowError:  # one has more bits
            starts = np.array([-1])
    if not len(starts) or starts.min() < 0:
        raise BrokenRules(
            f"the rules of {type(game).__name__} should give initial states from 0 to below 2**{STATE_BITS}"
        )
    return starts


def _refuse_by_bound(game: PackedGame, memory: int | None) -> None:
    """Raise `TooLarge` if play may begin in more states than there is memory for."""
    bound, budget = bound_of(game), resources.available() if memory is None else memory - resources.used()
    if bound is not None and bound * BYTES_PER_START > budget:
        raise TooLarge(
            f"this game may begin in as many as {bound:,} states, which take {size(bound * BYTES_PER_START)} "
            f"of memory before the first move, and there are {size(budget)}: choose smaller parameters or "
            "--start from one position (rules that begin in few states return them as a list)"
        )


def _made(states: Iterable[int], progress: Progress) -> Keys:
    """The states, which are made one by one."""
    states, parts, made = iter(states), [np.empty(0, np.int64)], 0
    while len(part := np.fromiter(islice(states, STARTS_AT_ONCE), np.int64)):
        parts.append(part)
        made += len(part)
        if made > STARTS_AT_ONCE:
            progress("finding starts", made, None)
    return np.concatenate(parts)


def are_more(game: PackedGame, starts: Keys, most: int, *, fold: bool) -> bool:
    """Whether the starts alone are surely more than `most` states, or with `fold` classes of states."""
    most *= 1 + len(symmetries_of(game)) if fold else 1
    return len(starts) > most and len(distinct(starts)) > most
