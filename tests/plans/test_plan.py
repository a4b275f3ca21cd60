import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import strategies as st

from exporters.plan_json import render
from solver import Database, make_plan, read_plan, verify_plan
from solver.errors import ForeignFile, MissingFile, NoSuchPlan, UnknownPlayer, UnknownPosition
from solver.game import ENDLESS
from solver.games.mnk import MNK
from solver.plans.plan import GOALS, Goal, least_gain, longest_line, unfold
from solver.plans.reader import plan_from_json
from solver.rules.asking import representative
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.long import LongGame
from tests.support.solved import solving


def test_default_plan_is_for_the_mover_and_the_best_goal(tictactoe: Database) -> None:
    assert (make_plan(tictactoe).goal, make_plan(tictactoe).owner_name) == ("draw", "x")
    assert make_plan(tictactoe, "x........").owner_name == "o"
    win = make_plan(tictactoe, "xo.ox....")
    assert (win.goal, win.value, dict(win.moves)) == ("win", 1, {"xo.ox....": 8})
    lost = next(entry for entry in tictactoe.entries() if entry.outcome == "loss" and not entry.is_terminal)
    with pytest.raises(NoSuchPlan, match=r"o cannot force a draw .* x wins there"):
        make_plan(tictactoe, lost.position)


def test_unknown_owners_and_positions_are_refused(tictactoe: Database) -> None:
    with pytest.raises(UnknownPlayer, match="x, o, first, second"):
        make_plan(tictactoe, owner="z")
    with pytest.raises(UnknownPosition):
        make_plan(tictactoe, "xxx...... o")
    assert make_plan(tictactoe, owner="FIRST").owner == make_plan(tictactoe, owner="X").owner == 0


def test_plan_of_a_terminal_position_has_no_moves(tictactoe: Database) -> None:
    plan = make_plan(tictactoe, "xxxoo....", owner="x")
    assert (dict(plan.moves), plan.goal, longest_line(unfold(plan))) == ({}, "win", 0)


@drawn(
    55,
    500,
    game=explicit_games(),
    owner=st.sampled_from(["first", "second"]),
    goal=st.one_of(st.sampled_from(list(GOALS)), st.integers(-4, 4)),
    endless=st.sampled_from(list(ENDLESS)),
)
def test_plan_exists_exactly_when_its_goal_can_be_forced(
    game: ExplicitGame, owner: str, goal: Goal, endless: str
) -> None:
    with solving(game, endless=endless) as db:
        gain = db["0"].value * (1 if owner == "first" else -1)
        if gain < least_gain(goal):
            with pytest.raises(NoSuchPlan, match="cannot force"):
                make_plan(db, owner=owner, goal=goal)
            return
        plan = make_plan(db, owner=owner, goal=goal)
        graph = unfold(plan)
        assert (plan.goal, plan.value) == (goal, db["0"].value)
        assert graph.nodes["0"]["gain"] == verify_plan(plan).gain == gain
        assert plan_from_json(json.loads(render(plan))) == plan
        if gain > plan.endless_gain:
            longest, remoteness = longest_line(graph) or 0, db["0"].remoteness or 0
            assert longest >= remoteness  # a reply that loses more may last longer
            assert longest == remoteness or plan.scored


@pytest.mark.parametrize(("endless", "goal"), [("draw", "draw"), ("second", "win")])
def test_plan_stores_the_value_of_endless_play(tmp_path: Path, endless: str, goal: str) -> None:
    """The second player may wait for ever or let the first player win."""
    game = ExplicitGame(((0, 1), (2, 3), (), ()), (1, 0, 0, 0), (0, 0, 1, -1))
    with solving(game, endless=endless) as db:
        plan = make_plan(db)
    assert (plan.goal, plan.endless) == (goal, endless)
    assert json.loads(render(plan)).get("endless") == (None if endless == "draw" else endless)
    (tmp_path / "plan.json").write_text(render(plan))
    assert read_plan(tmp_path / "plan.json") == plan


def test_deep_plan_is_made_and_written() -> None:
    with solving(LongGame(1500)) as db:
        plan = make_plan(db)
    assert (longest_line(unfold(plan)), len(json.loads(render(plan))["states"])) == (1500, 750)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"{}", b"5", b"null", b"\xff\xfe", b"[" * 100_000, b"9" * 5000, b'{"schema": 1}'],
)
def test_invalid_plan_files_are_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(MissingFile):
        read_plan(tmp_path / "plan.json")
    (tmp_path / "plan.json").write_bytes(text)
    with pytest.raises(ForeignFile):
        read_plan(tmp_path / "plan.json")


def test_folded_plan_folds_each_state_once(tictactoe: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Counter[int]()

    def counting(game: MNK, state: int) -> int:
        asked[state] += 1
        return int(representative(game, state))

    monkeypatch.setattr("solver.plans.selection.and_or_graph.representative", counting)
    make_plan(tictactoe, fold=True)
    assert asked
    assert set(asked.values()) == {1}
