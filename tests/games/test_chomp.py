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
