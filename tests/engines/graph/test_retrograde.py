import pytest
from hypothesis import example, given, strategies as st

from solver.engines.graph_states import explore, is_layered, label
from solver.game import ENDLESS
from tests.support.games.explicit_graph import (
    ExplicitGame,
    explicit_games,
    reachable,
    remoteness_by_definition,
    value_by_definition,
)

ESCAPE = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 1))
"""The second player had better go round for ever than end the game."""


@given(explicit_games(), st.sampled_from(list(ENDLESS)))
@example(ESCAPE, "draw")
@example(ESCAPE, "first")
@example(ESCAPE, "second")
def test_values_and_remoteness_are_those_of_the_definition(game: ExplicitGame, endless: str) -> None:
    graph = explore(game)
    label(graph, endless)
    values = value_by_definition(game, ENDLESS[endless])
    remoteness = remoteness_by_definition(game, values, ENDLESS[endless])
    for state in reachable(game):
        assert graph.nodes[state]["value"] == values[state]
        assert graph.nodes[state]["remoteness"] == remoteness[state]


@given(explicit_games(), st.sampled_from(list(ENDLESS)))
def test_best_actions_keep_the_value_and_the_remoteness(game: ExplicitGame, endless: str) -> None:
    graph, level = explore(game), ENDLESS[endless]
    label(graph, endless)
    values = value_by_definition(game, level)
    remoteness = remoteness_by_definition(game, values, level)
    for state in reachable(game):
        now = remoteness[state]
        wanted = None if now is None else now - 1
        expected = [
            action
            for action, child in enumerate(game.children[state])
            if values[child] == values[state] and (values[state] == level == 0 or remoteness[child] == wanted)
        ]
        assert graph.nodes[state]["best"] == expected
        assert bool(expected) == bool(game.children[state])


@given(explicit_games(), st.sampled_from(list(ENDLESS)))
def test_only_play_that_is_worth_what_endless_play_is_goes_on_for_ever(
    game: ExplicitGame, endless: str
) -> None:
    graph = explore(game)
    label(graph, endless)
    for _, node in graph.nodes.data():
        assert node["remoteness"] is not None or node["value"] == ENDLESS[endless]


def test_who_gets_endless_play_decides_a_circle() -> None:
    for endless, values, best in (
        ("draw", [0, 0, 1], [0]),
        ("first", [1, 1, 1], [0]),
        ("second", [-1, -1, 1], [0]),
    ):
        graph = explore(ESCAPE)
        label(graph, endless)
        assert [graph.nodes[state]["value"] for state in range(3)] == values
        assert graph.nodes[1]["remoteness"] is None
        assert graph.nodes[1]["best"] == best


def test_a_draw_that_endless_play_would_lose_is_reached_without_detours() -> None:
    # The second player loses endless play: from 1 it can draw at once, or go round by 0.
    game = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 0))
    graph = explore(game)
    label(graph, "first")
    assert [graph.nodes[state]["value"] for state in range(3)] == [0, 0, 0]
    assert [graph.nodes[state]["remoteness"] for state in range(3)] == [2, 1, 0]
    assert graph.nodes[1]["best"] == [1]
    label_again = explore(game)
    label(label_again)
    assert label_again.nodes[1]["best"] == [0, 1]


@given(explicit_games(utilities=[-1, 1]))
def test_a_draw_without_drawn_ends_goes_on_for_ever(game: ExplicitGame) -> None:
    graph = explore(game)
    label(graph)
    for state, node in graph.nodes.data():
        assert (node["remoteness"] is None) == (node["value"] == 0), state


def test_a_player_who_can_go_round_for_ever_does_not_lose() -> None:
    graph = explore(ESCAPE)
    label(graph)
    assert [graph.nodes[state]["value"] for state in range(3)] == [0, 0, 1]
    assert graph.nodes[1]["best"] == [0]


def test_the_loser_delays_and_the_winner_hurries() -> None:
    # 0 (first) -> 1 or 2 (second); 1 ends at once, 2 goes on by 3 (first) to an end or by 4, 5 later.
    game = ExplicitGame(
        ((1, 2), (6,), (3, 4), (6,), (5,), (6,), ()), (0, 1, 1, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0, 1)
    )
    graph = explore(game)
    label(graph)
    assert [graph.nodes[state]["remoteness"] for state in range(7)] == [2, 1, 3, 1, 2, 1, 0]
    assert graph.nodes[0]["best"] == [0]
    assert graph.nodes[2]["best"] == [1]


def test_a_larger_margin_is_better_than_a_faster_end() -> None:
    game = ExplicitGame(((1, 2), (), (3,), ()), (0, 0, 1, 0), (0, 1, 0, 5))
    graph = explore(game)
    label(graph)
    assert (graph.nodes[0]["value"], graph.nodes[0]["remoteness"]) == (5, 2)
    assert graph.nodes[0]["best"] == [1]


@pytest.mark.parametrize("length", [5000, 20000])
def test_depth_does_not_matter(length: int) -> None:
    children = (*((state + 1,) for state in range(length)), ())
    game = ExplicitGame(children, (0, 1) * (length // 2) + (0,), (0,) * length + (-7,))
    graph = explore(game)
    label(graph)
    assert (graph.nodes[0]["value"], graph.nodes[0]["remoteness"]) == (-7, length)
    assert is_layered(graph)
