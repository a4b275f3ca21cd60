import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given

from solver.engines.graph.reachable import explore, is_layered
from solver.engines.graph.solve import solved_graph
from solver.errors import BrokenRules, TooLarge, UnreadablePosition
from solver.game import Game
from solver.games.mnk import MNK, TicTacToe
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable


@given(explicit_games())
def test_the_graph_has_every_state_that_play_can_reach(game: ExplicitGame) -> None:
    graph = explore(game)
    assert set(graph) == reachable(game)
    for state, node in graph.nodes.data():
        assert node["to_move"] == game.movers[state]
        assert node.get("moves", ()) == tuple(enumerate(game.children[state]))
        assert set(graph.succ[state]) == set(game.children[state])
        assert node.get("utility") == (None if game.children[state] else game.utilities[state])


@given(explicit_games())
def test_states_come_breadth_first_with_the_fewest_plies_to_them(game: ExplicitGame) -> None:
    graph = explore(game)
    depths = {0: 0}
    frontier = {0}
    while frontier:
        frontier = {child for state in frontier for child in game.children[state]} - set(depths)
        depths |= dict.fromkeys(frontier, max(depths.values()) + 1)
    assert dict(graph.nodes.data("depth")) == depths
    order = [depth for _, depth in graph.nodes.data("depth")]
    assert order == sorted(order)


def test_a_graph_is_layered_when_every_way_to_a_state_is_equally_long() -> None:
    movers, utilities = (0, 1, 0, 1), (0, 0, 0, 0)
    assert is_layered(explore(ExplicitGame(((1, 2), (3,), (3,), ()), movers, utilities)))
    assert not is_layered(explore(ExplicitGame(((1, 2), (2,), (3,), ()), movers, utilities)))
    assert not is_layered(explore(ExplicitGame(((0, 1), (), (), ()), movers, utilities)))


def test_play_begins_where_the_start_says() -> None:
    game = TicTacToe()
    graph = solved_graph(game, "oo.ox...x x")
    assert next(iter(graph)) == game.parse("oo.ox...x x")
    assert graph.nodes[game.parse("oo.ox...x x")]["to_move"] == 0
    assert len(graph) < 5478


def test_o_may_move_first() -> None:
    graph = solved_graph(TicTacToe(), "......... o")
    assert len(graph) == 5478
    assert sum(node["value"] == -1 for _, node in graph.nodes.data()) == 2936


def test_a_finished_game_is_a_graph_of_one_state() -> None:
    graph = solved_graph(TicTacToe(), "xxxoo....")
    assert [node["value"] for _, node in graph.nodes.data()] == [1]


def test_an_unreadable_start_is_refused() -> None:
    with pytest.raises(UnreadablePosition):
        solved_graph(TicTacToe(), "xx")


def test_a_hopeless_game_is_refused_before_any_work() -> None:
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"states.*GB.*smaller parameters"):
        explore(MNK(5, 5, 5))
    assert time.perf_counter() - began < 1


def test_a_game_that_outgrows_its_budget_is_refused_in_time() -> None:
    @dataclass(frozen=True)
    class Endless(Game[int, int]):
        initial = 0

        def to_move(self, state: int) -> int:
            return state % 2

        def actions(self, state: int) -> Sequence[int]:
            return (1, 2)

        def result(self, state: int, action: int) -> int:
            return 3 * state + action

        def utility(self, state: int) -> int:
            return 0

    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"more than [\d,]+ states"):
        explore(Endless(), budget=20_000_000)
    assert time.perf_counter() - began < 10


class Rules(Game[Any, Any]):
    """One move from `root` to `end`; each test breaks one rule."""

    initial = "root"

    def to_move(self, state: Any) -> int:
        return 0

    def actions(self, state: Any) -> Sequence[Any]:
        return ("go",) if state == "root" else ()

    def result(self, state: Any, action: Any) -> Any:
        return "end"

    def utility(self, state: Any) -> int:
        return 1


def failing(*_: Any) -> Any:
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("rule", "broken", "state"),
    [
        ("to_move", failing, "root"),
        ("to_move", lambda self, state: 2, "root"),
        ("to_move", lambda self, state: -1, "root"),
        ("to_move", lambda self, state: None, "root"),
        ("to_move", lambda self, state: "first", "root"),
        ("to_move", lambda self, state: 0.0, "root"),
        ("actions", failing, "root"),
        ("actions", lambda self, state: None, "root"),
        ("actions", lambda self, state: [["unhashable"]], "root"),
        ("actions", lambda self, state: 7, "root"),
        ("result", failing, "root"),
        ("result", lambda self, state, action: ["unhashable"], "root"),
        ("result", lambda self, state, action: None, "root"),
        ("utility", failing, "end"),
        ("utility", lambda self, state: 0.5, "end"),
        ("utility", lambda self, state: None, "end"),
        ("utility", lambda self, state: "won", "end"),
        ("utility", lambda self, state: 2**63, "end"),
    ],
)
def test_broken_rules_are_named_with_the_state(rule: str, broken: Any, state: str) -> None:
    game = type("Broken", (Rules,), {rule: broken})()
    with pytest.raises(BrokenRules) as caught:
        explore(game)
    assert repr(state) in str(caught.value)


@pytest.mark.parametrize("initial", [property(failing), ["unhashable"], None])
def test_an_initial_state_that_is_none_is_named(initial: Any) -> None:
    game = type("Broken", (Rules,), {"initial": initial})()
    with pytest.raises(BrokenRules, match="initial"):
        explore(game)


def test_play_may_begin_in_several_states() -> None:
    states = {"initial_states": lambda self: ["root", "elsewhere", "root"]}
    graph = explore(type("Several", (Rules,), states)())
    assert list(graph.nodes.data("depth")) == [("root", 0), ("elsewhere", 0), ("end", 1)]
    assert list(explore(Rules())) == ["root", "end"]
    assert list(explore(type("Several", (Rules,), states)(), ["end"])) == ["end"]


@pytest.mark.parametrize(
    "states", [failing, lambda self: (), lambda self: ["root", None], lambda self: ["root", []]]
)
def test_initial_states_that_are_none_are_named(states: Any) -> None:
    with pytest.raises(BrokenRules, match="initial"):
        explore(type("Broken", (Rules,), {"initial_states": states})())


def test_actions_may_come_from_a_generator() -> None:
    def actions(self: Any, state: Any) -> Any:
        yield from Rules.actions(self, state)

    graph = explore(type("Lazy", (Rules,), {"actions": actions})())
    assert graph.nodes["end"]["utility"] == 1
