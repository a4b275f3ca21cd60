from typing import Any

import pytest

from solver import load_game
from solver.engines.graph.solve import solved_graph
from solver.errors import BadParameter, UnreadablePosition
from solver.games.subtraction import Subtraction


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("misere", [False, True])
def test_taking_up_to_a_number_is_lost_at_the_multiples_of_one_more(most: int, misere: bool) -> None:
    game = Subtraction(30, tuple(range(1, most + 1)), misere=misere)
    for state, node in solved_graph(game).nodes.data():
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == ((state >> 1) % (most + 1) == misere)


def test_who_cannot_take_has_lost_even_when_something_is_left() -> None:
    game = Subtraction(9, (5, 2))
    end = game.parse("1 second")
    assert game.actions(end) == ()
    assert game.utility(end) == 1
    assert game.show(end) == "1 left; nothing may be taken"
    assert [game.action_name(action) for action in game.actions(game.initial)] == [5, 2]
    assert game.position(game.result(game.initial, 0)) == "4 second"


def test_the_largest_heap_is_packed_without_loss() -> None:
    game = Subtraction(2**62 - 1, (1,))
    assert game.parse(game.position(game.initial + 1)) == game.initial + 1 < 2**63


@pytest.mark.parametrize("text", ["11", "-1", "x", "3 third", "3.0", "1e1"])
def test_what_cannot_be_left_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePosition, match="first or second"):
        Subtraction(10).parse(text)


@pytest.mark.parametrize(
    ("parameters", "hint"),
    [
        ({"heap": -1}, "heap must be at least 0"),
        ({"heap": 2**62}, "heap must be at least 0 and at most 4,611,686,018,427,387,903, not 46116860"),
        ({"take": "0"}, "take must be at least 1"),
        ({"take": "1,1"}, "take must be different numbers"),
        ({"take": ()}, "take must be different numbers"),
        ({"take": "one"}, "a list with commas"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], hint: str) -> None:
    with pytest.raises(BadParameter) as caught:
        load_game("subtraction", parameters)
    assert hint in str(caught.value)
