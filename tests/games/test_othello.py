from collections.abc import Iterator
from random import Random

import pytest

from solver.games.othello import Othello
from solver.search.alpha_beta import alpha_beta
from tests.support.published import expected


def test_value_of_4x4_is_the_published_one() -> None:
    game = Othello()
    actual = alpha_beta(game, game.initial, table=True)
    assert actual.value == expected("othello")["value"]


def enclosed(board: list[list[str]], row: int, column: int, own: str) -> Iterator[tuple[int, int]]:
    """The cells that a disk turns over, found by walking outwards from it."""
    for down, right in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        walked: list[tuple[int, int]] = []
        at = (row + down, column + right)
        while 0 <= at[0] < len(board) and 0 <= at[1] < len(board[0]) and board[at[0]][at[1]]:
            if board[at[0]][at[1]] == own:
                yield from walked
                break
            walked.append(at)
            at = (at[0] + down, at[1] + right)


@pytest.mark.parametrize("game", [Othello(4, 4), Othello(4, 6), Othello(2, 6), Othello(6, 4)])
def test_moves_equal_independent_rules(game: Othello) -> None:
    random = Random(5)
    for _ in range(30):
        state = game.initial
        while actions := game.actions(state):
            own = "bw"[game.to_move(state)]
            board = [list(row) for row in game.board(state)]
            possible = {
                f"{'abcdef'[column]}{row + 1}"
                for row in range(game.rows)
                for column in range(game.columns)
                if not board[row][column] and any(enclosed(board, row, column, own))
            }
            assert {game.action_name(action) for action in actions} == (possible or {"pass"})
            action = random.choice(actions)
            state = game.result(state, action)
            if possible:
                row, column = divmod(action, game.columns)
                for at in [*enclosed(board, row, column, own), (row, column)]:
                    board[at[0]][at[1]] = own
            assert [list(line) for line in game.board(state)] == board
        marks = [mark for line in game.board(state) for mark in line]
        assert game.utility(state) == marks.count("b") - marks.count("w")


def test_initial_position_is_in_the_middle() -> None:
    game = Othello(4, 6)
    assert game.position(game.initial) == "....../..wb../..bw../...... black"
    assert game.show(game.initial).split("\n")[2] == " a2 | b2 |  W |  B | e2 | f2"
