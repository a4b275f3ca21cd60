"""Grades, against SQL over the database and against play.

Those of random rules are in `tests/whole/test_random_games.py`.
"""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from solver.analysis.against_opponents import against_trembling, worst_case
from solver.analysis.grade import Grade, grade, sampled
from solver.analysis.grade_report import as_dict, in_words
from solver.database import Database
from solver.errors import Unsolved
from solver.game import ENDLESS
from solver.plans.selection import make_plan
from solver.players import Truth, make_player
from tests.players.test_match import By
from tests.support.definitions import one_player_value
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.solved import solved, solving


def graded(db: Database, name: str, **options: Any) -> Grade:
    with Truth(db.game, db) as truth:
        return grade(db, name, make_player(name, truth), **options)


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("minimax", 20),
        ("alpha-beta", 60),
        ("perfect", 500),
        pytest.param("minimax", 4520, marks=pytest.mark.slow),
        pytest.param("alpha-beta", 4520, marks=pytest.mark.slow),
    ],
)
def test_complete_searches_never_lose_value(name: str, states: int, db: Database) -> None:
    actual = graded(db, name, sample=states)
    assert (actual.total.states, actual.total.choices, actual.total.keeps_value) == (states, states, states)
    assert name != "perfect" or actual.total.best == states
    assert actual.blunders == {"win-draw": 0, "win-loss": 0, "draw-loss": 0}
    assert actual.worst == []


KEEPING = """
    select avg(p) from (
        select avg(moves.outcome = positions.outcome) as p
        from moves join positions on positions.id = position_id group by position_id
    )
"""
"""How often random play keeps the value."""


def test_repeated_choices_in_a_position_do_not_narrow_the_interval(db: Database) -> None:
    """A player with a fixed chance to err in each position, asked again and again in few of them."""
    missed, ((known,),) = 0, db.tuples(KEEPING)
    for seed in range(20):
        actual = graded(db, "random", sample=30, repeat=20, seed=seed)
        interval = actual.interval(actual.total.keeps_value, actual.total)
        assert interval is not None
        missed += not interval[0] <= known <= interval[1]
    assert missed <= 2


def test_seed_determines_grade_and_sample(db: Database) -> None:
    assert graded(db, "random", sample=200, seed=1) == graded(db, "random", sample=200, seed=1)
    assert graded(db, "random", sample=200, seed=1) != graded(db, "random", sample=200, seed=2)


def test_sample_has_distinct_undecided_positions(db: Database) -> None:
    drawn = sampled(db, 500, seed=4)
    assert len(set(drawn)) == 500
    assert not any(db[position].is_terminal for position in drawn)
    assert sampled(db, 10_000, seed=4) == sampled(db, None, seed=0)


def test_both_layouts_draw_the_same_sample(db: Database) -> None:
    with solved("tictactoe", layout="packed") as packed:
        assert sampled(packed, 20, seed=3) == sampled(db, 20, seed=3)


def test_worst_blunders_come_first_and_once(db: Database) -> None:
    actual = graded(db, "random", repeat=2)
    assert len(actual.worst) == len({(item.entry.position, item.move) for item in actual.worst}) == 10
    assert {item.blunder for item in actual.worst} == {"win-loss"}
    for item in actual.worst:
        assert item.move is not None
        entry = db[item.entry.position]
        assert entry.remoteness == 1
        assert {move.outcome for move in entry.moves if move.move == item.move} == {"loss"}
    drawn = replace(actual.worst[0], blunder="draw-loss")
    *_, row = in_words(replace(actual, worst=[drawn])).splitlines()
    assert row.split() == ["draw", "to", "loss", drawn.entry.position, str(drawn.move)]


def test_both_layouts_have_the_same_worst_blunders() -> None:
    with solved("kayles", layout="readable") as readable, solved("kayles", layout="packed") as packed:
        one, other = (as_dict(graded(db, "depth-limited(depth=1)"))["worst"] for db in (readable, packed))
    assert one == other != []


