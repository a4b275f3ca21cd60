"""What each engine does that takes states one by one: asks rules with care, refuses what does not fit."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from solver.engines.graph_states import explore
from solver.errors import BrokenRules, TooLarge
from solver.game import AnyGame
from solver.games.mnk import MNK
from solver.system import resources
from tests.support.games.misbehaving import Fork, failing
from tests.support.numbered import numbered

Find = Callable[..., Any]
"""Finds the states of a game, and returns their graph."""


def by_arrays(game: AnyGame, starts: Any = None, *, budget: int = 10**9) -> Any:
    """The graph of what the arrays engine has found."""
    found = numbered(game, starts, budget=budget)
    moves = found.successors()
    return explore(game, found.states[: found.starts], budget=budget, ask=lambda _: next(moves))


every_engine = pytest.mark.parametrize("find", [explore, by_arrays, numbered])
every_graph = pytest.mark.parametrize("find", [explore, by_arrays])


@every_engine
def test_a_hopeless_game_is_refused_before_any_work(find: Find) -> None:
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"states.*GB.*smaller parameters"):
        find(MNK(5, 5, 5))
    assert time.perf_counter() - began < 1


@every_engine
def test_a_game_that_outgrows_its_budget_is_refused_in_time(
    find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless(Fork):
        initial = 0

        def actions(self, state: int) -> Sequence[int]:
            return (1, 2)

        def result(self, state: int, action: int) -> int:
            return 3 * state + action

    used, held = resources.used, resources.used()  # whatever other tests have left in this process
    monkeypatch.setattr(resources, "used", lambda: 10**8 + used() - held)
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"more than [\d,]+ states, after which .* holds [\d,]+ MB"):
        find(Endless(), budget=20_000_000)
    assert time.perf_counter() - began < 10


@every_engine
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
        ("utility", failing, "end left"),
        ("utility", lambda self, state: 0.5, "end left"),
        ("utility", lambda self, state: None, "end left"),
        ("utility", lambda self, state: "won", "end left"),
        ("utility", lambda self, state: 2**63, "end left"),
    ],
)
def test_broken_rules_are_named_with_the_state(find: Find, rule: str, broken: Any, state: str) -> None:
    game = type("Broken", (Fork,), {rule: broken})()
    with pytest.raises(BrokenRules) as caught:
        find(game)
    assert repr(state) in str(caught.value)


@every_engine
@pytest.mark.parametrize("initial", [property(failing), ["unhashable"], None])
def test_an_initial_state_that_is_none_is_named(find: Find, initial: Any) -> None:
    game = type("Broken", (Fork,), {"initial": initial})()
    with pytest.raises(BrokenRules, match="initial"):
        find(game)


@every_graph
def test_play_may_begin_in_several_states(find: Find) -> None:
    states = {"initial_states": lambda self: ["root", "elsewhere", "root"]}
    graph = find(type("Several", (Fork,), states)())
    assert list(graph.nodes.data("depth")) == [
        *(("root", 0), ("elsewhere", 0)),
        *(("end left", 1), ("end right", 1)),
    ]
    assert list(find(Fork())) == ["root", "end left", "end right"]
    assert list(find(type("Several", (Fork,), states)(), ["end left"])) == ["end left"]


@every_engine
@pytest.mark.parametrize(
    "states", [failing, lambda self: (), lambda self: ["root", None], lambda self: ["root", []]]
)
def test_initial_states_that_are_none_are_named(find: Find, states: Any) -> None:
    with pytest.raises(BrokenRules, match="initial"):
        find(type("Broken", (Fork,), {"initial_states": states})())


@every_graph
def test_actions_may_come_from_a_generator(find: Find) -> None:
    def actions(self: Any, state: Any) -> Any:
        yield from Fork.actions(self, state)

    graph = find(type("Lazy", (Fork,), {"actions": actions})())
    assert graph.nodes["end left"]["utility"] == 1
