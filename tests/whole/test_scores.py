"""Games with margins, from the database to the plan."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from exporters.diagram import dot
from exporters.plan_json import render
from exporters.svg.position import render as position_as_svg
from solver import Database, load_game, make_plan, open_database, read_plan, verify_plan
from solver.database.wording import describe
from solver.errors import BadPlan, BrokenPlan, NoSuchPlan
from solver.plans.plan import unfold
from solver.plans.reader import plan_from_json
from solver.plans.wording import plan_title
from solver.players import Truth
from tests.support.commandline import call
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.solved import solved_file, solving

CHILDREN = ((1, 2, 3), (), (4,), (5,), (6, 7), (), (), ())
MARGINS = ExplicitGame(CHILDREN, (0, 1, 0, 1, 1, 0, 0, 0), (0, 1, 0, 0, 0, -2, 3, 4))
"""The first player wins by 1 at once or by 3 in 3 plies, or loses by 2."""


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    with solving(MARGINS) as opened:
        yield opened


@pytest.fixture(scope="module")
def path(db: Database) -> Path:
    return db.path


def test_query_and_stats_state_the_margin(path: Path) -> None:
    printed = call("query", path).stdout
    assert "first to move: win by 3 in 3 plies\n" in printed
    assert printed.splitlines()[-3:] == [
        "1 *   win by 3 in 3 plies   2",
        "0     win by 1 in 1 ply     1",
        "2     loss by 2 in 2 plies  3",
    ]
    assert " has won by 3" in call("query", path, "6").stdout
    assert "0  first to move: win by 3 in 3 plies" in call("stats", path).stdout


def test_query_json_has_move_values_only_in_scored_games(path: Path, tictactoe_db_path: Path) -> None:
    moves = json.loads(call("query", path, "--json").stdout)["moves"]
    assert [(move["move"], move["value"]) for move in moves] == [(1, 3), (0, 1), (2, -2)]
    plain = json.loads(call("query", tictactoe_db_path, "--json").stdout)["moves"]
    assert {"value" in move for move in plain} == {False}


@pytest.mark.parametrize(
    ("owner", "goal", "words"),
    [
        ("first", 4, "force +4 from '0': the most is a win by 3; ask for --goal 3"),
        ("second", -2, "force -2 from '0': first wins there against any play; ask for --for first"),
        ("second", None, "or --goal -3 to lose by no more"),
        ("second", "draw", "force a draw"),
    ],
)
def test_unattainable_goals_are_refused(db: Database, owner: str, goal: str | int | None, words: str) -> None:
    with pytest.raises(NoSuchPlan, match=rf"{owner} cannot .*{re.escape(words)}"):
        make_plan(db, owner=owner, goal=goal)


class TwoWordPlayer(ExplicitGame):
    players = ("white & co", "black")


def test_advice_quotes_player_names_for_the_shell() -> None:
    with solving(TwoWordPlayer(((1,), ()), (0, 0), (0, 1))) as db, pytest.raises(NoSuchPlan) as refused:
        make_plan(db, owner="black")
    assert "white & co wins there against any play; ask for --for 'white & co'" in str(refused.value)


def test_plan_command_accepts_margins_as_goals(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    promise = "first wins by at least 3 in at most 3 plies"
    assert call("plan", path, "--goal", "2", "-o", file).stderr == f"{file}: {promise}; 5 positions\n"
    assert promise in call("verify", file).stdout
    assert call("plan", path, "--for", "second", "--goal", "-3", "-o", file).exit_code == 0
    assert "second loses by at most 3; wins by up to 2 in" in call("verify", file).stdout
    assert call("plan", path, "--goal", "4").exit_code == 1
    assert call("plan", path, "--goal", "lots").exit_code == 2


def test_verify_plan_refuses_a_plan_below_its_margin(db: Database) -> None:
    falls_short = plan_from_json({**json.loads(render(make_plan(db))), "goal": 4})
    says = r"promises \+4 or better, but after the moves .* won by no more than 3"
    with pytest.raises(BrokenPlan, match=says):
        verify_plan(falls_short)


NARROW = "-../..../... +0 second"
"""A position of dots and boxes on 1 x 3 from which each best line ends by 1, as that of each move."""


@pytest.fixture(scope="module")
def boxes() -> Path:
    return solved_file("dots-and-boxes", {"rows": 1, "columns": 3})


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", ["boxes", "path", "tictactoe_db_path"])
def test_position_svg_matches_the_text(file: str, every: int, request: pytest.FixtureRequest) -> None:
    with open_database(request.getfixturevalue(file)) as db:
        for entry in (db[text] for text in [*db][::every]):
            drawn = ElementTree.fromstring(position_as_svg(db.game, entry))
            title, description = (drawn.findtext(f"{{*}}{item}") or "" for item in ("title", "desc"))
            board, _, table = describe(db, entry).partition("\n\nmove  ")
            standing = board.partition("\nbest move")[0].splitlines()[-1]
            assert title.endswith(f", {entry.position}: {standing}")
            rows = [re.split("  +", row) for row in table.splitlines()[1:]]
            said = [f"{move.split()[0]}: {result}{', best' * ('*' in move)}" for move, result, _ in rows]
            assert description == ("; ".join(said) or "There are no moves.")


def test_query_svg_states_the_margin(boxes: Path, tmp_path: Path) -> None:
    words = "second to move: win by 1 in 9 plies"
    file = tmp_path / "p.svg"
    assert words in call("query", boxes, "--", NARROW).stdout
    assert call("query", "-o", file, boxes, "--", NARROW).stderr == f"{file}: {words}\n"
    drawn = file.read_text()
    assert f"{NARROW}: {words}</title>" in drawn
    assert "<title>1: win by 1 in 9 plies</title>" in drawn


@pytest.mark.parametrize(
    ("owner", "goals", "promise"),
    [
        ("second", ("win", 1, "draw"), "second wins by at least 1 in at most 9 plies"),
        ("first", (-1,), "first loses by at most 1"),
    ],
)
def test_plans_for_both_players_state_the_margin(
    boxes: Path, tmp_path: Path, owner: str, goals: tuple[str | int, ...], promise: str
) -> None:
    file, page = tmp_path / "plan.json", tmp_path / "plan.html"
    for made, goal in (*((file, goal) for goal in goals), (page, goals[0])):
        done = call("plan", "--for", owner, "--goal", goal, "-o", made, boxes, "--", NARROW)
        assert done.stderr.startswith(f"{made}: {promise}; ")
    assert f"{promise}." in page.read_text()
    assert '"scored":true' in page.read_text().replace(" ", "")
    assert f" {promise}" in call("verify", file).stdout
    plan = read_plan(file)
    assert (plan.scored, plan.margin) == (True, 1)
    assert " by 1<" in dot.render(plan)


def test_plan_records_whether_the_game_is_scored(db: Database, tictactoe: Database) -> None:
    narrow = make_plan(db, "1", owner="first", goal="win")
    assert plan_title(narrow, unfold(narrow)).endswith("first wins by at least 1")
    written = json.loads(render(narrow))
    assert written["scored"] is True
    assert plan_from_json(written) == narrow
    del written["scored"]  # as earlier versions wrote it
    assert not plan_from_json(written).scored
    margin = make_plan(tictactoe, "xo.ox....", goal=1)
    assert "x wins in at most" in plan_title(margin, unfold(margin))
    assert plan_from_json(json.loads(render(margin))) == margin
    assert "scored" not in json.loads(render(make_plan(tictactoe, "xo.ox....")))


@pytest.mark.parametrize("says", [1, "true", None])
def test_plan_with_non_boolean_scored_is_refused(db: Database, says: Any) -> None:
    made = json.loads(render(make_plan(db)))
    with pytest.raises(BadPlan, match="'scored' should be true or false"):
        plan_from_json({**made, "scored": says})


def test_play_states_the_margin(boxes: Path) -> None:
    game = load_game("dots-and-boxes", {"rows": 1, "columns": 3})
    with open_database(boxes) as db, Truth(game, db) as truth:
        assert truth.margin(-1) == 1
    with Truth(game) as unknown:
        assert (unknown.margin(-1), unknown.margin(-2)) == (None, 2)
    played = call("play", boxes, "--as", "first", input="hint\nwhy\nquit\n").stdout
    assert " by " in played.split("hint: ")[1].splitlines()[0]
    assert "0 *   loss by 1 in 10 plies" in played.split("leads to")[1]
