"""Games in which it matters by how much one wins, from the database to the plan."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exporters.diagram import dot
from exporters.plan_json import render
from solver import Database, make_plan, open_database, read_plan, solve, verify_plan
from solver.cli import main
from solver.errors import BrokenPlan, NoSuchPlan
from solver.game import ENDLESS
from solver.plans.reader import plan_from_json
from tests.support.games.explicit_graph import ExplicitGame, explicit_games

MARGINS = ExplicitGame(
    ((1, 2, 3), (), (4,), (5,), (6, 7), (), (), ()), (0, 1, 0, 1, 1, 0, 0, 0), (0, 1, 0, 0, 0, -2, 3, 4)
)
"""The first player wins by 1 at once or by 3 in 3 plies, or loses by 2."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scores") / "margins.db"
    solve(MARGINS, path)
    return path


@pytest.fixture(scope="module")
def db(path: Path) -> Iterator[Database]:
    with open_database(path) as opened:
        yield opened


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_the_margin_is_said_wherever_there_is_one(path: Path) -> None:
    found = call("query", path).stdout
    assert "first to move: win by 3 in 3 plies\n" in found
    assert found.splitlines()[-3:] == [
        "1 *   win by 3 in 3 plies   2",
        "0     win by 1 in 1 ply     1",
        "2     loss by 2 in 2 plies  3",
    ]
    assert "who would be to move, has won by 3" in call("query", path, "6").stdout
    assert "0  first to move: win by 3 in 3 plies" in call("stats", path).stdout


def test_the_values_of_moves_are_in_json_where_outcomes_do_not_tell_them(
    path: Path, tictactoe_db_path: Path
) -> None:
    moves = json.loads(call("query", path, "--json").stdout)["moves"]
    assert [(move["move"], move["value"]) for move in moves] == [(1, 3), (0, 1), (2, -2)]
    plain = json.loads(call("query", tictactoe_db_path, "--json").stdout)["moves"]
    assert {"value" in move for move in plain} == {False}


@pytest.mark.parametrize(
    ("owner", "goal", "value"),
    [("first", 3, 3), ("first", 2, 3), ("first", "win", 3), ("first", -5, 3), ("second", -3, 3)],
)
def test_a_goal_may_be_a_margin(
    db: Database, tmp_path: Path, owner: str, goal: str | int, value: int
) -> None:
    plan = make_plan(db, owner=owner, goal=goal)
    assert (plan.goal, plan.value, verify_plan(plan).gain) == (goal, value, plan.gain(value))
    (tmp_path / "plan.json").write_text(render(plan))
    assert read_plan(tmp_path / "plan.json") == plan


@pytest.mark.parametrize(
    ("owner", "goal", "words"),
    [
        ("first", 4, "first cannot force +4 from '0': the most is a win by 3; ask for --goal 3"),
        (
            "second",
            -2,
            "second cannot force -2 from '0': first wins there against any play; ask for --for first",
        ),
        ("second", None, "or --goal -3 to lose by no more"),
        ("second", "draw", "second cannot force a draw"),
    ],
)
def test_a_margin_that_is_too_large_is_refused_with_the_largest(
    db: Database, owner: str, goal: str | int | None, words: str
) -> None:
    with pytest.raises(NoSuchPlan) as caught:
        make_plan(db, owner=owner, goal=goal)
    assert words in str(caught.value)


def test_the_command_line_takes_margins(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    assert call("plan", path, "--goal", "2", "-o", file).stderr == (
        f"{file}: first wins by at least 3 in at most 3 plies; 5 positions\n"
    )
    assert "first wins by at least 3 in at most 3 plies" in call("verify", file).stdout
    assert call("plan", path, "--for", "second", "--goal", "-3", "-o", file).exit_code == 0
    assert "second loses by at most 3; wins by up to 2 in" in call("verify", file).stdout
    assert call("plan", path, "--goal", "4").exit_code == 1
    assert call("plan", path, "--goal", "lots").exit_code == 2


@pytest.mark.parametrize(("goal", "promise"), [(4, r"\+4 or better"), (5, r"\+5 or better")])
def test_a_plan_that_falls_short_of_its_margin_is_broken(db: Database, goal: int, promise: str) -> None:
    made = json.loads(render(make_plan(db)))
    with pytest.raises(BrokenPlan, match=f"promises {promise}, but after the moves .* won by no more than 3"):
        verify_plan(plan_from_json({**made, "goal": goal}))


def test_pictures_say_the_margin(db: Database) -> None:
    drawn = dot.render(make_plan(db))
    assert "first wins by 3<" in drawn
    assert ">win by 3<" in drawn


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    explicit_games(), st.sampled_from(["first", "second"]), st.integers(-4, 4), st.sampled_from(list(ENDLESS))
)
def test_there_is_a_plan_for_a_margin_exactly_when_it_can_be_forced(
    tmp_path: Path, game: ExplicitGame, owner: str, goal: int, endless: str
) -> None:
    solve(game, tmp_path / "game.db", endless=endless, force=True)
    with open_database(tmp_path / "game.db") as db:
        gain = db["0"].value if owner == "first" else -db["0"].value
        if gain >= goal:
            plan = make_plan(db, owner=owner, goal=goal)
            assert verify_plan(plan).gain == gain
            assert plan_from_json(json.loads(render(plan))) == plan
        else:
            with pytest.raises(NoSuchPlan, match="cannot force"):
                make_plan(db, owner=owner, goal=goal)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), st.sampled_from(list(ENDLESS)))
def test_a_best_move_is_always_ranked_first(tmp_path: Path, game: ExplicitGame, endless: str) -> None:
    solve(game, tmp_path / "game.db", endless=endless, force=True)
    with open_database(tmp_path / "game.db") as db:
        for entry in db.entries():
            assert [move.best for move in entry.moves] == sorted(
                (move.best for move in entry.moves_by_action), reverse=True
            )
