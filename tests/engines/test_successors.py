"""What each engine does that takes states one by one: asks rules with care, refuses what does not fit."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from solver.engines.graph_states import explore
from solver.errors import BrokenRules, TooLarge
from solver.game import AnyGame, Game
from solver.games.mnk import MNK
from solver.system import resources
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

    used, held = resources.used, resources.used()  # whatever other tests have left in this process
    monkeypatch.setattr(resources, "used", lambda: 10**8 + used() - held)
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"more than [\d,]+ states, after which .* holds [\d,]+ MB"):
        find(Endless(), budget=20_000_000)
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
        ("utility", failing, "end"),
        ("utility", lambda self, state: 0.5, "end"),
        ("utility", lambda self, state: None, "end"),
        ("utility", lambda self, state: "won", "end"),
        ("utility", lambda self, state: 2**63, "end"),
    ],
)
def test_broken_rules_are_named_with_the_state(find: Find, rule: str, broken: Any, state: str) -> None:
    game = type("Broken", (Rules,), {rule: broken})()
    with pytest.raises(BrokenRules) as caught:
        find(game)
    assert repr(state) in str(caught.value)


@every_engine
@pytest.mark.parametrize("initial", [property(failing), ["unhashable"], None])
def test_an_initial_state_that_is_none_is_named(find: Find, initial: Any) -> None:
    game = type("Broken", (Rules,), {"initial": initial})()
    with pytest.raises(BrokenRules, match="initial"):
        find(game)


@every_graph
def test_play_may_begin_in_several_states(find: Find) -> None:
    states = {"initial_states": lambda self: ["root", "elsewhere", "root"]}
    graph = find(type("Several", (Rules,), states)())
    assert list(graph.nodes.data("depth")) == [("root", 0), ("elsewhere", 0), ("end", 1)]
    assert list(find(Rules())) == ["root", "end"]
    assert list(find(type("Several", (Rules,), states)(), ["end"])) == ["end"]


@every_engine
@pytest.mark.parametrize(
    "states", [failing, lambda self: (), lambda self: ["root", None], lambda self: ["root", []]]
)
def test_initial_states_that_are_none_are_named(find: Find, states: Any) -> None:
    with pytest.raises(BrokenRules, match="initial"):
        find(type("Broken", (Rules,), {"initial_states": states})())


@every_graph
def test_actions_may_come_from_a_generator(find: Find) -> None:
    def actions(self: Any, state: Any) -> Any:
        yield from Rules.actions(self, state)

    graph = find(type("Lazy", (Rules,), {"actions": actions})())
    assert graph.nodes["end"]["utility"] == 1
