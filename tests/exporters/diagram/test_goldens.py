"""Pictures change on purpose only; `tests.exporters.support.dot_goldens` says how to renew them."""

import pytest
from playwright.sync_api import Browser

from exporters.diagram import rendering
from exporters.diagram.board_label import Diagram
from tests.exporters.support.dot_goldens import drawings
from tests.exporters.support.rendered_text import VIEWPORTS, faults
from tests.exporters.support.svg_goldens import GOLDEN

NAMES = sorted(file.stem for file in GOLDEN.glob("*.gv"))


@pytest.fixture(scope="module")
def drawn() -> dict[str, Diagram]:
    return drawings()


def test_each_picture_has_its_file(drawn: dict[str, Diagram]) -> None:
    assert sorted(drawn) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_it_was(drawn: dict[str, Diagram], name: str) -> None:
    assert drawn[name].dot == (GOLDEN / f"{name}.gv").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_text_overlaps_another_and_nothing_is_cut_off(
    drawn: dict[str, Diagram], browser: Browser, name: str
) -> None:
    svg = drawn[name].with_boards(rendering.draw(drawn[name].text, ""))
    for viewport in VIEWPORTS:
        assert faults(browser, svg, viewport) == []
