import pytest

from solver.games.chomp import Chomp
from tests.support.graphs import solved_graph
from tests.support.published import expected


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 4), (3, 5), (2, 2), (3, 3), (4, 4)])
def test_only_the_published_first_bite_wins(rows: int, columns: int) -> None:
    bite = expected(f"chomp rows={rows} columns={columns}")["best_move"]
    game = Chomp(rows, columns)
    graph = solved_graph(game)
    children = {game.action_name(action): child for action, child in graph.nodes[0]["moves"]}
    assert [name for name, child in children.items() if graph.nodes[child]["value"] == 1] == [bite]
    assert [game.action_name(action) for action in graph.nodes[0]["best"]] == [bite]
    assert len(graph) <= game.states_at_most()


def test_whoever_gets_the_poison_loses() -> None:
    game = Chomp(1, 1)
    (bite,) = game.actions(game.initial)
    assert game.utility(game.result(game.initial, bite)) == -1


def test_a_bite_eats_all_below_and_right_of_it() -> None:
    game = Chomp(3, 4)
    (bite,) = [action for action in game.actions(0) if game.action_name(action) == "1,2"]
    after = game.result(0, bite)
    assert game.position(after) == "4,2,2 second"
    assert game.show(after).replace("-", "").replace("+", "").split() == list("!|#|#|##|#|.|.#|#|.|.")
