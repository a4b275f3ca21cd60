from typing import Any

import pytest

import solver
from exporters.boards import Board, MovePaths
from solver.game import AnyGame, Cell
from solver.rules.asking import board_of, mover_of
from tests.exporters.support.clicked_cells import clicked_cells
from tests.exporters.support.small_plans import Handmade


def paths(game: AnyGame, state: Any, action: Any) -> list[tuple[list[Cell], bool]]:
    """The paths of a move, and whether each is a way from one cell to another."""
    board, after = board_of(game, state), board_of(game, game.result(state, action))
    moves = MovePaths(game, board or [], mover_of(game, state))
    actual = moves.of(str(game.action_name(action)), after)
    return [(list(path), moves.is_a_way(path, after)) for path in actual]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("mnk", {"rows": 2, "columns": 2, "k": 2}),
        ("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}),
        ("dots-and-boxes", {"rows": 1, "columns": 2}),
        ("hexapawn", {}),
        ("ponghauki", {}),
        ("nim", {"heaps": (2, 2, 3)}),
    ],
)
def test_paths_equal_the_clicked_cells_of_each_move(name: str, parameters: Any) -> None:
    game = solver.load_game(name, parameters)
    states = [game.initial]
    for state in states:  # which grows meanwhile
        for action in game.actions(state):
            assert [path for path, _ in paths(game, state, action)] == clicked_cells(game, state, action)
            if game.result(state, action) not in states:
                states.append(game.result(state, action))
    assert len(states) > 10


@pytest.mark.parametrize(
    ("name", "parameters", "position", "move", "path", "way"),
    [
        ("chess-ending", {}, "8/8/8/8/8/1k6/8/K6R w", "Rh8", [(7, 7), (0, 7)], True),
        ("hexapawn", {}, "bb./w.b/.ww white", "b1xc2", [(2, 1), (1, 2)], True),
        ("quixo", {"rows": 2, "columns": 3, "k": 3}, ".../... x", "a1-c1", [(0, 0), (0, 2)], True),
        ("kayles", {"n": 4}, "|||| first", "1+2", [(0, 1), (0, 2)], False),
        ("kayles", {"n": 4}, "|||| first", "1", [(0, 1)], False),
        ("chomp", {"rows": 2, "columns": 3}, "3,3 first", "0,1", [(0, 1)], False),
        ("domineering", {"rows": 2, "columns": 3}, ".../... vertical", "v1", [(0, 1)], False),
        ("connect", {"rows": 2, "columns": 3, "k": 2}, ".../...", "2", [(1, 2)], False),
        ("othello", {"rows": 4, "columns": 4}, "..../.wb./.bw./.... black", "b1", [(0, 1)], False),
    ],
)
def test_path_joins_two_cells_or_lands_in_one(
    name: str, parameters: dict[str, Any], position: str, move: str, path: list[Cell], way: bool
) -> None:
    game = solver.load_game(name, parameters)
    state = game.parse(position)
    (action,) = (item for item in game.actions(state) if str(game.action_name(item)) == move)
    assert paths(game, state, action) == [(path, way)]


def test_uninformative_boards_give_no_path() -> None:
    actual = MovePaths(Handmade({"a": 0}), [["x", ""], [""]], 0)
    boards: list[Board | None] = [None, [], [[]], [["x", ""], [""]], [["x", "y"], ["z"]]]
    for after in (*boards, [["", "x", "y"], ["z"]]):
        assert actual.of("m", after) == []
