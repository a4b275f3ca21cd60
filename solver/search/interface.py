"""The interface of all searches: `Settings` in, a `SearchResult` out."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from solver.game import ENDLESS
from solver.search.playouts import Policy
from solver.search.recorder import UNRECORDED, SearchRecorder

EXPLORATION = sqrt(2)
"""The default of the constant C of UCB1 and UCT, for which Auer et al. prove their bound (see `ucb1`)."""


@dataclass(frozen=True)
class Settings:
    """The settings of all searches; each search reads those that concern it."""

    owner: int | None = None
    """The player whose plan is sought, 0 or 1; None for the player to move."""
    goal: str | None = None
    """The goal of the plan, `win` or `draw`; None for the better one that can be reached."""
    depth: int = 4
    """The plies searched before the heuristic evaluates."""
    playouts: int = 1000
    exploration: float = EXPLORATION
    """The constant C of UCB1 and UCT."""
    seed: int = 0
    """The seed of all random moves."""
    endless: str = "draw"
    """Who gets endless play, one of `solver.game.ENDLESS`."""
    policy: Policy | None = None
    """The policy of both sides in playouts; None for random moves."""
    most_nodes: int | None = None
    """The nodes after which the search gives up; None for no limit."""
    recorder: SearchRecorder = UNRECORDED
    """What records the search, for a picture."""

    @property
    def endless_value(self) -> int:
        """The utility of endless play, for the first player."""
        return ENDLESS[self.endless]


DEFAULTS = Settings()


class Arm(NamedTuple):
    """What UCB1 knows of an action after all playouts; gains are utilities for the player to move."""

    playouts: int
    total: int
    """The sum of the gains."""
    mean: float | None
    bound: float | None
    """The upper confidence bound of the mean, which decides who gets the next playout; None without one."""


@dataclass(frozen=True)
class SearchResult:
    """The action that a search chose, its value and its cost."""

    action: Any
    """The chosen action; None in a terminal state, or if the search found none."""
    value: float | None
    """The utility of that choice for the first player: exact, or a mean over playouts. None if the algorithm
    computes none."""
    nodes: int | None = None
    """The nodes visited, counted at each visit; None for a search that has no nodes."""
    playouts: int | None = None
    """The playouts made; None for a search without playouts."""
    heuristic: float | None = None
    """The backed-up evaluation, in the heuristic's own unit; None if the choice does not depend on one."""
    arms: dict[Any, Arm] = field(default_factory=dict, repr=False)
    """What UCB1 knows of each action, in the order of the rules."""
    plan: Any = field(default=None, repr=False)
    """The AND-OR plan as a nested list; None if there is none."""
