"""The classical searches by name: they choose an action in a state of a game, given settings."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import NamedTuple

from solver.errors import UnknownSearch
from solver.game import AnyGame
from solver.rules.failures import rules_asked
from solver.search.alpha_beta import alpha_beta, by_evaluation
from solver.search.and_or.game_problem import and_or
from solver.search.depth_limited import depth_limited
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.minimax import minimax
from solver.search.playouts import monte_carlo, ucb1
from solver.search.uct import uct
from solver.system.plugins import names_instead

__all__ = ["SEARCHES", "Search", "SearchResult", "Settings", "search"]


class Search(NamedTuple):
    """A search algorithm: a function of a game, a state and settings."""

    run: Callable[..., SearchResult]
    settings: tuple[str, ...] = ()
    """The fields of `Settings` that determine its strength."""


SEARCHES = {
    # A plan that succeeds against every reply; failing that, one that retries until the other player errs.
    "and-or": Search(and_or),
    "and-or-retry": Search(partial(and_or, retry=True)),
    # The whole game tree; with a transposition table, each state once.
    "minimax": Search(minimax),
    "minimax-table": Search(partial(minimax, table=True)),
    # Minimax with pruning; with a table of bounds, too; with a move ordering, too.
    "alpha-beta": Search(alpha_beta),
    "alpha-beta-table": Search(partial(alpha_beta, table=True)),
    "alpha-beta-ordered": Search(partial(alpha_beta, table=True, order=by_evaluation)),
    # Minimax or alpha-beta to a depth limit, with the game's heuristic there.
    "depth-limited-minimax": Search(partial(depth_limited, prune=False), ("depth",)),
    "depth-limited": Search(depth_limited, ("depth",)),
    # Playouts: equally many for each action; more for promising ones; in a tree; in a tree with proofs.
    "monte-carlo": Search(monte_carlo, ("playouts",)),
    "ucb1": Search(ucb1, ("playouts", "exploration")),
    "uct": Search(uct, ("playouts", "exploration")),
    "uct-solver": Search(partial(uct, proofs=True), ("playouts", "exploration")),
}
"""The searches by name."""


def search(name: str, game: AnyGame, state: Hashable, settings: Settings = DEFAULTS) -> SearchResult:
    """The result of the search called `name` in `state`.

    Raises `UnknownSearch`, `BrokenRules` if the rules raise an exception, and what the search raises.
    """
    if name not in SEARCHES:
        raise UnknownSearch(f"there is no search {name!r}; {names_instead(name, SEARCHES)}")
    with rules_asked(game):
        return SEARCHES[name].run(game, state, settings)
