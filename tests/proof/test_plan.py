from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from solver import Database, Plan, make_plan, open_database, solve, verify_plan
from solver.errors import BrokenPlan, NoSuchPlan
from solver.game import ENDLESS
from solver.plans.plan import longest_line, unfold
from solver.proof.plan.guarantee import promise
from tests.exporters.support.small_plans import Handmade
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.solved import solving

CIRCLE = ExplicitGame(((1,), (2, 3), (1, 3), ()), (1, 0, 0, 0), (0, 0, 0, 1))
"""From 1 and 2 the first player can end the game or go round."""


def plan_for(game: ExplicitGame, goal: str, value: int, moves: dict[str, str | int], owner: int = 0) -> Plan:
    return Plan(game, owner, goal, "0", value, moves, "0")


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
    proved, graph = verify_plan(plan), unfold(plan)
    assert (proved.gain, proved.unused) == (plan.gain(plan.value), 0)
    assert (proved.positions, proved.plies) == (len(graph), longest_line(graph))
    with pytest.raises(BrokenPlan):
        verify_plan(replace(plan, value=plan.value + (1 if owner == "first" else -1)))


def test_every_missing_choice_is_found_with_the_line_of_play(db: Database) -> None:
    plan = make_plan(db)
    assert len(plan.moves) > 20
    for position in plan.moves:
        moves = {item: move for item, move in plan.moves.items() if item != position}
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


def lines_of(plan: Plan) -> list[tuple[int, int, int | None]]:
    """For each line of play its plies, the gain at its end, and at which ply the other erred, one by one.

    An error is a reply after which every line ends with a win, where before there was one that does not.
    """
    game, actual = plan.game, []

    def wins(state: Any) -> bool:
        children = followed(state)
        return all(map(wins, children)) if children else plan.gain(game.utility(state)) > 0

    def followed(state: Any) -> list[Any]:
        actions = game.actions(state)
        if actions and game.to_move(state) == plan.owner:
            actions = [item for item in actions if game.action_name(item) == plan.moves[game.position(state)]]
        return [game.result(state, action) for action in actions]

    todo: list[tuple[Any, int, int | None]] = [(game.parse(plan.root), 0, None)]
    while todo:
        state, plies, erred = todo.pop()
        children = followed(state)
        if not children:
            actual.append((plies, plan.gain(game.utility(state)), erred))
        open_yet = erred is None and not wins(state)
        todo += [(child, plies + 1, plies + 1 if open_yet and wins(child) else erred) for child in children]
    return actual


@pytest.mark.parametrize(
    ("position", "owner"), [("x...o....", "x"), ("xo......x", "o"), ("..x.o...x", "o"), ("x........", "x")]
)
def test_what_errors_of_the_other_are_good_for_is_what_the_lines_say(
    db: Database, position: str, owner: str
) -> None:
    plan = make_plan(db, position, owner=owner)
    proved, lines = verify_plan(plan), lines_of(plan)
    won = [(plies, erred) for plies, gain, erred in lines if gain > 0]
    assert proved.plies == max(plies for plies, _, _ in lines)
    assert proved.best == max(gain for _, gain, _ in lines)
    assert proved.soonest == min((plies for plies, _ in won), default=None)
    assert proved.latest == max((plies for plies, _ in won), default=None)
    assert proved.after_error == max((plies - erred for plies, erred in won if erred), default=None)
    graph = unfold(plan)
    ends = [node["gain"] for _, node in graph.nodes.items() if node["kind"] == "end"]
    assert proved.ends == {gain: ends.count(gain) for gain in sorted({*ends}, reverse=True)}
    replies = [
        graph.nodes[child]["gain"] > 0
        for node, child, moves in graph.edges.data("moves")
        for _ in moves
        if graph.nodes[node]["kind"] == "and" and graph.nodes[node]["gain"] <= 0
    ]
    assert (proved.replies, proved.errors) == (len(replies), sum(replies))


def test_a_win_by_errors_has_no_bound_where_play_can_go_round_before() -> None:
    game = ExplicitGame(((1,), (0, 2), (3,), (4,), ()), (0, 1, 0, 1, 0), (0, 0, 0, 0, 1))
    proved = verify_plan(plan_for(game, "draw", 0, {"0": 0, "2": 0}))
    assert (proved.gain, proved.best, proved.plies) == (0, 1, None)
    assert (proved.soonest, proved.latest, proved.after_error) == (4, None, 2)
    assert (proved.errors, proved.replies, proved.ends) == (1, 2, {1: 1})


def test_endless_play_may_be_the_best_that_errors_bring() -> None:
    game = ExplicitGame(((1, 3), (2,), (1,), ()), (1, 0, 1, 0), (0, 0, 0, 0))
    plan = replace(plan_for(game, "draw", 0, {"1": 0}), endless="first")
    proved = verify_plan(plan)
    assert (proved.gain, proved.best, proved.plies, proved.ends) == (0, 1, None, {0: 1})
    assert (proved.soonest, proved.latest, proved.after_error, proved.errors) == (None, None, None, 1)


def test_lines_are_told_in_one_line_whatever_moves_are_called() -> None:
    game = Handmade({"a": (1, {"\n\u202e": "b"}), "b": (0, {"\r": "c"}), "c": -1})
    plan = Plan(game, 0, "draw", "a", 0, {}, "a")
    with pytest.raises(BrokenPlan, match="no move for first in 'b', after the moves") as caught:
        verify_plan(plan)
    assert str(caught.value).isprintable()
    with pytest.raises(BrokenPlan, match="not legal") as caught:
        verify_plan(replace(plan, moves={"b": "\u202e"}))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("children", "says"),
    [
        (((1, 2, 3), (), (), (3,)), "wins if second errs (2 of 3 replies lose)"),
        (((1, 0), ()), "wins if second goes on for ever"),
    ],
)
def test_no_number_of_plies_is_promised_where_the_error_may_be_to_go_on_for_ever(
    children: tuple[tuple[int, ...], ...], says: str
) -> None:
    size = len(children)
    game = ExplicitGame(children, (1,) * size, tuple(int(state == 2) for state in range(size)))
    with solving(game, endless="first") as db:
        plan = make_plan(db, owner="first")
    assert promise(plan, verify_plan(plan)) == f"first never loses; {says}"
