from functools import cache, reduce
from operator import xor

import pytest

from solver.games.kayles import Kayles
from tests.support.graphs import solved_graph
from tests.support.published import published


@cache
def grundy(pins: int) -> int:
    """The Grundy value of a row, by definition: the least that no move leads to."""
    options = {
        grundy(left) ^ grundy(pins - size - left) for size in (1, 2) for left in range(pins - size + 1)
    }
    return next(value for value in range(len(options) + 1) if value not in options)


def test_the_grundy_values_are_as_published() -> None:
    values = published()["kayles"]["grundy"]
    assert [grundy(pins) for pins in range(len(values))] == values


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_a_position_is_lost_exactly_when_its_rows_cancel_each_other(n: int) -> None:
    game = Kayles(n)
    graph = solved_graph(game)
    assert len(graph) <= game.states_at_most()
    for state, node in graph.nodes.data():
        rows = game.position(state).split()[0].split(".")
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == (reduce(xor, [grundy(len(row)) for row in rows]) == 0)


def test_every_row_is_won_by_the_first_player() -> None:
    for n in range(1, 10):
        assert solved_graph(Kayles(n)).nodes[0]["value"] == 1
