"""What is known for certain of a game: its database, or one made on the side while the game is small."""

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
from solver.rules.parameters import assignments
from solver.system.progress import Progress

MOST_STATES = 200_000
"""Up to about so many states a game is solved on the side: that takes 20 seconds at most."""


def limit(most_states: int) -> Progress:
    """A `Progress` that raises `TooLarge` when there are more states than so many, within some thousands."""

    def refuse(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if done > most_states:
            raise TooLarge(f"there are more than {most_states:,} states")

    return refuse


class Truth:
    """The labels of a game's states, from a database or else from solving the game when first asked."""

    def __init__(
        self,
        game: AnyGame,
        database: Database | None = None,
        *,
        start: str | None = None,
        endless: str = "draw",
    ) -> None:
        """Know `game` from `database`, or by solving it from the position `start` (default: the first).

        Without a database, `endless` says who gets play that never ends.
        """
        self.game = game
        self.endless = endless if database is None else database.endless
        self._database = database
        self._start = start
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        """Return the truth; leaving the block removes what was made on the side."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what was made on the side."""
        self._opened.close()

    def entry(self, state: Any) -> Entry:
        """What is known of `state`; raises `Unsolved` when that is nothing, and what databases raise."""
        return self.prepared()[write_position(self.game, state)]

    def prepared(self) -> Database:
        """The database, made now if there was none; raises `Unsolved` when the game is too large for that."""
        if self._database is None:
            self._database = self._solved_aside()
        return self._database

    def _solved_aside(self) -> Database:
        """The database of the game in a temporary folder."""
        try:
            graph = self._explored()
        except TooLarge:
            raise Unsolved(
                f"{game_name(self.game)} is too large to be solved on the side: build its database with "
                f"`perfectplay {self._solve_command()} -o FILE` and give FILE in place of the game"
            ) from None
        label(graph, self.endless)
        note_rules(self.game)
        path = Path(self._opened.enter_context(TemporaryDirectory())) / "aside.db"
        build(self.game, graph, path)
        return self._opened.enter_context(open_database(path))

    def _explored(self) -> Graph:
        """The graph; raises `TooLarge`, before any work where the rules themselves tell."""
        if self._start is not None:
            return explore(self.game, [read_position(self.game, self._start)], progress=limit(MOST_STATES))
        if (bound_of(self.game) or 0) > 2 * MOST_STATES:
            raise TooLarge(f"there may be {bound_of(self.game):,} states")
        return explore(self.game, progress=limit(MOST_STATES))

    def _solve_command(self) -> str:
        words = ["solve", game_name(self.game), *assignments(game_parameters(self.game))]
        return " ".join(words if self.endless == "draw" else [*words, "--endless", self.endless])
