import json
from dataclasses import replace
from typing import Any

import pytest

from exporters import nested_json
from solver.errors import NotLegible
from solver.plans.plan import Plan
from tests.exporters.support.small_plans import Handmade, plan


def test_two_owner_moves_in_a_row_are_nested() -> None:
    game = Handmade({"a": (1, {"x": "b"}), "b": (1, {"y": "c", "z": "b"}), "c": -1})
    assert json.loads(nested_json.render(plan(game, {"a": "x", "b": "y"}, owner=1))) == ["x", ["y", "win"]]


def test_plan_of_a_finished_game_is_its_result() -> None:
    assert nested_json.render(plan(Handmade({"a": -1}), {})) == '"loss"\n'


@pytest.mark.parametrize("owner", ["x", "o"])
def test_list_follows_the_rules_to_every_end(whole_plans: dict[str, Plan], owner: str) -> None:
    made = whole_plans[owner]
    game = made.game

    def expected(state: Any) -> Any:
        if game.is_terminal(state):
            return {1: "win", 0: "draw", -1: "loss"}[made.gain(game.utility(state))]
        after = {game.action_name(action): game.result(state, action) for action in game.actions(state)}
        if game.to_move(state) == made.owner:
            move = made.moves[game.position(state)]
            return [move, expected(after[move])]
        return [["if", game.position(child), "then", expected(child)] for child in after.values()]

    assert json.loads(nested_json.render(made)) == expected(game.initial)


def test_game_of_5000_plies_is_written() -> None:
    plies = 5000
    rules = {f"p{ply}": (ply % 2, {"on": f"p{ply + 1}"}) for ply in range(plies)}
    written = nested_json.render(plan(Handmade({**rules, f"p{plies}": 1}), dict.fromkeys(rules, "on")))
    opened = "".join(f'["on", [["if", "p{ply}", "then", ' for ply in range(2, plies + 1, 2))
    assert written == opened + '"win"' + "]]]" * (plies // 2) + "\n"


def ladder(plies: int) -> Handmade:
    """A game of two replies a ply that meet again two plies later: few positions, 2**n lines of play."""
    rules: dict[str, int | tuple[int, dict[str, str]]] = {}
    for ply in range(plies):
        rules[f"a{ply}"] = (1, {"l": f"l{ply}", "r": f"r{ply}"})
        rules |= {f"{side}{ply}": (0, {"on": f"a{ply + 1}"}) for side in "lr"}
    return Handmade({**rules, f"a{plies}": 1})


def test_too_long_list_is_refused_before_writing() -> None:
    moves = {f"{side}{ply}": "on" for side in "lr" for ply in range(60)}
    # 2**0 + ... + 2**59 positions of one player, twice as many of the other, and 2**60 ends
    with pytest.raises(NotLegible, match=f"{4 * 2**60 - 3:,} positions.*--format json"):
        nested_json.render(plan(ladder(60), moves))
    assert nested_json.render(plan(ladder(3), moves)).count('"win"') == 8


def test_looping_and_folded_plans_are_refused() -> None:
    circle = plan(Handmade({"a": (0, {"m": "b"}), "b": (1, {"back": "a", "out": "c"}), "c": 0}), {"a": "m"})
    for made, why in ((circle, "circles"), (replace(circle, folded=True), "symmetric")):
        with pytest.raises(NotLegible, match=f"{why}.*--format json"):
            nested_json.render(made)
