from hypothesis import example, given, strategies as st

from solver.engines.graph_states import explore, is_layered, label
from solver.game import ENDLESS
from tests.support.definitions import defined
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable

ESCAPE = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 1))
"""The second player had better go round for ever than end the game."""


DRAWN = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 0))
"""From 1 the second player can draw at once, or go round by 0."""

DELAYED = ExplicitGame(((1, 2), (6,), (3, 4), (6,), (5,), (6,), ()), (0, 1, 1, 0, 0, 1, 0), (0,) * 6 + (1,))
"""The first player may go to 1, which ends at once, or to 2, where the second one has two ways to an end."""

MARGIN = ExplicitGame(((1, 2), (), (3,), ()), (0, 0, 1, 0), (0, 1, 0, 5))
"""The first player wins by 1 at once, or by 5 later."""


@given(explicit_games(), st.sampled_from(list(ENDLESS)))
@example(DRAWN, "first")
@example(DRAWN, "draw")
@example(DELAYED, "draw")
@example(MARGIN, "draw")
@example(ESCAPE, "draw")
@example(ESCAPE, "first")
@example(ESCAPE, "second")
def test_labels_match_the_definition(game: ExplicitGame, endless: str) -> None:
    graph, labels = explore(game), defined(game, endless)
    label(graph, endless)
    for state in reachable(game):
        node = graph.nodes[state]
        assert (node["value"], node["remoteness"], node["best"]) == labels[state]
        assert bool(node["best"]) == bool(game.children[state])
        assert node["remoteness"] is not None or node["value"] == ENDLESS[endless]


@given(explicit_games())
@example(ESCAPE)
def test_graph_can_be_labelled_again_with_another_winner_of_endless_play(game: ExplicitGame) -> None:
    graph = explore(game)
    for endless in (*ENDLESS, *ENDLESS):
        label(graph, endless)
        labels = defined(game, endless)
        for state, node in graph.nodes.data():
            assert (node["value"], node["remoteness"], node["best"]) == labels[state]


@given(explicit_games(utilities=[-1, 1]))
def test_draws_are_endless_without_drawn_terminal_states(game: ExplicitGame) -> None:
    graph = explore(game)
    label(graph)
    for state, node in graph.nodes.data():
        assert (node["remoteness"] is None) == (node["value"] == 0), state


def test_chain_of_20_000_plies_is_labelled() -> None:
    length = 20_000
    children = (*((state + 1,) for state in range(length)), ())
    game = ExplicitGame(children, (0, 1) * (length // 2) + (0,), (0,) * length + (-7,))
    graph = explore(game)
    label(graph)
    assert (graph.nodes[0]["value"], graph.nodes[0]["remoteness"]) == (-7, length)
    assert is_layered(graph)
