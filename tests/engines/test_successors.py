"""The engines that take states one by one: how they ask rules, and what they refuse."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from solver.engines.choose import chosen
from solver.engines.graph_states import explore
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, TooLarge
from solver.games.mnk import MNK
from solver.system import resources
from tests.support.games.misbehaving import Fork, failing
from tests.support.games.packed import Stuck
from tests.support.numbered import numbered

Find = Callable[..., Any]
"""Finds the states of a game, and returns their graph."""


every_engine = pytest.mark.parametrize("find", [explore, numbered])


@every_engine
def test_hopeless_game_is_refused_before_exploration(find: Find) -> None:
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"states.*GB.*smaller parameters"):
        find(MNK(5, 5, 5))
    assert time.perf_counter() - began < 1


@every_engine
def test_game_exceeding_its_budget_is_refused_early(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Fork):
        initial = 0

        def actions(self, state: int) -> Sequence[int]:
            return (1, 2)

        def result(self, state: int, action: int) -> int:
            return 3 * state + action

    used, held = resources.used, resources.used()  # whatever other tests have left in this process
    monkeypatch.setattr(resources, "used", lambda: 10**8 + used() - held)
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"more than [\d,]+ states, the last .* holds [\d,]+ MB"):
        find(Endless(), budget=8_000_000)
    assert time.perf_counter() - began < 10


def answers(*said: object) -> list[Callable[..., object]]:
    """Rules that fail, and rules that answer this."""
    return [failing, *(lambda self, *_, item=item: item for item in said)]


BROKEN = {
    "to_move": answers(2, -1, None, "first", 0.0),
    "actions": answers(None, [["unhashable"]], 7),
    "result": answers(["unhashable"], None),
    "utility": answers(0.5, None, "won", 2**63),
}


@every_engine
@pytest.mark.parametrize(("rule", "broken"), [(rule, item) for rule in BROKEN for item in BROKEN[rule]])
def test_broken_rules_error_names_the_state(find: Find, rule: str, broken: object) -> None:
    game = type("Broken", (Fork,), {rule: broken})()
    with pytest.raises(BrokenRules) as caught:
        find(game)
    assert repr("end left" if rule == "utility" else "root") in str(caught.value)


@every_engine
@pytest.mark.parametrize(
    ("over", "words"),
    [(True, "give actions in the state 'root'"), (False, "give no action in the state 'end left'")],
)
def test_is_terminal_contradicting_actions_is_refused(find: Find, over: bool, words: str) -> None:
    game = type("Broken", (Fork,), {"is_terminal": lambda self, state: over})()
    with pytest.raises(BrokenRules, match=words):
        find(game)


@every_engine
def test_packed_nonterminal_state_without_actions_is_refused(find: Find) -> None:
    rungs = range(100)  # enough for arrays
    game = type("Everywhere", (Stuck,), {"initial_states": lambda self: rungs})(rungs[-1])
    with pytest.raises(BrokenRules, match="give no action in the state 99, which is not terminal"):
        find(game)


@every_engine
@pytest.mark.parametrize(
    "member",
    [
        *({"initial": item} for item in (property(failing), ["unhashable"], None)),
        *({"initial_states": lambda self, item=item: item} for item in ((), ["root", None], ["root", []])),
        {"initial_states": failing},
    ],
)
def test_invalid_initial_states_are_refused(find: Find, member: Any) -> None:
    with pytest.raises(BrokenRules, match="initial"):
        find(type("Broken", (Fork,), member)())


@pytest.mark.parametrize("state", ["root", "end left"])
@pytest.mark.parametrize("engine", ["graph", "arrays"])
def test_invalid_canonical_state_is_refused(engine: str, state: str, tmp_path: Path) -> None:
    canonical = {"canonical": lambda self, asked: None if asked == state else asked}
    options, game = SolveOptions(fold=True), type("Broken", (Fork,), canonical)()
    words = f"canonical is None, which cannot be a state, in the state '{state}'"
    with chosen(game, options, engine, tmp_path / "work") as choice, pytest.raises(BrokenRules, match=words):
        choice.solve(tmp_path / "x.db")
