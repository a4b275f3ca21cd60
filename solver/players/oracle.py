"""The labels of a game, for those who need them to play: from its database, or from solving a small game."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from solver.database import Database, open_database
from solver.database.entry import Entry
from solver.engines.graph.reachable import Graph, explore
from solver.engines.graph.retrograde import label
from solver.engines.graph.rows import build
from solver.errors import TooLarge, Unsolved
from solver.game import AnyGame
from solver.rules.asking import bound_of
from solver.rules.loading import game_name, game_parameters, note_rules
from solver.rules.notation import read_position, write_position
from solver.rules.parameters import with_parameters
from solver.system.progress import Progress

MOST_STATES_SOLVED = 200_000
"""States of the largest game that is solved without being asked to, which takes 20 seconds at most."""


def state_limit(most_states: int) -> Progress:
    """A `Progress` that raises `TooLarge` above `most_states` states, give or take some thousands."""

    def refuse(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if done > most_states:
            raise TooLarge(f"there are more than {most_states:,} states")

    return refuse


class Truth:
    """The labels of a game's states, from a database or from solving the game when first asked."""

    def __init__(
        self,
        game: AnyGame,
        database: Database | None = None,
        *,
        start: str | None = None,
        endless: str = "draw",
    ) -> None:
        """Take labels from `database`, or solve `game` from the position `start` (default: its own start).

        Without a database, `endless` says who gets endless play.
        """
        self.game = game
        self.endless = endless if database is None else database.endless
        self._database = database
        self._start = start
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        """Return the truth; leaving the block removes a database that was made for it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the database that was made for it, if any."""
        self._opened.close()

    def entry(self, state: Any) -> Entry:
        """The entry of `state`; raises `Unsolved` if the game is too large, and what databases raise."""
        return self.database()[write_position(self.game, state)]

    def database(self) -> Database:
        """The database, made now if there is none; raises `Unsolved` if the game is too large for that."""
        if self._database is None:
            self._database = self._solved_now()
        return self._database

    def _solved_now(self) -> Database:
        """The database of the game, in a temporary folder."""
        try:
            graph = self._explored()
        except TooLarge:
            raise Unsolved(
                f"{game_name(self.game)} is too large to be solved on the fly: build its database with "
                f"`perfectplay {self._solve_command()} -o FILE` and give FILE in place of the game"
            ) from None
        label(graph, self.endless)
        note_rules(self.game)
        path = Path(self._opened.enter_context(TemporaryDirectory())) / "solved.db"
        build(self.game, graph, path)
        return self._opened.enter_context(open_database(path))

    def _explored(self) -> Graph:
        """The graph of all states; raises `TooLarge`, at once if `states_at_most` tells."""
        if self._start is not None:
            start = read_position(self.game, self._start)
            return explore(self.game, [start], progress=state_limit(MOST_STATES_SOLVED))
        bound = bound_of(self.game) or 0
        if bound > 2 * MOST_STATES_SOLVED:
            raise TooLarge(f"there may be {bound:,} states")
        return explore(self.game, progress=state_limit(MOST_STATES_SOLVED))

    def _solve_command(self) -> str:
        words = ["solve", with_parameters(game_name(self.game), game_parameters(self.game))]
        return " ".join(words if self.endless == "draw" else [*words, "--endless", self.endless])
