"""The classical searches by name: from a game, a state and settings to an action and its cost."""

from collections.abc import Callable, Hashable
from typing import TypeAlias

from solver.errors import UnknownSearch
from solver.game import ENDLESS, AnyGame
from solver.rules.failures import rules_asked
from solver.search.alpha_beta import alpha_beta, by_evaluation
from solver.search.and_or.game_problem import and_or
from solver.search.depth_limited import depth_limited
from solver.search.interface import SearchResult, Settings
from solver.search.minimax import minimax
from solver.search.monte_carlo import monte_carlo
from solver.search.ucb1 import ucb1
from solver.search.uct import uct
from solver.system.names import names_instead

__all__ = ["SEARCHES", "Search", "SearchResult", "Settings", "search"]

Search: TypeAlias = Callable[[AnyGame, Hashable, Settings], SearchResult]


def _and_or(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Find a plan that holds against every reply: AND-OR search."""
    return _plan_search(game, state, given, retry=False)


def _and_or_retry(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Find a plan that tries again until the other errs, where no plan holds against every reply."""
    return _plan_search(game, state, given, retry=True)


def _plan_search(game: AnyGame, state: Hashable, given: Settings, *, retry: bool) -> SearchResult:
    return and_or(
        game,
        state,
        owner=given.owner,
        goal=given.goal,
        endless=given.endless,
        retry=retry,
        most_nodes=given.most_nodes,
        recorder=given.recorder,
    )


def _minimax(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Search the whole game tree: minimax."""
    return minimax(game, state, most_nodes=given.most_nodes, recorder=given.recorder)


def _minimax_table(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Search each state of the game tree once: minimax with a transposition table."""
    return minimax(game, state, table=True, most_nodes=given.most_nodes, recorder=given.recorder)


def _alpha_beta(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Search the game tree without the branches that cannot change the choice: alpha-beta."""
    return alpha_beta(game, state, most_nodes=given.most_nodes, recorder=given.recorder)


def _alpha_beta_table(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Remember bounds of searched states: alpha-beta with a transposition table."""
    return alpha_beta(game, state, table=True, most_nodes=given.most_nodes, recorder=given.recorder)


def _alpha_beta_ordered(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Try first the moves that the game's heuristic prefers: alpha-beta with a table and move ordering."""
    return alpha_beta(
        game,
        state,
        table=True,
        order=by_evaluation(game),
        most_nodes=given.most_nodes,
        recorder=given.recorder,
    )


def _depth_limited_minimax(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Search to a depth by minimax and evaluate by the game's heuristic there."""
    return depth_limited(
        game, state, given.depth, prune=False, most_nodes=given.most_nodes, recorder=given.recorder
    )


def _depth_limited(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Search to a depth by alpha-beta and evaluate by the game's heuristic there."""
    return depth_limited(game, state, given.depth, most_nodes=given.most_nodes, recorder=given.recorder)


def _monte_carlo(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Play equally many games out for each action and take the best mean: flat Monte Carlo search."""
    return monte_carlo(
        game,
        state,
        playouts=given.playouts,
        seed=given.seed,
        policy=given.policy,
        level=ENDLESS[given.endless],
        recorder=given.recorder,
    )


def _ucb1(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Play more games out for the actions that promise more: UCB1 at depth one."""
    return ucb1(
        game,
        state,
        playouts=given.playouts,
        exploration=given.exploration,
        seed=given.seed,
        policy=given.policy,
        level=ENDLESS[given.endless],
        recorder=given.recorder,
    )


def _uct(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Grow a tree where play promises most: Monte Carlo tree search with UCB1 (UCT)."""
    return _tree_search(game, state, given, proofs=False)


def _uct_solver(game: AnyGame, state: Hashable, given: Settings) -> SearchResult:
    """Grow a tree by UCT and prove wins and losses in it."""
    return _tree_search(game, state, given, proofs=True)


def _tree_search(game: AnyGame, state: Hashable, given: Settings, *, proofs: bool) -> SearchResult:
    return uct(
        game,
        state,
        playouts=given.playouts,
        exploration=given.exploration,
        seed=given.seed,
        policy=given.policy,
        level=ENDLESS[given.endless],
        recorder=given.recorder,
        proofs=proofs,
    )


SEARCHES: dict[str, Search] = {
    "and-or": _and_or,
    "and-or-retry": _and_or_retry,
    "minimax": _minimax,
    "minimax-table": _minimax_table,
    "alpha-beta": _alpha_beta,
    "alpha-beta-table": _alpha_beta_table,
    "alpha-beta-ordered": _alpha_beta_ordered,
    "depth-limited-minimax": _depth_limited_minimax,
    "depth-limited": _depth_limited,
    "monte-carlo": _monte_carlo,
    "ucb1": _ucb1,
    "uct": _uct,
    "uct-solver": _uct_solver,
}
"""The searches by name; the docstring of each describes it."""


def search(name: str, game: AnyGame, state: Hashable, settings: Settings | None = None) -> SearchResult:
    """Run the search called `name` in `state`.

    Raises `UnknownSearch`, `BrokenRules` where the rules raise an exception, and what the search raises.
    """
    if name not in SEARCHES:
        raise UnknownSearch(f"there is no search {name!r}; {names_instead(name, SEARCHES)}")
    with rules_asked(game):
        return SEARCHES[name](game, state, settings or Settings())
