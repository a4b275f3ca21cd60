"""What there is to choose in a whole game, and what of it is best play."""

from dataclasses import replace

import numpy as np

from solver.analysis.report.choices import Choices, best_moves, best_reply
from solver.database.whole_game import WholeGame
from solver.game import ENDLESS


def best_play(game: WholeGame, endless: str) -> WholeGame:
    """The game with best moves alone; `endless` is who gets endless play."""
    best = best_moves(
        game.values[game.parents],
        game.remoteness[game.parents],
        game.values[game.children],
        game.remoteness[game.children],
        ENDLESS[endless],
    )
    numbers = np.bincount(game.parents[best], minlength=len(game))
    return replace(game, cuts=np.concatenate([[0], np.cumsum(numbers)]), children=game.children[best])


def choices(game: WholeGame) -> Choices:
    """The choices in all positions in which play goes on."""
    going_on = np.flatnonzero(~game.over)
    numbers = np.cumsum(~game.over) - 1
    parents, ended = numbers[game.parents], game.over[game.children]
    ends = np.where(ended, game.values[game.children], 0)
    replies = np.zeros(len(game), np.int64)
    replies[going_on] = best_reply(len(going_on), parents, game.movers[going_on], ends)
    rows = game.remoteness if (game.plies < 0).any() else game.plies
    return Choices(
        game.keys[going_on],
        rows[going_on],
        np.full(len(going_on), True),
        game.movers[going_on],
        game.values[going_on],
        parents,
        game.values[game.children],
        ends,
        np.where(ended, ends, replies[game.children]),
    )
