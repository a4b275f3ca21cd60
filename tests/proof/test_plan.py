import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from solver import Database, Plan, make_plan, verify_plan
from solver.errors import BrokenPlan, NoSuchPlan
from solver.game import ENDLESS
from solver.plans.plan import GOALS, least_gain, longest_line, unfold
from solver.proof.plan.guarantee import Guarantee, promise
from tests.exporters.support.small_plans import Handmade
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.solved import solving


@settings(max_examples=60)
@given(explicit_games(), st.sampled_from(["first", "second"]), st.sampled_from(list(ENDLESS)))
def test_verify_plan_accepts_made_plans(game: ExplicitGame, owner: str, endless: str) -> None:
    with solving(game, endless=endless) as db:
        try:
            plan = make_plan(db, owner=owner)
        except NoSuchPlan:
            return
    proved, graph = verify_plan(plan), unfold(plan)
    assert (proved.gain, proved.unused) == (plan.gain(plan.value), 0)
    assert (proved.positions, proved.plies) == (len(graph), longest_line(graph))
    with pytest.raises(BrokenPlan):
        verify_plan(replace(plan, value=plan.value + (1 if owner == "first" else -1)))


def test_verify_plan_reports_missing_move_with_its_line(db: Database) -> None:
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


@pytest.mark.parametrize("move", [0, 9, -1, "5", "b2", 3])
def test_verify_plan_reports_illegal_move(db: Database, move: str | int) -> None:
    plan = make_plan(db, "xx.oo....")
    with pytest.raises(BrokenPlan, match=r"not legal in 'xx\.oo\.\.\.\.'.*legal are 2, 5, 6, 7, 8"):
        verify_plan(replace(plan, moves={"xx.oo....": move}))


@settings(max_examples=200)
@given(
    explicit_games(),
    st.integers(0, 1),
    st.sampled_from([*GOALS, -2]),
    st.integers(-3, 3),
    st.sampled_from(list(ENDLESS)),
    st.data(),
)
def test_verify_plan_matches_brute_force_for_any_moves(
    game: ExplicitGame, owner: int, goal: str | int, value: int, endless: str, data: st.DataObject
) -> None:
    """They are followed for so many plies that whoever has not come to an end goes round for ever."""
    size, moves = len(game.children), dict[str, str | int]()
    for state, children in enumerate(game.children):
        if children and game.movers[state] == owner:
            moves[str(state)] = data.draw(st.integers(0, len(children) - 1))
    plan = Plan(game, owner, goal, "0", value, moves, "0", endless=endless)
    after = [[*children] for children in game.children]
    for text, move in moves.items():
        after[int(text)] = [game.children[int(text)][int(move)]]

    def rounds(state: int) -> list[set[int]]:
        actual = [{state}]
        for _ in range(2 * size):
            actual.append({child for item in actual[-1] for child in after[item]})
        return actual

    def longest(state: int) -> int | None:
        plies = [nth for nth, there in enumerate(rounds(state)) if there]
        return None if plies[-1] > size else plies[-1]

    def gains(state: int) -> set[int]:
        ends = {item for there in rounds(state) for item in there if not after[item]}
        endless = set() if longest(state) is not None else {plan.endless_gain}
        return {plan.gain(game.utilities[item]) for item in ends} | endless

    there = set[int]().union(*rounds(0))
    ends = Counter(plan.gain(game.utilities[state]) for state in there if not after[state])
    is_endless, least = longest(0) is None, least_gain(goal)
    promised = re.escape(f"a {goal}" if isinstance(goal, str) else f"{goal:+d} or better")
    complaint = None
    if min(ends, default=least) < least:
        complaint = f"promises {promised}, but .* the game is"
    elif is_endless and plan.endless_gain < least:
        complaint = f"the plan for {promised} can go round for ever: .* can recur"
    elif min(gains(0)) < plan.gain(value):
        complaint = f"promises the value {value}, but .*(ends with|can recur)"
    if complaint:
        with pytest.raises(BrokenPlan, match=complaint) as caught:
            verify_plan(plan)
        said = str(caught.value)
        state, line = 0, re.search(r"after the moves ([\d ]+)", said)
        for move in line[1].split() if line else ():
            assert moves.get(str(state), int(move)) == int(move)
            state = game.children[state][int(move)]
        end, gain = game.utilities[state], plan.gain(game.utilities[state])
        outcome = f"won by no more than {gain}" if gain > 0 else "lost" if gain else "a draw"
        if "recur" in said:
            assert (longest(state), f"'{state}' can recur" in said) == (None, True)
        else:
            assert said.endswith((f" the game is {outcome} in '{state}'", f" ends with {end} in '{state}'"))
        return
    not_won = [state for state in there if game.movers[state] != owner and min(gains(state)) <= 0]
    replies = [child for state in not_won for child in after[state]]
    errors = [child for child in replies if min(gains(child)) > 0]
    wins = {state for state in there if not after[state] and plan.gain(game.utilities[state]) > 0}
    won = [nth for nth, some in enumerate(rounds(0)) if some & wins]
    later, at_an_end = [longest(child) for child in errors], not (is_endless and plan.endless_gain > 0)
    last = None if None in later or not at_an_end else max((item or 0 for item in later), default=None)
    assert verify_plan(plan) == Guarantee(
        gain=min(gains(0)),
        plies=longest(0),
        positions=len(there),
        unused=len(moves.keys() - {*map(str, there)}),
        best=max(gains(0)),
        ends=ends,
        replies=len(replies),
        errors=len(errors),
        soonest=min(won, default=None),
        latest=won[-1] if won and won[-1] < size and at_an_end else None,
        after_error=last,
    )


def test_verify_plan_errors_are_printable() -> None:
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
def test_promise_omits_plies_if_the_error_is_endless_play(
    children: tuple[tuple[int, ...], ...], says: str
) -> None:
    size = len(children)
    game = ExplicitGame(children, (1,) * size, tuple(int(state == 2) for state in range(size)))
    with solving(game, endless="first") as db:
        plan = make_plan(db, owner="first")
    assert promise(plan, verify_plan(plan)) == f"first never loses; {says}"
