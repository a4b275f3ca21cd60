"""An OpenSpiel bot that plays by a database of one of OpenSpiel's games."""

from typing import Any

import pyspiel

from solver.database import Database
from solver.errors import UsageError, WrongDatabase
from solver.games.openspiel import START, OpenSpiel


class PerfectBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays the first best move of a database, for whichever side is to move.

    Source of the interface: Lanctot et al., *OpenSpiel: A Framework for Reinforcement Learning in Games*,
    2019 (arXiv:1908.09453).
    """

    def __init__(self, db: Database) -> None:
        """Play by `db`; raises `WrongDatabase` if its game is not one of OpenSpiel's."""
        super().__init__()
        if not isinstance(db.game, OpenSpiel):
            raise WrongDatabase(
                f"{db.path} is of {db.game_name}: a bot of OpenSpiel takes a database of one of its games, "
                "as `perfectplay solve openspiel:tic_tac_toe` makes it"
            )
        self._db = db
        self._game = str(pyspiel.load_game(db.game.game))

    def step(self, state: Any) -> int:
        """The action in a non-terminal state of OpenSpiel.

        Raises `WrongDatabase` for a state of another game, `UnknownPosition` for one that the database lacks,
        and `UsageError` for a terminal one.
        """
        if (game := str(state.get_game())) != self._game:
            raise WrongDatabase(f"{self._db.path} is of {self._game}, but the state is of {game}")
        moves = " ".join(map(str, state.history()))
        action = self._db[moves or START].best_move
        if action is None:
            raise UsageError(f"the game is over after the moves {moves}: a bot is asked before the end")
        return int(action)

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The policy (see `get_policy`) and the action."""
        chosen = self.step(state)
        return [(action, float(action == chosen)) for action in state.legal_actions()], chosen

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The legal actions with their probabilities: 1 for the action that the bot plays, else 0."""
        return self.step_with_policy(state)[0]

    def provides_policy(self) -> bool:
        """True, as the policy is known."""
        return True

    def restart_at(self, state: Any) -> None:
        """Do nothing: the bot remembers nothing of a game, and so may begin in any state."""

    def is_clonable(self) -> bool:
        """True, as a copy needs only the database."""
        return True

    def clone(self) -> "PerfectBot":
        """Another bot with the same database."""
        return PerfectBot(self._db)
