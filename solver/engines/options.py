"""The options of a solve: one value, which `solve` makes of its arguments and passes to every engine."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.game import AnyGame
from solver.rules.notation import read_position
from solver.system.progress import Progress, no_progress


def say_nothing(sentence: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class SolveOptions:
    """The options of a solve, apart from the game, the engine and the path of the database."""

    start: str | None = None
    """The position in which play begins; None for the initial states of the rules."""
    endless: str = "draw"
    """The player who wins endless play, or `draw`: one of `solver.game.ENDLESS`."""
    layout: str = "auto"
    """The layout of the database, by name; `auto` for the one that the engine writes."""
    fold: bool = False
    """Whether symmetric states are solved as one."""
    memory: int | None = None
    """Bytes that this process may hold; None for those of the machine, less a margin."""
    cluster: str | None = None
    """The address of a dask scheduler, or `local:N`; None for the threads of this process."""
    force: bool = False
    """Whether unfinished work of another solve is thrown away."""
    progress: Progress = no_progress
    say: Callable[[str], object] = say_nothing
    """Called with a sentence that the user should read before a long solve."""

    def own_start(self, game: AnyGame) -> list[Any] | None:
        """The state in which play begins; None for the initial states. Raises `UnreadablePosition`."""
        return None if self.start is None else [read_position(game, self.start)]
