from collections.abc import Iterator
from typing import Any

import pytest

from exporters.boards import marked
from exporters.svg.plan_map.nested import NestedBoard, NestedBoards, nest
from solver import Database, make_plan
from solver.errors import BadPlan, NotLegible
from solver.plans.plan import Plan, unfold
from tests.exporters.support.small_plans import Handmade, Rules, plan
from tests.support.folded_plans import folded_plan
from tests.support.solved import solved


def whole(made: Plan) -> NestedBoards:
    return nest(made, None, 100, 100_000)


def lines(made: Plan) -> list[list[str | int]]:
    """Every way of play that the plan allows, as moves, found by following the rules."""
    actual: list[list[str | int]] = []
    game = made.game
    stack: list[tuple[Any, list[str | int]]] = [(game.parse(made.root), [])]
    while stack:
        state, played = stack.pop()
        actions = game.actions(state)
        if not actions:
            actual.append(played)
        if actions and game.to_move(state) == made.owner:
            name = made.moves[game.position(state)]
            actions = [action for action in actions if game.action_name(action) == name]
        stack += [(game.result(state, action), [*played, game.action_name(action)]) for action in actions]
    return actual


def lines_of(outermost: NestedBoard) -> Iterator[list[str]]:
    """The moves of every way of play, as the stories of the boards tell them."""
    stack: list[tuple[NestedBoard, list[str]]] = [(outermost, [])]
    while stack:
        board, before = stack.pop()
        moves = [*before, *(word.split()[-1] for word in board.story.split(", ") if word)]
        if board.gain is not None:
            yield moves
        stack.extend((inner, moves) for inner in board.inside.values())


@pytest.mark.parametrize(
    ("name", "parameters", "owner"),
    [
        *(("tictactoe", {"misere": misere}, owner) for misere in (False, True) for owner in "xo"),
        ("connect", {"rows": 3, "columns": 4, "k": 3}, "x"),
    ],
)
def test_boards_cover_every_line_of_play_once(name: str, parameters: dict[str, Any], owner: str) -> None:
    with solved(name, parameters) as db:
        made = make_plan(db, owner=owner)
    (outermost,) = whole(made).levels[0]
    assert sorted(lines_of(outermost)) == sorted(list(map(str, line)) for line in lines(made))
    if name == "connect":  # a stone lies in the cell where it lands
        assert list(outermost.inside) == [(2, 0), (1, 1), (2, 2), (2, 3)]


def test_board_has_the_cells_filled_since_the_outer_board(whole_plans: dict[str, Plan]) -> None:
    for outer in (board for level in whole(whole_plans["o"]).levels for board in level):
        for cell, inner in outer.inside.items():
            new = {*inner.reply, *inner.answer}
            assert inner.reply[0] == cell
            assert new == {*marked(inner.board)} - {*marked(outer.board)}
            assert inner.last in new
            assert inner.plies == outer.plies + len(new)
        assert {*outer.inside}.isdisjoint(marked(outer.board))


def test_end_has_the_gain_of_the_owner(whole_plans: dict[str, Plan]) -> None:
    made = whole_plans["x"]
    graph = unfold(made)
    for board in (item for level in whole(made).levels for item in level):
        node = graph.nodes[made.game.position(board.state)]
        assert board.gain == (node["gain"] if node["kind"] == "end" else None)


def test_boards_below_the_depth_are_marked_as_going_on(whole_plans: dict[str, Plan]) -> None:
    made = whole_plans["x"]
    uncut, cut = whole(made), nest(made, 3, 100, 100_000)
    assert [len(level) for level in cut.levels] == [len(level) for level in uncut.levels[:2]]
    for full, part in zip(uncut.levels[1], cut.levels[1], strict=True):
        assert [*full.inside] == part.goes_on
        assert not part.inside


@pytest.mark.parametrize(("levels", "most", "beyond"), [(2, 100_000, 5), (100, 10, 5), (1, 100_000, 3)])
def test_nest_reports_the_first_ply_without_room(
    whole_plans: dict[str, Plan], levels: int, most: int, beyond: int
) -> None:
    made = whole_plans["x"]
    grown = nest(made, None, levels, most)
    assert grown.beyond == beyond
    assert sum(map(len, nest(made, beyond - 1, levels, most).levels)) == sum(map(len, grown.levels))


def test_folded_moves_are_turned_to_each_position(tictactoe: Database) -> None:
    grown = whole(folded_plan(tictactoe, owner="o"))
    ends = [board for level in grown.levels for board in level if board.gain is not None]
    assert len(grown.levels[1]) == 9
    assert len(ends) == len(list(lines_of(grown.levels[0][0])))
    assert {board.gain for board in ends} == {0, 1}


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("nim", {"heaps": (1, 2)}, "the move .* does not"),
        pytest.param("morris", {}, "the move .* does not", marks=pytest.mark.slow),
        ("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}, "two moves fill the same cell"),
        ("subtraction", {"heap": 5}, "has none|the move .* does not"),
    ],
)
def test_games_with_moves_of_several_cells_are_refused(name: str, parameters: Any, says: str) -> None:
    with solved(name, parameters) as db:
        made = make_plan(db, goal=-1)
    with pytest.raises(NotLegible, match=f"({says}).*--format svg") as refusal:
        whole(made)
    assert "\n" not in str(refusal.value)


def test_game_without_board_is_refused() -> None:
    with pytest.raises(NotLegible, match="has none"):
        whole(plan(Handmade({"a": (0, {"m": "b"}), "b": 1}), {"a": "m"}))


ROWS = {"": [["", "", ""]], "a": [["a", "", ""]], "ab": [["a", "b", ""]], "abc": [["a", "b", "c"]]}


def test_players_may_move_twice_in_a_row() -> None:
    rules: Rules = {"": (0, {"m": "a"}), "a": (0, {"n": "ab"}), "ab": (1, {"o": "abc"}), "abc": -2}
    ((board,),) = whole(plan(Handmade(rules, ROWS), {"": "m", "a": "n"})).levels
    assert (board.story, board.gain) == ("first plays m, first plays n, second plays o", -2)
    rules = {"": (1, {"m": "a"}), "a": (1, {"n": "ab", "p": "abc"}), "ab": (0, {"o": "abc"}), "abc": 1}
    drawn = ROWS | {"ab": [["a", "", "b"]], "abc": [["a", "b", ""]]}
    with pytest.raises(NotLegible):
        whole(plan(Handmade(rules, drawn), {"ab": "o"}))
    levels = whole(plan(Handmade({**rules, "ab": 0}, drawn), {})).levels
    assert [[board.story for board in level] for level in levels] == [
        [""],
        ["second plays m"],
        ["second plays n", "second plays p"],
    ]


@pytest.mark.parametrize("moves", [{}, {"": "elsewhere"}])
def test_plan_with_missing_or_illegal_move_is_refused(moves: dict[str, str]) -> None:
    game = Handmade({"": (0, {"m": "a"}), "a": 1}, ROWS)
    with pytest.raises(BadPlan):
        whole(plan(game, moves))
