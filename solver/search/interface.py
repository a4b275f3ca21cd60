"""The interface of all searches: `Settings` in, a `SearchResult` out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from solver.game import ENDLESS
from solver.search.recorder import UNRECORDED, SearchRecorder

Policy: TypeAlias = Callable[[Any], Any]
"""A policy: from a non-terminal state to the action played there."""


@dataclass(frozen=True)
class Settings:
    """The settings of all searches; a search ignores those that do not concern it."""

    owner: int | None = None
    """The player whose plan is sought, 0 or 1; None for the player to move."""
    goal: str | None = None
    """The goal of the plan, `win` or `draw`; None for the better of the two that can be achieved."""
    depth: int = 4
    """The depth limit, in plies, at which the heuristic evaluates."""
    playouts: int = 1000
    exploration: float = sqrt(2)
    """The constant C of UCB1 and UCT; for its default Auer et al. prove their bound (see `ucb1`)."""
    seed: int = 0
    """The seed of all random moves."""
    endless: str = "draw"
    """Whom endless play counts for, a key of `solver.game.ENDLESS`."""
    policy: Policy | None = None
    """The policy of both sides in playouts; None for random moves."""
    most_nodes: int | None = None
    """The most nodes that a search may visit; None for no limit."""
    recorder: SearchRecorder = UNRECORDED
    """The recorder of the search, for a picture."""

    @property
    def endless_value(self) -> int:
        """The utility of endless play, for the first player."""
        return ENDLESS[self.endless]


DEFAULTS = Settings()


class Arm(NamedTuple):
    """The statistics of an action after all playouts of UCB1; gains are utilities for the player to move."""

    playouts: int
    total: int
    """The sum of the gains."""
    mean: float | None
    bound: float | None
    """The upper confidence bound of the mean, by which UCB1 chooses; None, like `mean`, without playouts."""


@dataclass(frozen=True)
class SearchResult:
    """The action that a search chose, its value and its cost."""

    action: Any
    """The chosen action; None in a terminal state, or if the search found none."""
    value: float | None
    """The utility of the action for the first player, exact or a mean over playouts; None if the search
    computes none."""
    nodes: int | None = None
    """The number of visits to nodes; None for a search that has no nodes."""
    playouts: int | None = None
    """The number of playouts; None for a search without playouts."""
    heuristic: float | None = None
    """The backed-up evaluation, in the heuristic's own unit; None if the choice does not depend on one."""
    arms: dict[Any, Arm] = field(default_factory=dict, repr=False)
    """The statistics of UCB1 for each action, in the order of the rules; empty for other searches."""
    plan: Any = field(default=None, repr=False)
    """The AND-OR plan as a nested list; None if there is none."""
