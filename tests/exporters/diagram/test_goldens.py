"""Pictures change on purpose only; `tests.exporters.support.dot_goldens` says how to renew them."""

import re

import pytest
from playwright.sync_api import Browser

from exporters.diagram import rendering
from exporters.diagram.board_label import CROSS, WAY_GLYPHS
from tests.exporters.support.dot_goldens import drawings
from tests.exporters.support.rendered_text import VIEWPORTS, faults
from tests.exporters.support.svg_goldens import GOLDEN

NAMES = sorted(file.stem for file in GOLDEN.glob("*.gv"))

WAY = f'"[{"".join(WAY_GLYPHS.values())}{CROSS}]"'
"""A stroke of a way, which touches others and what it leads to."""


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return drawings()


def test_each_picture_has_its_file(drawn: dict[str, str]) -> None:
    assert sorted(drawn) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_it_was(drawn: dict[str, str], name: str) -> None:
    assert drawn[name] == (GOLDEN / f"{name}.gv").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_text_overlaps_another_and_nothing_is_cut_off(browser: Browser, name: str) -> None:
    svg = rendering.draw((GOLDEN / f"{name}.gv").read_text("utf-8"), "svg", "").decode()
    for viewport in VIEWPORTS:
        assert [each for each in faults(browser, svg, viewport) if not re.search(WAY, each)] == []
