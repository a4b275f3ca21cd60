"""The labels of a game, for players that need them: from its database, or from solving a small game."""

from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver.database import Database, open_database
from solver.database.entry import Entry
from solver.engines.options import SolveOptions
from solver.errors import TooLarge, Unsolved
from solver.game import AnyGame, Game
from solver.rules.asking import bound_of
from solver.rules.labels import endless_utility
from solver.rules.loading import game_name, game_parameters, note_rules
from solver.rules.notation import write_position
from solver.rules.parameters import with_parameters
from solver.system.words import wanted

MAX_STATES_SOLVED = 200_000
"""The most states of a game that is solved on the fly, in some seconds."""


class Truth(ExitStack):
    """The labels of a game's states, from a database or from solving the game on first use.

    It is a context manager: leaving its block removes a database that it made.
    """

    def __init__(
        self,
        game: AnyGame,
        database: Database | None = None,
        *,
        start: str | None = None,
        endless: str = "draw",
        scored: bool = False,
        at_most: int = MAX_STATES_SOLVED,
        instead: str = "give FILE in place of the game",
    ) -> None:
        """Take labels from `database`, or solve `game` from the position `start` (default: its own start).

        Without a database, `endless` says whom endless play counts for and `scored` whether margins are known
        to matter. A game of more than `at_most` states is refused; the message names the command that solves
        it and what to do `instead`. Raises `UsageError` for another `endless`.
        """
        super().__init__()
        wanted(Game, game, "load_game(NAME)")
        if database is not None:
            wanted(Database, database, "open_database(FILE)")
        endless_utility(endless)
        self.game = game
        self.endless = endless if database is None else database.endless
        self._database, self._scored = database, scored
        self._start = start
        self._at_most, self._instead = at_most, instead

    def entry(self, state: Any) -> Entry:
        """The entry of `state`; raises `Unsolved` if the game is too large, and what a lookup raises."""
        return self.database()[write_position(self.game, state)]

    def margin(self, utility: int) -> int | None:
        """The margin of victory; None in a game without margins, or not known to have any."""
        if self._database is not None:
            return self._database.margin(utility)
        return abs(utility) if self._scored or abs(utility) > 1 else None

    def database(self) -> Database:
        """The database, made now if there is none; raises `Unsolved` if the game is too large."""
        if self._database is not None:
            return self._database
        from solver.engines.arrays.solve import memory_solve  # loads NumPy, which is rarely needed

        options = SolveOptions(self._start, self.endless)
        with suppress(TooLarge):
            bound = bound_of(self.game) if self._start is None else None
            if bound is None or bound <= 2 * self._at_most:
                with memory_solve(self.game, options) as memory:
                    if (numbered := memory.discovery().run(self._at_most)) is not None:
                        note_rules(self.game)
                        file = Path(self.enter_context(TemporaryDirectory())) / "solved.db"
                        memory.write(numbered, file)
                        self._database = self.enter_context(open_database(file))
                        return self._database
        arguments = with_parameters(game_name(self.game), game_parameters(self.game))
        arguments += "" if self.endless == "draw" else f" --endless {self.endless}"
        raise Unsolved(
            f"{game_name(self.game)} is too large to be solved on the fly: build its database with "
            f"`perfectplay solve {arguments} -o FILE` and {self._instead}"
        )
