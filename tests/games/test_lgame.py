from itertools import combinations

import pytest

from solver.games.lgame import PLACES, LGame, Pieces
from tests.support.graphs import solved_graph
from tests.support.published import expected, published


def arrangements() -> list[Pieces]:
    """Every way to put the pieces on the board, x to move."""
    return [
        (0, first, second, 1 << one | 1 << other)
        for first in PLACES
        for second in PLACES
        if not first & second
        for one, other in combinations([at for at in range(16) if not (first | second) >> at & 1], 2)
    ]


def test_counts_of_arrangements_are_published_ones() -> None:
    game, known = LGame(), published()["lgame"]
    states = arrangements()
    assert len(states) == known["arrangements"]
    classes = {game.canonical(state) for state in states}
    assert len(classes) == known["classes"]
    assert sum(game.is_terminal(state) for state in classes) == known["final_classes"]


@pytest.mark.slow
def test_game_is_a_draw_with_the_published_lost_classes() -> None:
    game, known = LGame(), published()["lgame"]
    graph = solved_graph(game)
    assert len(graph) == 2 * known["arrangements"] == game.states_at_most()
    assert graph.nodes[game.initial]["value"] == expected("lgame")["value"]
    assert graph.nodes[game.initial]["best"]
    lost = {game.canonical(s) for s, node in graph.nodes.data() if (s[0], node["value"]) == (0, -1)}
    final = {state for state in lost if game.is_terminal(state)}
    assert (len(final), len(lost - final)) == (known["final_classes"], known["lost_classes"])


def test_moves_are_an_l_and_optionally_a_neutral_piece() -> None:
    game = LGame()
    names = {game.action_name(action): action for action in game.actions(game.initial)}
    assert "dhlk" not in names
    assert len(names) == len(game.actions(game.initial)) == 13 * len({n.split("+")[0] for n in names})
