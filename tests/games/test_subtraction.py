import pytest

from solver.games.subtraction import Subtraction
from tests.support.graphs import solved_graph


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("misere", [False, True])
def test_taking_up_to_a_number_is_lost_at_the_multiples_of_one_more(most: int, misere: bool) -> None:
    game = Subtraction(30, tuple(range(1, most + 1)), misere=misere)
    for state, node in solved_graph(game).nodes.data():
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == ((state >> 1) % (most + 1) == misere)


def test_the_largest_heap_is_packed_without_loss() -> None:
    game = Subtraction(2**62 - 1, (1,))
    assert game.parse(game.position(game.initial + 1)) == game.initial + 1 < 2**63
