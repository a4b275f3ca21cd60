import xml.etree.ElementTree as ET

import pytest

import solver
from exporters import palette
from exporters.diagram import board_label
from exporters.diagram.board_label import Boards, Diagram
from solver.game import AnyGame
from tests.exporters.support.small_plans import Handmade


def picture(game: AnyGame, state: object, *args: board_label.Backgrounds, named: bool = False) -> str:
    """The rows of the label, with the board as a table."""
    boards = Boards()
    return Diagram(boards.picture(game, state, *args, named=named), boards).dot


def parse(rows: str) -> ET.Element:
    return ET.fromstring(f"<TABLE>{rows}</TABLE>")


def drawn(game: str, position: str, backgrounds: board_label.Backgrounds | None = None) -> ET.Element:
    """The table of the board."""
    rules = solver.load_game(game)
    (grid,) = parse(picture(rules, rules.parse(position), backgrounds or {}))[0][0]
    return grid


def texts(grid: ET.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in grid]


def test_a_board_is_a_grid_of_coloured_marks() -> None:
    grid = drawn("tictactoe", "x.o/.../.x.")
    assert (grid.tag, grid.get("ROWS"), grid.get("COLUMNS")) == ("TABLE", "*", "*")
    assert texts(grid) == [["x", "", "o"], ["", "", ""], ["", "x", ""]]
    colours = {font.text: font.get("COLOR") for font in grid.iter("FONT")}
    assert (colours["x"], colours["o"]) == (palette.PAINTS["first"], palette.PAINTS["second"])


def test_cells_stand_out_by_their_backgrounds() -> None:
    grid = drawn("tictactoe", "xo.......", {(0, 1): palette.REPLIED, (2, 2): palette.PLAYED})
    actual = [[cell.get("BGCOLOR") for cell in row] for row in grid]
    assert actual == [[None, palette.REPLIED, None], [None] * 3, [None, None, palette.PLAYED]]


def test_chess_has_dark_squares_and_pieces() -> None:
    grid = drawn("chess-ending", "8/8/8/8/8/2k5/1R6/K7 w")
    dark = [[cell.get("BGCOLOR") == palette.DARK for cell in row] for row in grid]
    assert dark == [[(row + file) % 2 == 1 for file in range(8)] for row in range(8)]  # a1 is dark
    assert {text for row in texts(grid) for text in row} == {"", "♔", "♖", "♚"}


def test_dots_and_boxes_has_lines_and_no_grid() -> None:
    grid = drawn("dots-and-boxes", "../|../-./.../.. +0 first")
    assert grid.get("ROWS") is None
    assert not any(text for row in texts(grid) for text in row)
    solid = [[cell.get("BGCOLOR") is not None for cell in row] for row in grid]
    assert solid[0] == [True, False, True, False, True]  # dots, and no line between them
    assert solid[1] == [True, False, False, False, False]  # one upright line
    assert solid[2] == [True, True, True, False, True]  # one level line


def named(game: str, position: str) -> str:
    rules = solver.load_game(game)
    rows = parse(picture(rules, rules.parse(position), named=True))
    return " ".join(text for text in rows.itertext() if text.strip())


def test_names_of_cells_stand_beside_the_board_or_in_empty_cells() -> None:
    assert named("tictactoe", "x.o/.../.x.") == "x 1 o 3 4 5 6 x 8"
    assert named("hexapawn", "bbb/.../www white") == "3 ♟ ♟ ♟ 2 1 ♙ ♙ ♙ a b c"
    assert named("connect", "..../..../..../xo..") == "● ◎ 0 1 2 3"
    assert named("dots-and-boxes", "../|../-./.../.. +0 first").split() == [*"0134678", "9", "10", "11"]
    assert set(named("ponghauki", "oo/./xx x")) >= {"2", "◎", "●"}


def test_a_covered_cell_is_filled_and_still_seen_when_it_stands_out() -> None:
    grid = drawn("domineering", "#.../#.../....", {(1, 0): palette.PLAYED})
    assert grid[0][0].get("BGCOLOR") == palette.SOLID
    assert grid[1][0].get("BGCOLOR") == palette.PLAYED
    assert texts(grid)[1][0] == "■"


def test_a_short_row_is_centred_between_ways() -> None:
    rules = solver.load_game("morris", {"variant": "tsoro-yematatu"})
    (grid,) = parse(picture(rules, rules.parse("x/.../...")))[0][0]
    assert texts(grid)[0] == ["", "●", ""]


@pytest.mark.parametrize("board", [None, [], [[]]])
def test_a_game_without_a_board_is_shown_line_by_line(board: list[list[str]] | None) -> None:
    shown = Handmade({"a": 0}, {"a": "heap 1: <I>\n\n  heap 2"})
    lines = ["".join(cell.itertext()) for cell in parse(picture(shown, "a")).iter("TD")]
    assert lines == ["heap\xa01:\xa0<I>", "\xa0", "\xa0\xa0heap\xa02"]  # blanks keep their width
    empty = Handmade({"a": 0}, {} if board is None else {"a": board})
    assert ["".join(cell.itertext()) for cell in parse(picture(empty, "a")).iter("TD")] == ["a"]


def test_a_picture_made_of_letters_has_letters_of_one_width_and_no_long_lines() -> None:
    shown = Handmade({"a": 0}, {"a": " ".join(["abcd"] * 20)})
    fonts = list(parse(picture(shown, "a")).iter("FONT"))
    assert {font.get("FACE") for font in fonts} == {board_label.MONO}
    assert max(len(font.text or "") for font in fonts) <= board_label.MAX_LINE
    assert "".join(font.text or "" for font in fonts).replace("\xa0", "") == "abcd" * 20


def test_no_text_of_a_game_is_taken_for_markup() -> None:
    hostile = '<b>&amp;"\\N\x00\n\ud800'
    game = Handmade({"a": 0}, {"a": [[hostile, "x"]]})
    (mark, _) = parse(picture(game, "a")).iter("FONT")
    assert mark.text == '<b>&amp;"\\\\N   '