def test_failing_player_loses_in_every_position(db: Database) -> None:
    actual = grade(db, "bad", By(lambda state: 1 / 0))
    query = "select count(*) from positions where outcome = ? and not is_terminal"
    won, drawn = (db.tuples(query, name)[0][0] for name in ("win", "draw"))
    assert actual.failures == 4520
    assert actual.blunders == {"win-draw": 0, "win-loss": won, "draw-loss": drawn}
    assert (actual.total.best, actual.total.keeps_value) == (0, 0)
    assert actual.against is not None
    assert [(item.utility, item.ends) for item in actual.against] == [(-1, True), (1, True)]
    assert "ZeroDivisionError" in str(actual.against[0].failure)
    assert "failures    4,520" in in_words(actual)


def test_plan_is_graded_where_it_has_moves(db: Database, tmp_path: Path) -> None:
    from exporters.plan_json import render

    path, made = tmp_path / "plan.json", make_plan(db)
    path.write_text(render(made))
    actual = graded(db, f"plan({path})")
    assert actual.total.states == len(made.moves) == actual.total.best
    assert actual.silent == 4520 - len(made.moves)
    assert actual.against is not None
    assert actual.against[0].utility == 0
    assert actual.against[1].failure is not None


@given(explicit_games(), st.integers(0, 1), st.sampled_from(list(ENDLESS)))
def test_worst_case_equals_brute_force_with_loops(game: ExplicitGame, side: int, endless: str) -> None:
    worst = worst_case(game, "first", By(lambda state: 0), side, "0", endless)
    assert worst.utility == one_player_value(game, side, ENDLESS[endless])
    state = 0
    for move in worst.line:
        assert game.movers[state] != side or int(move) == 0
        state = game.result(state, int(move))
    assert worst.ends == (not game.children[state])


def test_loops_and_large_games_have_no_expectation(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ExplicitGame(((1, 2), (0, 3), (), ()), (0, 1, 0, 0), (0, 0, 1, -1), (0,))
    with solving(game) as loop:
        assert grade(loop, "first", By(lambda state: 0)).trembling is None
    monkeypatch.setattr("solver.analysis.against_opponents.MAX_MET", 0)
    assert graded(db, "perfect", sample=60).trembling is None
    assert graded(db, "random", sample=1).trembling is None


def test_limit_counts_each_reachable_position_once(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    arising, player = [db.start], db[db.start].to_move
    for text in arising:  # which grows
        after = [move.position for move in db[text].moves]
        chosen = after[:1] if db[text].to_move == player else after
        arising += [position for position in chosen if position not in arising]
    for most, is_known in ((len(arising), True), (len(arising) - 1, False)):
        monkeypatch.setattr("solver.analysis.against_opponents.MAX_MET", most - 1)
        with nullcontext() if is_known else pytest.raises(Unsolved):
            against_trembling(db, [db.start], lambda text: db[text].moves[0].position)


def test_sample_of_all_positions_is_exact() -> None:
    with solved("nim") as nim:
        whole, drawn, part = (as_dict(graded(nim, "perfect", sample=size)) for size in (None, 10**6, 9))
    assert whole == drawn
    assert (drawn["best_interval"], drawn["keeps_value_interval"]) == (None, None)
    assert part["best_interval"] is not None


@pytest.mark.parametrize(("starts", "begin"), [((0,), ""), ((0, 1), ", from the first of 2 starts")])
def test_worst_case_says_from_which_of_several_starts(starts: tuple[int, ...], begin: str) -> None:
    with solving(ExplicitGame(((2,), (3,), (), ()), (0, 0, 1, 1), (0, 0, 1, -1), starts)) as db:
        words = in_words(graded(db, "minimax"))
    assert f"\nat worst    as first{begin}: win in 1 ply: 0\n" in words
