from functools import reduce
from operator import xor

import pytest

from solver.games.nim import Nim
from tests.support.graphs import solved_graph
from tests.support.published import published


@pytest.mark.parametrize("heaps", published()["nim"]["arrangements"])
@pytest.mark.parametrize("misere", [False, True])
def test_there_are_as_many_arrangements_as_published(heaps: str, misere: bool) -> None:
    game = Nim(tuple(map(int, heaps.split(","))), misere=misere)
    graph = solved_graph(game)
    assert len({state[1:] for state in graph}) == published()["nim"]["arrangements"][heaps]
    assert len(graph) <= game.states_at_most()


@pytest.mark.parametrize("heaps", [(1, 2, 3), (3, 4, 5), (2, 2, 2, 2), (7,), (1, 1, 6)])
def test_a_position_is_lost_exactly_when_the_xor_of_its_heaps_is_0(heaps: tuple[int, ...]) -> None:
    for state, node in solved_graph(Nim(heaps)).nodes.data():
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == (reduce(xor, state[1:]) == 0)


@pytest.mark.parametrize("heaps", [(1, 2, 3), (3, 4, 5), (2, 2, 2, 2), (1, 1, 1)])
def test_in_misere_play_only_heaps_of_one_turn_it_round(heaps: tuple[int, ...]) -> None:
    for state, node in solved_graph(Nim(heaps, misere=True)).nodes.data():
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == ((reduce(xor, state[1:]) == 0) == (max(state[1:]) > 1))
