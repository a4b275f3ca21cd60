import pytest

from solver import Database, load_game, make_plan
from solver.plans.plan import Plan, unfold
from solver.plans.wording import plan_guarantee, plan_title
from tests.exporters.support.small_plans import Handmade, fork, plan


@pytest.mark.parametrize(
    ("position", "owner", "expected"),
    [
        ("xo.ox....", "x", "x wins in at most 1 ply"),
        ("x..o.....", "x", "x wins in at most 5 plies"),
        ("xox.o....", "x", "x never loses"),
        (".........", "o", "o never loses"),
        ("xxxoo....", "x", "x wins"),
    ],
)
def test_guarantee_matches_the_database(
    tictactoe: Database, position: str, owner: str, expected: str
) -> None:
    made = make_plan(tictactoe, position, owner=owner)
    assert plan_guarantee(made, unfold(made)) == expected
    where = "" if position == "........." else f" from {position}"  # where play begins
    assert plan_title(made, unfold(made)) == f"Plan for {owner} in Tic-tac-toe{where}: {expected}"


def test_guarantee_of_losing_plan_says_owner_may_lose() -> None:
    made = plan(Handmade({"a": (1, {"l": "b", "r": "c"}), "b": 1, "c": -1}), {}, goal="win")
    assert plan_guarantee(made, unfold(made)) == "first may lose"


def test_title_reflects_parameters() -> None:
    game = load_game("mnk", {"rows": 2, "columns": 3, "k": 2})
    made = Plan(game, 0, "win", "xxo...", 1, {}, "......")
    assert plan_title(made, unfold(made)) == "Plan for x in 2 in a row on 2 x 3 from xxo...: x wins"
    misere = Plan(load_game("tictactoe", {"misere": True}), 1, "win", "xxxoo....", 1, {}, ".........")
    assert plan_title(misere, unfold(misere)) == "Plan for o in Tic-tac-toe, misère from xxxoo....: o wins"
    assert plan_title(fork(2), unfold(fork(2))).startswith("Plan for first in Handmade: ")
