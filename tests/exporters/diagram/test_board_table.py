import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest

from exporters.diagram import board_label
from exporters.diagram.board_label import Boards, Diagram
from tests.exporters.support.small_plans import Handmade


def picture(board: Sequence[Sequence[str]] | str | None) -> ET.Element:
    """The table of the label of a position that is drawn so."""
    boards = Boards()
    rows = boards.picture(Handmade({"a": 0}, {} if board is None else {"a": board}), "a")
    return ET.fromstring(f"<TABLE>{Diagram(rows, boards).dot}</TABLE>")


@pytest.mark.parametrize("board", [None, [], [[]]])
def test_game_without_board_is_drawn_line_by_line(board: list[list[str]] | None) -> None:
    lines = ["".join(cell.itertext()) for cell in picture("heap 1: <I>\n\n  heap 2").iter("TD")]
    assert lines == ["heap\xa01:\xa0<I>", "\xa0", "\xa0\xa0heap\xa02"]  # blanks keep their width
    assert ["".join(cell.itertext()) for cell in picture(board).iter("TD")] == ["a"]


def test_text_picture_is_monospaced_and_wrapped() -> None:
    fonts = list(picture(" ".join(["abcd"] * 20)).iter("FONT"))
    assert {font.get("FACE") for font in fonts} == {board_label.MONO}
    assert max(len(font.text or "") for font in fonts) <= board_label.MAX_LINE
    assert "".join(font.text or "" for font in fonts).replace("\xa0", "") == "abcd" * 20


def test_markup_in_marks_is_escaped() -> None:
    (mark, _) = picture([['<b>&amp;"\\N\x00\n\ud800', "x"]]).iter("FONT")
    assert mark.text == '<b>&amp;"\\\\N   '
