import xml.etree.ElementTree as ET

import pytest

from exporters.diagram import board_label
from exporters.diagram.board_label import Boards, Diagram
from solver.game import AnyGame
from tests.exporters.support.small_plans import Handmade


def picture(game: AnyGame, state: object) -> str:
    """The rows of the label, with the board as a table."""
    boards = Boards()
    return Diagram(boards.picture(game, state), boards).dot


def parse(rows: str) -> ET.Element:
    return ET.fromstring(f"<TABLE>{rows}</TABLE>")


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
