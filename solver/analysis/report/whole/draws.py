"""Drawn ends told from endless play, in a game of which every position is in memory."""

import numpy as np

from solver.analysis.report.ends import Draws
from solver.database.whole_game import WholeGame
from solver.rules.arrays import Flags


def draws_in(best: WholeGame) -> Draws:
    """The positions from which play need not end, by whether it does; `best` has best moves alone."""
    open_ = (best.remoteness < 0) & ~best.over
    if not open_.any():
        return Draws(0, 0, 0)
    can_go_on = ~_leading_to(best, best.over)
    return Draws(
        ends=int((open_ & ~can_go_on).sum()),
        either=int((open_ & can_go_on & best.can_end).sum()),
        endless=int((open_ & ~best.can_end).sum()),
    )


def _leading_to(game: WholeGame, goal: Flags) -> Flags:
    """The positions from which all play comes to a goal."""
    found = goal.copy()
    while True:
        left = np.bincount(game.parents[~found[game.children]], minlength=len(game))
        more = found | (left == 0)
        if (more == found).all():
            return found
        found = more
