"""The choice of an engine, as a value: which one solves a game, why, and what that is expected to need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from solver.engines.forecast import Forecast
from solver.errors import UnfitRules


@dataclass(frozen=True)
class Choice:
    """The engine that is to solve a game, and why: `graph: 135 states, not over 20,000`."""

    engine: str
    """One of `solver.engines.choose.ENGINES`."""
    why: str
    needs: Forecast | None
    """What the solve is expected to need; None if the number of states is unknown."""
    write: Callable[[Path], object] = field(repr=False, compare=False)
    """Solves the game into a new file, from the states that were found to choose the engine."""
    otherwise: "Choice | None" = field(default=None, repr=False, compare=False)
    """What solves it if the rules turn out not to be fit for the engine."""

    def __str__(self) -> str:
        """The choice in words."""
        return f"{self.engine}: {self.why}"

    def solve(self, path: Path) -> "Choice":
        """Solve the game into a new file at `path`; returns this choice, or the one that did so instead."""
        try:
            self.write(path)
        except UnfitRules:
            if self.otherwise is None:
                raise
            return self.otherwise.solve(path)
        return self
