"""What a search returns."""

from dataclasses import dataclass, field
from typing import Any


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
