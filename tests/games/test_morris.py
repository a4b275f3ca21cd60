import numpy as np
import pytest

from solver.games.morris import BOARDS, Morris
from solver.rules.arrays import representatives
from tests.support.graphs import solved_graph
from tests.support.published import published


def test_tapatan_has_the_published_classes_and_is_won_by_the_centre_only() -> None:
    game, known = Morris(), published()["tapatan"]
    graph = solved_graph(game)
    assert len({*representatives(game, np.array([*graph])).tolist()}) == known["classes"]
    assert [graph.nodes[child]["value"] for _, child in graph.nodes[0]["moves"]] == known["openings"]
    assert graph.nodes[0]["best"] == [4]


@pytest.mark.parametrize("variant", BOARDS)
def test_the_picture_shows_every_point(variant: str) -> None:
    game = Morris(variant)
    shown = game.show(game.initial).split()
    assert shown == [str(point) for point in range(len(shown))]
    assert [len(row) for row in game.board(game.initial)] == list(BOARDS[variant].widths)
