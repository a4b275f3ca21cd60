"""Play by chance in a whole game.

Where play never returns to a position the chance of each end is computed; elsewhere games are played.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.report.ends import UNFINISHED, Ends
from solver.database.whole_game import WholeGame
from solver.rules.arrays import Keys
from solver.search.playouts import LONGEST_PLAYOUT

MOVES_AT_MOST = 1 << 24
"""Moves after which chances are no longer computed: play returns to where it was, or does it for long."""


def chances(game: WholeGame, begin: int) -> Ends | None:
    """The chance of each end of random play from a position; None if play can return to a position."""
    found, done = Ends(exact=True), 0
    places: Keys = np.array([begin])
    weights: NDArray[Any] = np.ones(1)
    for plies in range(len(game)):
        over = game.over[places]
        for utility in np.unique(game.values[places[over]]).tolist():
            found.add(utility, plies, float(weights[over][game.values[places[over]] == utility].sum()))
        places, weights = places[~over], weights[~over]
        if not len(places):
            return found
        numbers = game.cuts[places + 1] - game.cuts[places]
        done += int(numbers.sum())
        if done > MOVES_AT_MOST:
            return None
        after = np.unique(game.children[_ranges(game.cuts[places], numbers)], return_inverse=True)
        places, weights = after[0], np.bincount(after[1], np.repeat(weights / numbers, numbers))
    return None


def played(game: WholeGame, places: Keys, generator: np.random.Generator) -> Ends:
    """The ends of one random game from each of some positions."""
    found, started = Ends(exact=False), len(places)
    for plies in range(LONGEST_PLAYOUT + 1):
        places = places[game.can_end[places]]  # the others go on for ever
        over = game.over[places]
        for utility, count in zip(*np.unique(game.values[places[over]], return_counts=True), strict=True):
            found.add(int(utility), plies, int(count))
        places = places[~over]
        if not len(places):
            break
        numbers = game.cuts[places + 1] - game.cuts[places]
        places = game.children[game.cuts[places] + (generator.random(len(places)) * numbers).astype(np.int64)]
    found.add(UNFINISHED, LONGEST_PLAYOUT, started - found.games)
    return found


def _ranges(begins: Keys, numbers: Keys) -> Keys:
    """So many numbers from each begin on, one range after the other."""
    ends = np.cumsum(numbers)
    return np.repeat(begins - ends + numbers, numbers) + np.arange(ends[-1])
