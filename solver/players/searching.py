"""Players that search: each class names a search and has the settings of that search as fields."""

from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from solver.errors import BadParameter
from solver.game import AnyGame
from solver.players.oracle import Truth
from solver.search import SEARCHES, Settings, search


@dataclass(frozen=True)
class Searching:
    """Play the action that a search chooses. A deterministic player caches its choices.

    `truth` is used only for whom endless play counts for.
    """

    game: AnyGame
    truth: Truth | None = field(default=None, kw_only=True, repr=False, compare=False)
    known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    search: ClassVar[str]
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a depth or playouts below 1, or an exploration below 0."""
        for name, least in (("depth", 1), ("playouts", 1), ("exploration", 0)):
            if (value := getattr(self, name, least)) < least:
                raise BadParameter(f"{name} should be at least {least}, not {value}")

    def choose(self, state: Any, random: Random) -> Any:
        """The action that the search chooses."""
        if self.deterministic and state in self.known:
            return self.known[state]
        values = {name: getattr(self, name) for name in SEARCHES[self.search].settings}
        values["endless"] = "draw" if self.truth is None else self.truth.endless
        result = search(self.search, self.game, state, Settings(**values, seed=random.getrandbits(63)))
        if self.deterministic:
            self.known[state] = result.action
        return result.action


@dataclass(frozen=True)
class Minimax(Searching):
    """Play the first best move by minimax search of the whole game tree."""

    search: ClassVar[str] = "minimax-table"


@dataclass(frozen=True)
class AlphaBeta(Searching):
    """Play the first best move by alpha-beta search of the whole game tree."""

    search: ClassVar[str] = "alpha-beta-table"


@dataclass(frozen=True)
class DepthLimited(Searching):
    """Search to a depth of `depth` plies, and evaluate there by the game's heuristic."""

    depth: int = Settings.depth
    search: ClassVar[str] = "depth-limited"


@dataclass(frozen=True)
class MonteCarlo(Searching):
    """Make `playouts` random playouts, equally many for each move, and play the move with the best mean."""

    playouts: int = Settings.playouts
    search: ClassVar[str] = "monte-carlo"
    deterministic: ClassVar[bool] = False


@dataclass(frozen=True)
class UCB1(MonteCarlo):
    """Make `playouts` random playouts, more for more promising moves: UCB1 at depth one."""

    exploration: float = Settings.exploration
    search: ClassVar[str] = "ucb1"


@dataclass(frozen=True)
class UCT(UCB1):
    """Grow a tree by `playouts` playouts, towards promising moves: Monte Carlo tree search."""

    search: ClassVar[str] = "uct"


@dataclass(frozen=True)
class UCTSolver(UCB1):
    """Grow a tree by `playouts` playouts and prove wins and losses in it."""

    search: ClassVar[str] = "uct-solver"
