from collections.abc import Iterator

import pytest

from solver.games.quixo import Quixo
from tests.support.graphs import hold_all
from tests.support.plain_retrograde import Plain, hold_play


def transposed(rows: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]


def pushed_rows(rows: list[str], own: str) -> Iterator[list[str]]:
    """The boards after a cube of the border is taken and pushed in at an end of its row."""
    for at, row in enumerate(rows):
        last = len(row) - 1
        for taken, cube in enumerate(row):
            if cube in (own, ".") and (at in (0, len(rows) - 1) or taken in (0, last)):
                left = row[:taken] + row[taken + 1 :]
                if taken != 0:
                    yield [*rows[:at], own + left, *rows[at + 1 :]]
                if taken != last:
                    yield [*rows[:at], left + own, *rows[at + 1 :]]


def plain_children(state: Plain) -> set[Plain]:
    board, own = state
    rows = board.split("/")
    boards = list(pushed_rows(rows, own))
    boards += [transposed(board) for board in pushed_rows(transposed(rows), own)]
    return {("/".join(board), "xo"[own == "x"]) for board in boards}


def has_row(board: str, mark: str, k: int) -> bool:
    marked = {(r, c) for r, row in enumerate(board.split("/")) for c, cube in enumerate(row) if cube == mark}
    return any(
        all((r + down * n, c + right * n) in marked for n in range(k))
        for r, c in marked
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def plain_winner(state: Plain, k: int) -> int | None:
    """A row of the player to move counts first: the other has just completed it."""
    board, side = state
    return next(("xo".index(mark) for mark in (side, "xo"[side == "x"]) if has_row(board, mark, k)), None)


QUICK = [(2, 2, 2), (2, 3, 2), (2, 3, 3), (3, 2, 3)]
LARGER = [pytest.param(*item, marks=pytest.mark.slow) for item in ((2, 4, 3), (4, 2, 4), (3, 3, 3))]


@pytest.mark.parametrize(("rows", "columns", "k"), [*QUICK, *LARGER])
def test_all_states_are_as_a_brute_force_has_them(rows: int, columns: int, k: int) -> None:
    game = Quixo(rows, columns, k)
    hold_all(game, "xo", lambda state: plain_winner(state, k), plain_children)


@pytest.mark.parametrize("game", [Quixo(), Quixo(4, 4, 4), Quixo(3, 5, 3), Quixo(5, 3, 4), Quixo(3, 3, 2)])
def test_cubes_are_pushed_as_by_hand(game: Quixo) -> None:
    hold_play(game, lambda state: plain_winner(state, game.k), plain_children, games=10, plies=60)
