import re

import pytest

import solver
from exporters.boards import Board, cell_filled, laid_out, marked, rows_of_k
from exporters.diagram.board_label import Boards
from exporters.palette import PLAYED
from exporters.svg.board import board_drawn, ground_path, lattice_path, marks_drawn
from tests.exporters.support.small_plans import Handmade


def test_rows_of_k_are_found_exactly_where_a_game_is_won(tictactoe: solver.Database) -> None:
    for entry in tictactoe.entries():
        board = tictactoe.game.board(tictactoe.game.parse(entry.position))
        assert board is not None
        rows = {row for cell in marked(board) for row in rows_of_k(tictactoe.game, board, cell)}
        assert bool(rows) == (entry.is_terminal and entry.value != 0)


def test_a_row_is_found_whole_from_any_of_its_cells() -> None:
    game = solver.load_game("connect", {"rows": 2, "columns": 5, "k": 3})
    board = [["", "x", "x", "x", "x"], ["o", "x", "o", "o", "x"]]
    for column in range(1, 5):
        assert ((0, 1), (0, 4)) in rows_of_k(game, board, (0, column))
    assert rows_of_k(game, board, (1, 0)) == []


def test_there_are_no_rows_in_games_without_k() -> None:
    assert rows_of_k(Handmade({"a": 0}), [["x", "x", "x"]], (0, 0)) == []


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
def test_a_move_fills_a_cell_if_nothing_else_changes(
    before: Board | None, after: Board | None, cell: tuple[int, int] | None
) -> None:
    assert cell_filled(before, after) == cell


def test_rows_of_a_board_may_be_of_different_lengths() -> None:
    assert lattice_path([["", ""], [""]]) == "M0 0h20M0 0v10M10 0v10M20 0v10M0 10h20M0 10v10M10 10v10M0 20h10"


def test_marks_are_drawn_as_the_game_looks_in_the_colour_of_whose_they_are() -> None:
    game = solver.load_game("hexapawn")
    board = game.board(game.initial)
    assert board is not None
    parts = marks_drawn(game, laid_out(game, board).marks, "mark")
    assert parts.count('class="white mark"') == parts.count('class="black mark"') == 3
    assert parts.count(">♟<") == 6


def test_a_lattice_has_dots_and_the_lines_that_were_played_and_no_cells() -> None:
    game = solver.load_game("dots-and-boxes", {"rows": 1, "columns": 1})
    before, after = (game.board(state) for state in (game.initial, game.result(game.initial, 0)))
    assert before is not None
    assert after is not None
    assert ground_path(game, laid_out(game, before)) == ""
    dots = "M5 5L5 5M25 5L25 5M5 25L5 25M25 25L25 25"
    assert f'd="{dots}"' in marks_drawn(game, laid_out(game, before).marks, "mark")
    assert 'd="M11 5L19 5"' in marks_drawn(game, laid_out(game, after).marks, "mark")


def test_points_are_joined_by_the_ways_of_the_game() -> None:
    game = solver.load_game("ponghauki")
    board = game.board(game.initial)
    assert board is not None
    assert ground_path(game, laid_out(game, board)).count("L") == len(game.look.ways)


STEPS = {"L": 8, "G": 4, "E": 4, "C": 1, "H": 6}
"""How many ways each piece goes: Kitao and Fujita, "Dobutsu shogi", 2008."""


@pytest.mark.parametrize("mark", [*STEPS, *map(str.lower, STEPS)])
def test_a_tile_of_dobutsu_shogi_has_a_dot_for_each_way_that_its_piece_goes(mark: str) -> None:
    game = solver.load_game("dobutsu")
    drawn = marks_drawn(game, {(0, 0): mark}, "mark")
    (dots,) = re.findall(r'step" d="([^"]*)"', drawn)
    places = re.findall(r"M([\d.]+) ([\d.]+)h0", dots)
    assert len(places) == len(set(places)) == STEPS[mark.upper()]
    ahead = [float(y) < 5 for x, y in places if float(x) == 5 and mark.upper() == "C"]
    assert ahead == ([mark == "C"] if mark.upper() == "C" else [])
    assert ("rotate(180" in drawn) == mark.islower()


def test_hands_are_beside_the_board_and_not_rows_of_it() -> None:
    game = solver.load_game("dobutsu")
    board = [["cc"], ["g", "l", "e"], [""] * 3, [""] * 3, ["E", "L", "G"], ["C"]]
    layout = laid_out(game, board)
    assert (layout.rows, layout.columns) == (4, 4)
    assert (layout.marks[0, 3], layout.marks[2, 3]) == ("cc", "C")
    assert [layout.marks[row, 0] for row in range(4)] == ["g", "", "", "E"]
    assert marks_drawn(game, {(0, 3): "cc"}, "mark").count('class="wood"') == 2


def test_lines_between_points_are_whole_in_diagrams_too() -> None:
    """Each way is one stroke from point to point, whatever stands on it."""
    game = solver.load_game("morris")
    boards = Boards()
    boards.picture(game, game.initial)
    assert re.findall(r'class="lines" d="([^"]*)"', boards[0].svg)[0].count("L") == len(game.look.ways)


@pytest.mark.parametrize(
    ("name", "position"), [("chomp", "4,4,4 first"), ("domineering", "#.../#.../.... horizontal")]
)
def test_the_highlight_of_a_filled_cell_lies_over_it_and_that_of_another_below_its_mark(
    name: str, position: str
) -> None:
    game = solver.load_game(name)
    board = game.board(game.parse(position))
    assert board is not None
    drawn = board_drawn(game, board, {(1, 0): PLAYED, (2, 3): PLAYED}, named=False).drawn
    filled = drawn.index(" full")
    places = [match.start() > filled for match in re.finditer(f'<rect [^>]*fill="{PLAYED}"', drawn)]
    assert places == ([True, True] if name == "chomp" else [False, True])
