"""The classical searches by name: from a game, a state and settings to an action and its cost."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from solver.errors import UnknownSearch
from solver.game import AnyGame
from solver.rules.failures import rules_asked
from solver.search.alpha_beta import alpha_beta, by_evaluation
from solver.search.and_or.game_problem import and_or
from solver.search.depth_limited import depth_limited
from solver.search.interface import SearchResult, Settings
from solver.search.minimax import minimax
from solver.search.monte_carlo import monte_carlo
from solver.search.recorder import UNRECORDED
from solver.search.ucb1 import ucb1
from solver.search.uct import uct
from solver.system.names import names_instead

__all__ = ["SEARCHES", "Search", "SearchResult", "Settings", "search"]

NODES = ("most_nodes", "recorder")
PLAN = ("owner", "goal", "endless", *NODES)
PLAYOUTS = ("playouts", "seed", "policy", "level", "recorder")
BANDIT = (*PLAYOUTS, "exploration")
"""The settings that searches of these kinds read."""


class Search(NamedTuple):
    """A search, and what it is called with besides a game and a state."""

    summary: str
    """What it does, in a sentence."""
    run: Callable[..., SearchResult]
    settings: tuple[str, ...]
    """The settings that it reads."""
    options: Mapping[str, Any] = MappingProxyType({})
    """What makes it this search among those of the same function."""


SEARCHES = {
    "and-or": Search("Find a plan that holds against every reply: AND-OR search.", and_or, PLAN),
    "and-or-retry": Search(
        "Find a plan that tries again until the other errs, where no plan holds against every reply.",
        and_or,
        PLAN,
        {"retry": True},
    ),
    "minimax": Search("Search the whole game tree: minimax.", minimax, NODES),
    "minimax-table": Search(
        "Search each state of the game tree once: minimax with a transposition table.",
        minimax,
        NODES,
        {"table": True},
    ),
    "alpha-beta": Search(
        "Search the game tree without the branches that cannot change the choice: alpha-beta.",
        alpha_beta,
        NODES,
    ),
    "alpha-beta-table": Search(
        "Remember bounds of searched states: alpha-beta with a transposition table.",
        alpha_beta,
        NODES,
        {"table": True},
    ),
    "alpha-beta-ordered": Search(
        "Try first the moves that the game's heuristic prefers: alpha-beta with a table and move ordering.",
        alpha_beta,
        NODES,
        {"table": True, "order": by_evaluation},
    ),
    "depth-limited-minimax": Search(
        "Search to a depth by minimax and evaluate by the game's heuristic there.",
        depth_limited,
        ("depth", *NODES),
        {"prune": False},
    ),
    "depth-limited": Search(
        "Search to a depth by alpha-beta and evaluate by the game's heuristic there.",
        depth_limited,
        ("depth", *NODES),
    ),
    "monte-carlo": Search(
        "Play equally many games out for each action and take the best mean: flat Monte Carlo search.",
        monte_carlo,
        PLAYOUTS,
    ),
    "ucb1": Search("Play more games out for the actions that promise more: UCB1 at depth one.", ucb1, BANDIT),
    "uct": Search(
        "Grow a tree where play promises most: Monte Carlo tree search with UCB1 (UCT).", uct, BANDIT
    ),
    "uct-solver": Search(
        "Grow a tree by UCT and prove wins and losses in it.", uct, BANDIT, {"proofs": True}
    ),
}
"""The searches by name."""


def search(name: str, game: AnyGame, state: Hashable, settings: Settings | None = None) -> SearchResult:
    """Run the search called `name` in `state`.

    Raises `UnknownSearch`, `BrokenRules` where the rules raise an exception, and what the search raises.
    """
    if name not in SEARCHES:
        raise UnknownSearch(f"there is no search {name!r}; {names_instead(name, SEARCHES)}")
    given, found = settings or Settings(), SEARCHES[name]
    given = replace(given, recorder=given.recorder or UNRECORDED)
    with rules_asked(game):
        return found.run(
            game, state, **{each: getattr(given, each) for each in found.settings}, **found.options
        )
