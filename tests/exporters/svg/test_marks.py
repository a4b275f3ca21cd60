import re
from itertools import islice

import pytest

import solver
from exporters.boards import Board, cell_filled, laid_out, marked, rows_of_k
from exporters.palette import PLAYED
from exporters.svg.board import board_drawn, lattice_path, marks_drawn
from tests.exporters.support.small_plans import Handmade


def test_rows_of_k_exist_exactly_in_won_positions(tictactoe: solver.Database) -> None:
    for entry in islice(tictactoe.entries(), 0, None, 5):
        board = tictactoe.game.board(tictactoe.game.parse(entry.position))
        assert board is not None
        rows = {row for cell in marked(board) for row in rows_of_k(tictactoe.game, board, cell)}
        assert bool(rows) == (entry.is_terminal and entry.value != 0)


def test_whole_row_is_found_from_any_of_its_cells() -> None:
    game = solver.load_game("connect", {"rows": 2, "columns": 5, "k": 3})
    board = [["", "x", "x", "x", "x"], ["o", "x", "o", "o", "x"]]
    for column in range(1, 5):
        assert ((0, 1), (0, 4)) in rows_of_k(game, board, (0, column))
    assert rows_of_k(game, board, (1, 0)) == []
    assert rows_of_k(Handmade({"a": 0}), [["x", "x", "x"]], (0, 0)) == []  # a game without k


EMPTY = [["", ""], ["", ""]]


@pytest.mark.parametrize(
    ("before", "after", "cell"),
    [
        (EMPTY, [["", ""], ["x", ""]], (1, 0)),
        (EMPTY, EMPTY, None),
        (EMPTY, [["x", ""], ["x", ""]], None),  # two cells
        ([["x", ""]], [["o", ""]], None),  # not an empty one
        ([["x", ""]], [["", "x"]], None),  # moved
        ([["x", ""]], [["", ""]], None),  # taken away
        ([["x"]], [["x", "o"]], None),  # another board
        (None, [["x"]], None),
        ([["x"]], None, None),
        ([[" ", ""]], [["x", ""]], (0, 0)),
    ],
)
def test_cell_is_filled_only_if_no_other_cell_changes(
    before: Board | None, after: Board | None, cell: tuple[int, int] | None
) -> None:
    assert cell_filled(before, after) == cell


def test_board_rows_may_differ_in_length() -> None:
    assert lattice_path([["", ""], [""]]) == "M0 0h20M0 0v10M10 0v10M20 0v10M0 10h20M0 10v10M10 10v10M0 20h10"


STEPS = {"L": 8, "G": 4, "E": 4, "C": 1, "H": 6}
"""How many ways each piece goes: Kitao and Fujita, "Dobutsu shogi", 2008."""


def test_hands_are_laid_out_beside_the_board() -> None:
    game = solver.load_game("dobutsu")
    layout = laid_out(game, [["cc"], ["g", "l", "e"], [""] * 3, [""] * 3, ["E", "L", "G"], ["C"]])
    assert (layout.rows, layout.columns) == (4, 4)
    assert (layout.marks[0, 3], layout.marks[2, 3]) == ("cc", "C")
    assert [layout.marks[row, 0] for row in range(4)] == ["g", "", "", "E"]
    assert marks_drawn(game, {(0, 3): "cc"}, "mark").count('class="wood"') == 2


@pytest.mark.parametrize(
    ("name", "position"), [("chomp", "4,4,4 first"), ("domineering", "#.../#.../.... horizontal")]
)
def test_highlight_lies_over_full_cells_and_below_marks(name: str, position: str) -> None:
    game = solver.load_game(name)
    board = game.board(game.parse(position))
    assert board is not None
    drawn = board_drawn(game, board, {(1, 0): PLAYED, (2, 3): PLAYED}, named=False).drawn
    filled = drawn.index(" full")
    places = [match.start() > filled for match in re.finditer(f'<rect [^>]*fill="{PLAYED}"', drawn)]
    assert places == ([True, True] if name == "chomp" else [False, True])
