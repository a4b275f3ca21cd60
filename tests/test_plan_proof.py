import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver import Database, Plan, make_plan, open_database, solve, verify_plan
from solver.errors import BrokenPlan, NoSuchPlan
from solver.game import ENDLESS
from solver.plan import longest_line, unfold
from tests.explicit import ExplicitGame, explicit_games

CIRCLE = ExplicitGame(((1,), (2, 3), (1, 3), ()), (1, 0, 0, 0), (0, 0, 0, 1))
"""From 1 and 2 the first player can end the game or go round."""


@pytest.fixture(scope="module")
def db(tictactoe_db_path: Path) -> Iterator[Database]:
    with open_database(tictactoe_db_path) as opened:
        yield opened


def plan_for(game: ExplicitGame, goal: str, value: int, moves: dict[str, str | int], owner: int = 0) -> Plan:
    return Plan(game, owner, goal, "0", value, moves, "0")


def test_a_plan_keeps_its_promise(db: Database) -> None:
    for position in [".........", *random.Random(13).sample(list(db), 150)]:
        entry = db[position]
        for owner in ("x", "o"):
            try:
                plan = make_plan(db, position, owner=owner)
            except NoSuchPlan:
                continue
            proved = verify_plan(plan)
            graph = unfold(plan)
            assert (proved.gain, proved.unused) == (plan.gain(entry.value), 0)
            assert (proved.positions, proved.plies) == (len(graph), longest_line(graph))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), st.sampled_from(["first", "second"]), st.sampled_from(list(ENDLESS)))
def test_plans_for_any_game_keep_their_promise(
    tmp_path: Path, game: ExplicitGame, owner: str, endless: str
) -> None:
    solve(game, tmp_path / "game.db", endless=endless, force=True)
    with open_database(tmp_path / "game.db") as db:
        try:
            plan = make_plan(db, owner=owner)
        except NoSuchPlan:
            return
    proved = verify_plan(plan)
    assert proved.gain == plan.gain(plan.value)
    assert proved.unused == 0
    with pytest.raises(BrokenPlan):
        verify_plan(replace(plan, value=plan.value + (1 if owner == "first" else -1)))


def test_every_missing_choice_is_found_with_the_line_of_play(db: Database) -> None:
    plan = make_plan(db)
    assert len(plan.moves) > 20
    for position in plan.moves:
        moves = {each: move for each, move in plan.moves.items() if each != position}
        with pytest.raises(BrokenPlan, match="no move for x") as caught:
            verify_plan(replace(plan, moves=moves))
        assert repr(position) in str(caught.value)
        line = str(caught.value).rpartition("after the moves ")[2]
        state = plan.game.parse(plan.root)
        for action in line.split() if position != plan.root else ():
            state = plan.game.result(state, int(action))
        assert plan.game.position(state) == position


@pytest.mark.parametrize("move", [0, 9, -1, "5", "b2", 4])
def test_an_illegal_move_is_found(db: Database, move: str | int) -> None:
    plan = make_plan(db, "xx.oo....")
    with pytest.raises(BrokenPlan, match=r"not legal in 'xx\.oo\.\.\.\.'.*legal are 2, 5, 6, 7, 8"):
        verify_plan(replace(plan, moves={"xx.oo....": move if move != 4 else 3}))


def test_a_move_that_throws_the_goal_away_is_found_with_the_line_of_play(db: Database) -> None:
    plan = make_plan(db, "xx.oo....", goal="draw")
    moves = {entry.position: entry.best_move for entry in db.entries() if entry.best_move is not None}
    moves["xx.oo...."] = 6
    with pytest.raises(BrokenPlan, match=r"promises a draw, but after the moves 6 5 the game is lost"):
        verify_plan(replace(plan, moves=moves, value=0))


def test_a_draw_is_no_win(db: Database) -> None:
    with pytest.raises(BrokenPlan, match=r"promises a win, but after the moves .* the game is a draw"):
        verify_plan(replace(make_plan(db), goal="win", value=1))


def test_a_value_that_is_claimed_too_high_is_found(db: Database) -> None:
    with pytest.raises(BrokenPlan, match="promises the value 1, but after the moves"):
        verify_plan(replace(make_plan(db), value=1))
    with pytest.raises(BrokenPlan, match="promises the value -1, but after the moves"):
        verify_plan(replace(make_plan(db, owner="o"), value=-1))


def test_a_plan_for_a_win_must_not_go_round(tmp_path: Path) -> None:
    good = plan_for(CIRCLE, "win", 1, {"1": 1, "2": 1})
    assert verify_plan(good).plies == 2
    with pytest.raises(BrokenPlan, match="for ever: after the moves 0, '1' can recur"):
        verify_plan(replace(good, moves={"1": 0, "2": 0}))


def test_a_plan_for_a_draw_may_go_round(tmp_path: Path) -> None:
    proved = verify_plan(plan_for(CIRCLE, "draw", 0, {"1": 0, "2": 0}))
    assert (proved.gain, proved.plies, proved.positions) == (0, None, 3)


def test_going_round_for_ever_is_worth_no_more_than_a_draw() -> None:
    with pytest.raises(BrokenPlan, match=r"promises the value 1, but play can go round .* '1' can recur"):
        verify_plan(plan_for(CIRCLE, "draw", 1, {"1": 0, "2": 0}))
    either = ExplicitGame(((1, 2), (0,), ()), (1, 0, 0), (0, 0, 5))
    with pytest.raises(BrokenPlan, match="play can go round for ever"):
        verify_plan(plan_for(either, "draw", 5, {"1": 0}))


@pytest.mark.parametrize(
    ("owner", "goal", "endless", "keeps"),
    [
        (0, "win", "draw", False),
        (0, "win", "first", True),
        (0, "win", "second", False),
        (0, "draw", "draw", True),
        (0, "draw", "first", True),
        (0, "draw", "second", False),
        (1, "win", "second", True),
        (1, "draw", "second", True),
        (1, "draw", "first", False),
    ],
)
def test_a_plan_may_go_round_where_endless_play_reaches_its_goal(
    owner: int, goal: str, endless: str, keeps: bool
) -> None:
    game = ExplicitGame(((1,), (0,)), (0, 1), (0, 0))
    moves: dict[str, str | int] = {str(owner): 0}
    plan = replace(plan_for(game, goal, ENDLESS[endless], moves, owner), endless=endless)
    if keeps:
        assert verify_plan(plan).gain == plan.gain(ENDLESS[endless])
        with pytest.raises(BrokenPlan, match="play can go round"):
            verify_plan(replace(plan, value=plan.gain(2)))
    else:
        with pytest.raises(BrokenPlan, match=f"the plan for a {goal} can go round for ever"):
            verify_plan(plan)


def test_choices_that_are_never_needed_are_counted(db: Database) -> None:
    plan = make_plan(db, "xx.oo....")
    assert verify_plan(replace(plan, moves={**plan.moves, "xo.......": 4, ".........": 99})).unused == 2


def test_the_least_end_is_what_a_plan_guarantees() -> None:
    game = ExplicitGame(((1, 2), (), (3,), ()), (1, 0, 0, 0), (0, 3, 0, 2))
    proved = verify_plan(plan_for(game, "win", 2, {"2": 0}))
    assert (proved.gain, proved.plies, proved.positions) == (2, 2, 4)
    with pytest.raises(BrokenPlan, match="value 3, but after the moves 1 0 the game ends with 2"):
        verify_plan(plan_for(game, "win", 3, {"2": 0}))
