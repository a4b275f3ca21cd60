"""The options of a solve, which every engine gets, and the choice of an engine."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.engines.forecast import Forecast
from solver.errors import MissingExtra, UnfitRules
from solver.game import AnyGame
from solver.rules.folding import Folding
from solver.rules.notation import read_start
from solver.system.executors import ignore, processes_here
from solver.system.plugins import how_to_install
from solver.system.progress import Progress, no_progress


@dataclass(frozen=True)
class SolveOptions:
    """The options of a solve, apart from the game, the engine and the path of the database.

    Raises `UsageError` for a cluster that is no address, and `TypeError` for a memory that is not a number.
    """

    start: str | None = None
    """The position in which play begins; None for the initial states of the rules."""
    endless: str = "draw"
    """The player who wins endless play, or `draw`: one of `solver.game.ENDLESS`."""
    layout: str = "auto"
    """The layout of the database, by name; `auto` for the one that the engine writes."""
    fold: bool = False
    memory: int | None = None
    """Bytes that this process may hold; None for the memory of the machine, less a margin."""
    cluster: str | None = None
    """The address of a dask scheduler, or `local:N`; None for the threads of this process."""
    force: bool = False
    """Whether unfinished work of another solve is thrown away."""
    progress: Progress = no_progress
    say: Callable[[str], object] = ignore
    """Called with a sentence that the user should read before a long solve."""

    def __post_init__(self) -> None:
        if self.memory is not None and not isinstance(self.memory, int):
            raise TypeError(f"memory is a number of bytes, not {self.memory!r}")
        if self.cluster is not None:
            processes_here(self.cluster)

    def folding(self, game: AnyGame, degree: int = 1) -> Folding:
        """The classes of states solved as one; their degree is below 2 if endless play favours a player."""
        if self.fold and self.endless == "draw" and (folding := Folding(game, degree)).is_possible:
            return folding
        return Folding(game, int(self.fold))

    def own_start(self, game: AnyGame) -> list[Any] | None:
        """The state in which play begins; None for the initial states. Raises `UnreadablePosition`."""
        return None if self.start is None else [read_start(game, self.start)]


@dataclass(frozen=True)
class Choice:
    """The engine that is to solve a game, and the reason: `graph: not over 20,000 states`."""

    engine: str
    """One of `solver.engines.choose.ENGINES`."""
    why: str
    needs: Forecast | None
    """The forecast of the solve; None if the number of states is unknown."""
    write: Callable[[Path], object] = field(repr=False, compare=False)
    """The function that solves the game into a new file, from the states that choosing has found."""
    otherwise: "Choice | None" = field(default=None, repr=False, compare=False)
    """The choice that solves the game if the engine raises `UnfitRules`."""
    in_files: bool = False
    """Whether the engine works in the work folder."""

    def __str__(self) -> str:
        return f"{self.engine}: {self.why}"

    def solve(self, path: Path) -> "Choice":
        """Solve the game into a new file at `path`; return the choice that did so: itself or `otherwise`."""
        try:
            self.write(path)
        except UnfitRules:
            if self.otherwise is None:
                raise
            return self.otherwise.solve(path)
        return self


def missing_numba() -> MissingExtra | None:
    """The error to raise if numba cannot compile loops: it is missing, or cannot cache them."""
    try:
        import solver.database.packed.keys.gap_kernels  # noqa: F401
    except ImportError:
        return MissingExtra(f"solving in files needs numba: {how_to_install('fast')}")
    except RuntimeError:
        return MissingExtra(
            "solving in files needs numba, which has no folder for compiled code: "
            "set NUMBA_CACHE_DIR to a folder that you may write"
        )
    return None
