"""Pictures change on purpose only; `tests.exporters.support.dot_goldens` says how to renew them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page

from exporters.diagram import rendering
from exporters.diagram.board_label import CROSS, WAY_GLYPHS
from tests.exporters.support.dot_goldens import FOLDER, drawings

NAMES = sorted(file.stem for file in FOLDER.glob("*.gv"))


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return drawings()


def test_each_picture_has_its_file(drawn: dict[str, str]) -> None:
    assert sorted(drawn) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_it_was(drawn: dict[str, str], name: str) -> None:
    assert drawn[name] == (FOLDER / f"{name}.gv").read_text("utf-8")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    made = browser.new_page()
    yield made
    made.close()


MEASURE = """() => [...document.querySelectorAll('svg text')]
    .filter(text => text.textContent.trim())
    .map(text => [text.textContent, text.getBoundingClientRect()])
    .map(([words, box]) => [words, box.left, box.top, box.right, box.bottom])"""
"""The words of a picture and where they are."""


@cache
def picture(name: str) -> str:
    """A picture as an SVG."""
    return rendering.draw((FOLDER / f"{name}.gv").read_text("utf-8"), "svg", "").decode()


SIZES = {"phone": (390, 844), "laptop": (1366, 768), "A3": (1587, 1123)}


def shown(page: Page, name: str, size: str) -> tuple[list[Any], FloatRect]:
    """The texts of a picture as wide as the window, and where the picture is."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    svg = picture(name)
    svg = re.sub(r'<svg width="[\d.]+pt" height="[\d.]+pt"', '<svg width="100%"', svg[svg.index("<svg") :])
    page.set_content(f"<!doctype html><body style='margin:0'>{svg}</body>")
    box = page.locator("svg").first.bounding_box()
    assert box
    return page.evaluate(MEASURE), box


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_no_text_overlaps_another_and_nothing_is_cut_off(page: Page, name: str, size: str) -> None:
    texts, box = shown(page, name, size)
    assert texts
    # Ways are made of strokes that touch.
    texts = [text for text in texts if text[0] not in (*WAY_GLYPHS.values(), CROSS)]
    for number, (words, left, top, right, bottom) in enumerate(texts):
        assert box["x"] <= left, words
        assert right <= box["x"] + box["width"], words
        assert box["y"] <= top, words
        assert bottom <= box["y"] + box["height"], words
        for other, *around in texts[:number]:
            # The box of a text has room above and below its letters.
            slack = 0.3 * min(bottom - top, around[3] - around[1])
            across = min(right, around[2]) - max(left, around[0])
            down = min(bottom, around[3]) - max(top, around[1])
            assert across <= 0.5 or down <= slack, f"{words!r} lies on {other!r}"
