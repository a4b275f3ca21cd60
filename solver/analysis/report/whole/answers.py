"""The figures of a report that a whole game gives."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.analysis.report.draws import Draws, draws_in
from solver.analysis.report.ends import Ends
from solver.analysis.report.measures import Tally, tally
from solver.analysis.report.whole.chances import chances, played
from solver.analysis.report.whole.game import best_play, choices
from solver.database import Database
from solver.system.progress import Progress


class WholeAnswers:
    """The figures of a game of which every position is held in memory."""

    def __init__(self, db: Database, games: int, seed: int, progress: Progress) -> None:
        """Read the file; play so many games where play can return to a position."""
        self._db, self._games = db, games
        self._generator = np.random.default_rng(seed)
        self._game = db.whole(progress=progress)
        self._start = self._game.place_of(db.key_of(db.asked_state(db.start)))
        self._returns = chances(self._game, self._start) is None

    def tally(self) -> Tally:
        """The sums over all positions in which play goes on."""
        return tally(choices(self._game))

    def random(self, state: Any, games: int) -> Ends:
        """The ends of random play from a state."""
        place = self._game.place_of(self._db.key_of(state))
        found = None if self._returns else chances(self._game, place)
        return found or played(self._game, np.full(games, place), self._generator)

    def perfect(self, games: int) -> Ends:
        """The ends of play from the start by best moves."""
        best = best_play(self._game, self._db.endless)
        return chances(best, self._start) or played(best, np.full(games, self._start), self._generator)

    def draws(self) -> Draws:
        """The positions of undecided play by whether best play from them ends."""
        return draws_in(best_play(self._game, self._db.endless))

    def states(self, number: int) -> Sequence[Any]:
        """At most so many states, drawn from all alike."""
        keys = self._game.keys
        if number < len(keys):
            keys = np.sort(self._generator.choice(keys, number, replace=False))
        return [self._db.state_with(key) for key in keys.tolist()]

    def state_of(self, key: int) -> Any:
        """The state of a position, given by its key."""
        return self._db.state_with(key)
