"""What every search is given, its settings, and what it returns."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from solver.search.playouts import Policy

EXPLORATION = sqrt(2)
"""The default of the constant C of UCB1 and UCT, for which Auer et al. prove their bound (see `ucb1`)."""


@dataclass(frozen=True)
class Settings:
    """The settings of a search."""

    owner: int | None = None
    """Whose plan to find: 0, 1 or the player to move."""
    goal: str | None = None
    """What the plan should reach, `win` or `draw`; by default the better one that can be reached."""
    depth: int = 4
    """How many plies to look ahead before guessing."""
    playouts: int = 1000
    """How many games to play out."""
    exploration: float = EXPLORATION
    """The constant C of UCB1 and UCT."""
    seed: int = 0
    """What the random moves follow from."""
    endless: str = "draw"
    """Who gets play that never ends, one of `solver.game.ENDLESS`."""
    policy: Policy | None = None
    """How both sides play a game out; by default at random."""
    most_nodes: int | None = None
    """After how many nodes to give up."""


@dataclass(frozen=True)
class SearchResult:
    """The action that a search chose, what it is worth and what it cost."""

    action: Any
    """The chosen action; None in a terminal state, or where the search came to none."""
    value: float | None
    """The utility of that choice for the first player, as far as the search knows; a mean where it played out
    at random. None where the algorithm has none."""
    nodes: int | None = None
    """The states that it looked at, counted each time; None where that means nothing."""
    playouts: int | None = None
    """The games that it played out; None for a search that plays none out."""
    heuristic: float | None = None
    """The backed-up guess, in the game's own unit, where the choice rests on one."""
    plan: Any = field(default=None, repr=False)
    """The nested list of an AND-OR plan; None where there is none."""
