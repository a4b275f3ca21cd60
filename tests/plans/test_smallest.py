import json
import sys
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings, strategies as st

from exporters import nested_json, plan_json
from solver import Database, choose_plan, make_plan, verify_plan
from solver.errors import MissingExtra, NoSuchPlan, NotLegible, TooLarge
from solver.game import ENDLESS
from solver.plans.plan import GOALS, longest_line, unfold
from solver.plans.selection import choose as making
from tests.support.brute_force_plans import classes_arising, every_size
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, Mirrored, explicit_games, is_symmetric, mirrored
from tests.support.games.long import LongGame, acyclic_games
from tests.support.solved import solved, solving

SOME_GAMES = settings(max_examples=25)
PLAYERS = ("first", "second")
SIDES, RULES = st.integers(0, 1), st.sampled_from([*ENDLESS])


def written_out(text: str) -> int:
    size, todo = 0, [json.loads(text)]
    while todo:
        tree = todo.pop()
        size += 1
        if isinstance(tree, list):
            todo += [branch[3] for branch in tree] if isinstance(tree[0], list) else [tree[1]]
    return size


def hold_against_every_plan(game: ExplicitGame, owner: int, goal: str, endless: str) -> None:
    """Compare the smallest plans, merged and as a tree, with all plans that there are."""
    sizes = list(every_size(game, owner, GOALS[goal], (-1) ** owner * ENDLESS[endless]))
    with solving(game, endless=endless) as db:
        if not sizes:
            with pytest.raises(NoSuchPlan):
                make_plan(db, owner=PLAYERS[owner], goal=goal, smallest=True)
            return
        made = choose_plan(db, owner=PLAYERS[owner], goal=goal, smallest=True)
        assert made.size == made.at_least == min(size for size, _ in sizes)
        proved = verify_plan(made.plan)
        assert (proved.positions, proved.unused) == (made.size, 0)
        assert proved.gain == made.plan.gain(made.plan.value) >= GOALS[goal]
        trees = [tree for _, tree in sizes if tree is not None]
        if not trees:
            with pytest.raises(NotLegible, match="round in circles"):
                make_plan(db, owner=PLAYERS[owner], goal=goal, smallest=True, tree=True)
            return
        made = choose_plan(db, owner=PLAYERS[owner], goal=goal, smallest=True, tree=True)
        assert made.size == made.at_least == min(trees) == written_out(nested_json.render(made.plan))
        assert verify_plan(made.plan).gain == made.plan.gain(made.plan.value) >= GOALS[goal]


@SOME_GAMES
@given(acyclic_games(most=11), SIDES, st.sampled_from([*GOALS]))
def test_smallest_plan_of_acyclic_game_is_minimal(game: ExplicitGame, owner: int, goal: str) -> None:
    hold_against_every_plan(game, owner, goal, "draw")


@drawn(
    20, 200, game=explicit_games(7, (-1, 0, 1)), owner=SIDES, goal=st.sampled_from([*GOALS]), endless=RULES
)
def test_smallest_plan_is_minimal(game: ExplicitGame, owner: int, goal: str, endless: str) -> None:
    hold_against_every_plan(game, owner, goal, endless)


@SOME_GAMES
@given(mirrored(), SIDES, RULES)
def test_smallest_folded_plan_is_minimal(game: Mirrored, owner: int, endless: str) -> None:
    assume(is_symmetric(game))
    game = replace(game, starts=(0,))
    sizes = [size for size, _ in every_size(game, owner, 0, (-1) ** owner * ENDLESS[endless], fold=True)]
    with solving(game, endless=endless) as db:
        if sizes:
            made = choose_plan(db, owner=PLAYERS[owner], goal="draw", smallest=True, fold=True)
            assert made.size == made.at_least == min(sizes) == len(classes_arising(made.plan))
        else:
            with pytest.raises(NoSuchPlan):
                make_plan(db, owner=PLAYERS[owner], goal="draw", smallest=True, fold=True)


@pytest.mark.parametrize(("owner", "size"), [("x", 182), ("o", 1280)])
def test_smallest_trees_of_tictactoe_have_known_sizes(db: Database, owner: str, size: int) -> None:
    made = choose_plan(db, owner=owner, smallest=True, tree=True)
    assert made.size == made.at_least == written_out(nested_json.render(made.plan)) == size
    assert verify_plan(made.plan).gain == 0


@pytest.mark.parametrize(("owner", "size"), [pytest.param("x", 41, marks=pytest.mark.slow), ("o", 120)])
def test_smallest_folded_plans_of_tictactoe_have_known_sizes(db: Database, owner: str, size: int) -> None:
    made = choose_plan(db, owner=owner, smallest=True, fold=True)
    assert made.size == made.at_least == size == len(classes_arising(made.plan))
    assert made.plan.folded
    assert set(made.plan.moves) < classes_arising(made.plan)


@pytest.mark.slow
@pytest.mark.parametrize(("owner", "size"), [("x", 122), ("o", 445)])
def test_smallest_merged_plans_of_tictactoe_have_known_sizes(db: Database, owner: str, size: int) -> None:
    made = choose_plan(db, owner=owner, smallest=True)
    assert made.size == made.at_least == size
    assert (verify_plan(made.plan).positions, verify_plan(made.plan).gain) == (size, 0)


def test_unfinished_search_for_smallest_plan_gives_a_lower_bound(db: Database) -> None:
    made = choose_plan(db, owner="o", smallest=True, time_limit=0.1)
    assert made.at_least is not None
    assert made.at_least <= 445 <= made.size == verify_plan(made.plan).positions


def test_smallest_plan_is_deterministic(db: Database) -> None:
    one, other = (choose_plan(db, "x........", smallest=True, time_limit=0.4) for _ in range(2))
    assert (one, plan_json.render(one.plan)) == (other, plan_json.render(other.plan))


def test_fast_plan_is_small_and_has_best_moves_only(db: Database) -> None:
    for owner, most, fold in (("x", 141, False), ("o", 480, False), ("x", 41, True), ("o", 128, True)):
        made = choose_plan(db, owner=owner, fold=fold)
        assert made.at_least is None
        assert made.size <= most
        for position, chosen in made.plan.moves.items():
            assert chosen in [move.move for move in db[position].moves if move.best]


def test_limits_of_fast_and_smallest_plans(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "FAST_LIMIT", 500)
    made = choose_plan(db, owner="o")
    assert made.size == len(unfold(made.plan)) < 776
    assert verify_plan(made.plan).gain == 0
    monkeypatch.setattr(making, "MIN_LIMIT", 500)
    with pytest.raises(TooLarge, match=r"more than 500 positions .* later position"):
        make_plan(db, smallest=True)
    assert make_plan(db, "xo..x....", smallest=True, owner="x").moves


def test_missing_ortools_is_named(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(MissingExtra, match="`pip install ortools`"):
        make_plan(db, "xo..x....", owner="x", smallest=True)
    assert make_plan(db, "xo..x....", owner="x", smallest=True, tree=True).moves


def test_deep_smallest_plan_is_made() -> None:
    with solving(LongGame(1500)) as db:
        for tree in (False, True):
            made = choose_plan(db, smallest=True, tree=tree)
            assert made.size == made.at_least == 1501 + 750  # the opponent can resign
            assert longest_line(unfold(made.plan)) == 1500


def test_folded_plan_looks_up_reachable_members_of_classes() -> None:
    with solved("tictactoe", start=".......ox x") as db:
        made = choose_plan(db, fold=True)
        assert made.plan.root == ".......ox"
        assert made.size == len(classes_arising(made.plan))
