from itertools import product
from pathlib import Path

import pytest
from hypothesis import given

from solver import load_game, open_database, solve
from solver.analysis.statistics import statistics
from solver.engines.graph_states import explore
from solver.games.connect import Connect
from tests.support.boards import in_line, is_full, played
from tests.support.graphs import games, terminal
from tests.support.published import counted, expected, published

TABLE = [
    pytest.param(rows, columns, states, marks=[pytest.mark.slow] * (states > 20_000))
    for (rows, columns, _), states in counted("connect").items()
    if states <= 250_000
]

GAMES = [Connect(), Connect(6, 7, 4), Connect(3, 5, 3), Connect(7, 7, 5), Connect(1, 6, 2)]


@pytest.mark.parametrize(("rows", "columns", "states"), TABLE)
def test_number_of_states_is_the_published_one(rows: int, columns: int, states: int) -> None:
    game = Connect(rows, columns, 4)
    assert len(explore(game)) == states <= game.states_at_most()


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(2, 3, 2), (3, 2, 2), (3, 3, 3), (4, 2, 3), (2, 2, 1), (2, 2, 9)]
)
def test_states_at_most_equals_its_definition(rows: int, columns: int, k: int) -> None:
    stacks = ["".join(stack) for height in range(rows + 1) for stack in product("xo", repeat=height)]
    expected = 0
    for board in product(stacks, repeat=columns):
        x, o = (sum(stack.count(mark) for stack in board) for mark in "xo")
        last = "x" if x > o else "o"
        parts = [stack[at : at + k] for stack in board for at in range(len(stack))]
        runs = [mark for mark in "xo" for part in parts if part == mark * k]
        once = runs == [last] and any(stack.endswith(last * k) for stack in board)
        expected += x - o in (0, 1) and (not runs or once)
    game = Connect(rows, columns, k)
    assert len(explore(game)) <= game.states_at_most() == expected


def test_database_of_4x4_has_published_figures(tmp_path: Path) -> None:
    game, known = load_game("connect", {"rows": 4, "columns": 4, "k": 4}), published()["connect_4x4"]
    solve(game, tmp_path / "whole.db", engine="layers")
    with open_database(tmp_path / "whole.db") as db:
        actual = statistics(db)
    assert actual["states"] == counted("connect")[4, 4, 4]
    assert actual == actual | expected("connect")
    assert actual["terminal"] == sum(known["terminal_x_o_draw"])
    solve(game, tmp_path / "folded.db", engine="layers", fold=True)
    with open_database(tmp_path / "folded.db") as folded:
        assert len(folded) == known["classes"]


@pytest.mark.slow
def test_ends_and_games_of_4x4_are_published_ones() -> None:
    graph, known = explore(Connect(4, 4, 4)), published()["connect_4x4"]
    assert terminal(graph) == known["terminal_x_o_draw"]
    assert games(graph) == known["games"]


@given(played(GAMES))
def test_lines_equal_those_of_a_plain_count(case: tuple[Connect, int]) -> None:
    game, state = case
    lines = in_line(game.board(state), game.k)
    assert game.is_terminal(state) == (bool(lines) or is_full(game.board(state)))
    if game.is_terminal(state):
        assert game.utility(state) == ("x" in lines) - ("o" in lines)


@given(played(GAMES))
def test_move_drops_a_stone_and_increases_the_key(case: tuple[Connect, int]) -> None:
    game, state = case
    for action in game.actions(state):
        child, board = game.result(state, action), [list(row) for row in game.board(state)]
        assert state < child < 2**63
        lowest = max(row for row in range(game.rows) if not board[row][action])
        board[lowest][action] = game.players[game.to_move(state)]
        assert [list(row) for row in game.board(child)] == board


@pytest.mark.parametrize(
    ("rows", "columns"), [(6, 7), (7, 5), (5, 6), (5, 7), (6, 8), (7, 7), (30, 2), (61, 1)]
)
def test_full_boards_fit_into_a_state(rows: int, columns: int) -> None:
    game = Connect(rows, columns, 62)
    state = game.initial
    for column in range(columns):
        for _ in range(rows):
            state = game.result(state, column)
            assert state < 2**63
    assert game.is_terminal(state)
    assert game.parse(game.position(state)) == state
    assert game.utility(state) == 0
