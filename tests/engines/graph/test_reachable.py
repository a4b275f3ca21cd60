import pytest
from hypothesis import given

from solver.engines.graph_states import explore
from solver.errors import TooLarge, UsageError
from solver.games.mnk import TicTacToe
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable


@given(explicit_games(starts=3))
def test_explore_finds_reachable_states_at_minimum_depths(game: ExplicitGame) -> None:
    graph = explore(game)
    assert set(graph) == reachable(game)
    for state, node in graph.nodes.data():
        assert node["to_move"] == game.movers[state]
        assert node.get("moves", ()) == tuple(enumerate(game.children[state]))
        assert set(graph.succ[state]) == set(game.children[state])
        assert node.get("utility") == (None if game.children[state] else game.utilities[state])
    frontier = {*game.starts}
    depths = dict.fromkeys(frontier, 0)
    while frontier:
        frontier = {child for state in frontier for child in game.children[state]} - set(depths)
        depths |= dict.fromkeys(frontier, max(depths.values()) + 1)
    assert dict(graph.nodes.data("depth")) == depths
    order = [depth for _, depth in graph.nodes.data("depth")]
    assert order == sorted(order)
    assert [*graph][: graph.graph["starts"]] == [*dict.fromkeys(game.starts)]


def test_explore_refuses_more_states_than_at_most() -> None:
    assert len(explore(TicTacToe(), at_most=5478)) == 5478
    with pytest.raises(TooLarge, match="more than 5,477 states"):
        explore(TicTacToe(), at_most=5477)


def test_explore_without_a_start_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no state to start from"):
        explore(TicTacToe(), [])
