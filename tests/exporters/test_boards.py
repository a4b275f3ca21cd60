import xml.etree.ElementTree as ET

import pytest

import solver
from exporters import boards
from tests.exporters.handmade import Handmade


def parse(rows: str) -> ET.Element:
    return ET.fromstring(f"<TABLE>{rows}</TABLE>")


def test_a_board_is_a_grid_of_coloured_marks() -> None:
    game = solver.load_game("mnk", {"rows": 4, "columns": 3, "k": 3})
    (grid,) = parse(boards.picture(game, game.parse("x.o/.../.x./...")))[0][0]
    assert grid.tag == "TABLE"
    assert [["".join(cell.itertext()) for cell in row] for row in grid] == [
        ["x", "", "o"],
        ["", "", ""],
        ["", "x", ""],
        ["", "", ""],
    ]
    colours = {font.text: font.get("COLOR") for font in grid.iter("FONT")}
    assert (colours["x"], colours["o"]) == boards.MARK_COLOURS


def test_the_cell_played_last_stands_out() -> None:
    game = solver.load_game("tictactoe")
    picture = parse(boards.picture(game, game.parse("xo......."), (0, 1)))
    marked = [cell for cell in picture.iter("TD") if cell.get("BGCOLOR")]
    assert ["".join(cell.itertext()) for cell in marked] == ["o"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["x........"], "x...o....", (1, 1)),
        (["xo..x...."], "xo..x...o", (2, 2)),
        (["xo..x....", "x...x...o"], "xo..x...o", None),  # two ways that end with different cells
        ([], "x...o....", None),  # where play begins
    ],
)
def test_the_cell_played_last_is_known_where_all_ways_agree(
    before: list[str], after: str, expected: tuple[int, int] | None
) -> None:
    game = solver.load_game("tictactoe")
    assert boards.cell_played(game, map(game.parse, before), game.parse(after)) == expected


def test_a_man_that_moves_is_marked_where_it_arrives() -> None:
    game = Handmade({"a": 0, "b": 0}, {"a": [["w", "", "b"]], "b": [["", "w", "b"]]})
    assert boards.cell_played(game, ["a"], "b") == (0, 1)


@pytest.mark.parametrize("board", [None, [], [[]]])
def test_a_game_without_a_board_is_shown_line_by_line(board: list[list[str]] | None) -> None:
    shown = Handmade({"a": 0}, {"a": "heap 1: <I>\nheap 2: III"})
    assert [cell.text for cell in parse(boards.picture(shown, "a")).iter("TD")] == [
        "heap 1: <I>",
        "heap 2: III",
    ]
    empty = Handmade({"a": 0}, {} if board is None else {"a": board})
    assert [cell.text for cell in parse(boards.picture(empty, "a")).iter("TD")] == ["a"]


def test_no_text_of_a_game_is_taken_for_markup() -> None:
    hostile = '<b>&amp;"\\N\x00\n\ud800'
    game = Handmade({"a": 0}, {"a": [[hostile, "x"]]})
    (mark, _) = parse(boards.picture(game, "a")).iter("FONT")
    assert mark.text == '<b>&amp;"\\\\N   '
