import pytest
from hypothesis import example, given, strategies as st

from solver.engines.graph_states import explore, is_layered, label
from solver.game import ENDLESS
from tests.support.definitions import defined
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable

ESCAPE = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 1))
"""The second player had better go round for ever than end the game."""


@given(explicit_games(), st.sampled_from(list(ENDLESS)))
@example(ESCAPE, "draw")
@example(ESCAPE, "first")
@example(ESCAPE, "second")
def test_labels_are_those_of_the_definition(game: ExplicitGame, endless: str) -> None:
    graph, labels = explore(game), defined(game, endless)
    label(graph, endless)
    for state in reachable(game):
        node = graph.nodes[state]
        assert (node["value"], node["remoteness"], node["best"]) == labels[state]
        assert bool(node["best"]) == bool(game.children[state])
        assert node["remoteness"] is not None or node["value"] == ENDLESS[endless]


@given(explicit_games(utilities=[-1, 1]))
def test_a_draw_without_drawn_ends_goes_on_for_ever(game: ExplicitGame) -> None:
    graph = explore(game)
    label(graph)
    for state, node in graph.nodes.data():
        assert (node["remoteness"] is None) == (node["value"] == 0), state


DRAWN = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 0))
"""From 1 the second player can draw at once, or go round by 0."""

DELAYED = ExplicitGame(
    ((1, 2), (6,), (3, 4), (6,), (5,), (6,), ()), (0, 1, 1, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0, 1)
)
"""The first player may go to 1, which ends at once, or to 2, where the second one has two ways to an end."""

MARGIN = ExplicitGame(((1, 2), (), (3,), ()), (0, 0, 1, 0), (0, 1, 0, 5))
"""The first player wins by 1 at once, or by 5 later."""


@pytest.mark.parametrize(
    ("game", "endless", "values", "plies", "best"),
    [
        (ESCAPE, "draw", [0, 0, 1], {1: None}, {1: [0]}),
        (ESCAPE, "first", [1, 1, 1], {1: None}, {1: [0]}),
        (ESCAPE, "second", [-1, -1, 1], {1: None}, {1: [0]}),
        (DRAWN, "first", [0, 0, 0], {0: 2, 1: 1, 2: 0}, {1: [1]}),  # who loses endless play makes no detours
        (DRAWN, "draw", [0, 0, 0], {}, {1: [0, 1]}),
        (DELAYED, "draw", [1] * 7, dict(enumerate([2, 1, 3, 1, 2, 1, 0])), {0: [0], 2: [1]}),
        (MARGIN, "draw", [5, 1, 5, 5], {0: 2}, {0: [1]}),
    ],
)
def test_labels_are_those_that_a_person_finds(
    game: ExplicitGame,
    endless: str,
    values: list[int],
    plies: dict[int, int | None],
    best: dict[int, list[int]],
) -> None:
    graph = explore(game)
    label(graph, endless)
    assert [graph.nodes[state]["value"] for state in range(len(values))] == values
    assert {state: graph.nodes[state]["remoteness"] for state in plies} == plies
    assert {state: graph.nodes[state]["best"] for state in best} == best


@pytest.mark.parametrize("length", [5000, 20000])
def test_depth_does_not_matter(length: int) -> None:
    children = (*((state + 1,) for state in range(length)), ())
    game = ExplicitGame(children, (0, 1) * (length // 2) + (0,), (0,) * length + (-7,))
    graph = explore(game)
    label(graph)
    assert (graph.nodes[0]["value"], graph.nodes[0]["remoteness"]) == (-7, length)
    assert is_layered(graph)
