"""The labels of a game, for those who need them to play: from its database, or from solving a small game."""

from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver.database import Database, open_database
from solver.database.entry import Entry
from solver.engines.options import SolveOptions
from solver.errors import TooLarge, Unsolved
from solver.game import AnyGame
from solver.rules.asking import bound_of
from solver.rules.loading import game_name, game_parameters, note_rules
from solver.rules.notation import write_position
from solver.rules.parameters import with_parameters

MAX_STATES_SOLVED = 200_000
"""States of the largest game that is solved on the fly, which takes some seconds."""


class Truth(ExitStack):
    """The labels of a game's states, from a database or from solving the game when first asked.

    Leaving its block removes a database that was made for it.
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

        Without a database, `endless` says who gets endless play and `scored` whether margins are known to
        matter; a game of more than `at_most` states is refused with the command that solves it, and what to
        do `instead`.
        """
        super().__init__()
        self.game = game
        self.endless = endless if database is None else database.endless
        self._database, self._scored = database, scored
        self._start = start
        self._at_most, self._instead = at_most, instead

    def entry(self, state: Any) -> Entry:
        """The entry of `state`; raises `Unsolved` if the game is too large, and what databases raise."""
        return self.database()[write_position(self.game, state)]

    def margin(self, utility: int) -> int | None:
        """By how much the winner wins; None in a game that is not scored, or not known to be so."""
        if self._database is not None:
            return self._database.margin(utility)
        return abs(utility) if self._scored or abs(utility) > 1 else None

    def database(self) -> Database:
        """The database, made now if there is none; raises `Unsolved` if the game is too large for that."""
        if self._database is None:
            self._database = self._solved_now()
        return self._database

    def _solved_now(self) -> Database:
        from solver.engines.arrays.solve import memory_solve  # with NumPy, unless it is needed

        options, path = SolveOptions(self._start, self.endless), None
        with suppress(TooLarge):
            bound = bound_of(self.game) if self._start is None else None
            if bound is None or bound <= 2 * self._at_most:
                with memory_solve(self.game, options) as memory:
                    if (numbered := memory.discovery().run(self._at_most)) is not None:
                        note_rules(self.game)
                        file = Path(self.enter_context(TemporaryDirectory())) / "solved.db"
                        memory.write(numbered, file)
                        path = file
        if path is None:
            asked = with_parameters(game_name(self.game), game_parameters(self.game))
            asked += "" if self.endless == "draw" else f" --endless {self.endless}"
            raise Unsolved(
                f"{game_name(self.game)} is too large to be solved on the fly: build its database with "
                f"`perfectplay solve {asked} -o FILE` and {self._instead}"
            )
        return self.enter_context(open_database(path))
