"""The figures of a report on a game whose positions all fit into memory.

If play cannot return to a position, the probability of each end of random play is computed; otherwise games
are played. All other figures are exact.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.report.draws import Draws, best_moves, draws_in
from solver.analysis.report.ends import Ends, ends_of, one_of
from solver.analysis.report.measures import Choices, Tally, best_reply, tally
from solver.database import Database
from solver.database.backwards import ranges
from solver.database.columns import WholeGame
from solver.game import ENDLESS
from solver.rules.arrays import Keys
from solver.rules.notation import write_position
from solver.search.playouts import MAX_PLAYOUT_PLIES
from solver.system.progress import Progress


def best_play(game: WholeGame, endless: str) -> WholeGame:
    """The game with only its best moves; `endless` says whom endless play counts for."""
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
    """The choices in all non-terminal positions."""
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


MAX_MOVES = 1 << 24
"""The most moves for which probabilities are computed; more mean that play can return or takes too long."""


def chances(game: WholeGame, begin: int) -> Ends | None:
    """The probabilities of the ends of random play from a position; None if play can return to a position."""
    ends, done = Ends(exact=True), 0
    places: Keys = np.array([begin])
    weights: NDArray[Any] = np.ones(1)
    for plies in range(len(game)):
        over = game.over[places]
        for utility in np.unique(game.values[places[over]]).tolist():
            ends.add(utility, plies, float(weights[over][game.values[places[over]] == utility].sum()))
        places, weights = places[~over], weights[~over]
        if not len(places):
            return ends
        numbers = game.cuts[places + 1] - game.cuts[places]
        done += int(numbers.sum())
        if done > MAX_MOVES:
            return None
        after = np.unique(game.children[ranges(game.cuts[places], numbers)], return_inverse=True)
        places, weights = after[0], np.bincount(after[1], np.repeat(weights / numbers, numbers))
    return None


def played(game: WholeGame, places: Keys, generator: np.random.Generator) -> Ends:
    """The ends of one random game from each position in `places`."""
    all_end = game.can_end.all()

    def step(places: Keys) -> Keys:
        if not all_end:
            places = places[game.can_end[places]]  # from the others play never ends
        numbers = game.cuts[places + 1] - game.cuts[places]
        return game.children[one_of(game.cuts[places], numbers, generator)]

    return ends_of(places, game.over.__getitem__, game.values.__getitem__, step, MAX_PLAYOUT_PLIES)


class WholeAnswers:
    """The figures of a game whose positions all fit into memory."""

    def __init__(self, db: Database, seed: int, progress: Progress) -> None:
        self._db = db
        self._generator = np.random.default_rng(abs(seed))  # like `Random`, which ignores the sign
        self._game = db.whole(progress=progress)
        self._start = self._game.place_of(db.key_of(db.asked_state(db.start)))
        self._returns = chances(self._game, self._start) is None

    def tally(self) -> Tally:
        """The sums over all non-terminal positions."""
        rules, state_with = self._db.game, self._db.state_with
        return tally(choices(self._game), lambda key: write_position(rules, state_with(key)))

    def random(self, state: Any, games: int) -> Ends:
        """The ends of random play from a state."""
        place = self._game.place_of(self._db.key_of(state))
        exact = None if self._returns else chances(self._game, place)
        return exact or played(self._game, np.full(games, place), self._generator)

    def perfect(self, games: int) -> Ends:
        """The ends of play from the start by best moves."""
        best = best_play(self._game, self._db.endless)
        return chances(best, self._start) or played(best, np.full(games, self._start), self._generator)

    def draws(self) -> Draws:
        """Whether best play ends from the positions without a remoteness."""
        return draws_in(best_play(self._game, self._db.endless))

    def states(self, number: int) -> Sequence[Any]:
        """A uniform random sample of at most `number` states."""
        keys = self._game.keys
        if number < len(keys):
            keys = np.sort(self._generator.choice(keys, number, replace=False))
        return [self._db.state_with(key) for key in keys.tolist()]
