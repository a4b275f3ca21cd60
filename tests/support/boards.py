"""Boards that arise in games, and the lines on them by a plain count."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

Board = Sequence[Sequence[str]]


@st.composite
def played(draw: st.DrawFn, games: Sequence[Any]) -> tuple[Any, int]:
    """A game on a board, and a state that arises in it."""
    game = draw(st.sampled_from(games))
    state = game.initial
    for _ in range(draw(st.integers(0, game.rows * game.columns))):
        if actions := game.actions(state):
            state = game.result(state, draw(st.sampled_from(actions)))
    return game, state


def in_line(board: Board, k: int) -> set[str]:
    """The marks of which k stand in a line."""
    rows, columns = len(board), len(board[0])
    return {
        board[row][column]
        for row in range(rows)
        for column in range(columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if 0 <= row + down * (k - 1) < rows and 0 <= column + right * (k - 1) < columns
        if len({board[row + down * nth][column + right * nth] for nth in range(k)}) == 1
    } - {""}


def is_full(board: Board) -> bool:
    return all(mark for row in board for mark in row)
