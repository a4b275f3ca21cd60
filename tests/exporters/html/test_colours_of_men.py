"""The men on a page: players named after colours, and the key."""

from typing import Any

import pytest
from playwright.sync_api import Page

from solver import load_game
from tests.exporters.html.conftest import Visit
from tests.exporters.html.test_rules_fold import PAGES
from tests.exporters.support.families import made_up, page_of

COLOURS = """
(marks) => marks.map((mark) => {
  const look = getComputedStyle(mark), html = mark.tagName === "SPAN";
  return [[...mark.classList].find((each) => ["black", "white", "red"].includes(each)),
    html ? look.color : look.fill,
    html ? look.webkitTextStrokeColor : look.stroke === "none" ? look.fill : look.stroke];
})
"""
"""The class of each man, its colour and that of its rim."""


def luminance(colour: str) -> float:
    """The relative luminance of "rgb(r, g, b)", by WCAG 2.2."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, by WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def men_seen(page: Page, selector: str, ground: str = "body") -> list[tuple[str, str]]:
    """The class and the colour of each man, who or whose rim can be seen on the ground."""
    paper = page.locator(ground).evaluate("ground => getComputedStyle(ground).backgroundColor")
    men = page.locator(selector).evaluate_all(COLOURS)
    for _, colour, rim in men:
        assert max(contrast(colour, paper), contrast(rim, paper)) >= 3  # WCAG 2.2, 1.4.11
    return [(name, colour) for name, colour, _ in men]


@pytest.mark.parametrize(
    ("game", "position", "names"),
    [
        ("hexapawn", "bbb/w../.ww black", {"black", "white"}),
        ("teeko", "b../.r./... black", {"black", "red"}),
    ],
)
def test_men_match_their_colour_names_on_light_and_dark_pages(
    visit: Visit, game: str, position: str, names: set[str]
) -> None:
    rules = load_game(game, {"rows": 3, "columns": 3})
    text = page_of(rules, made_up(rules, position))
    for scheme in ("light", "dark"):
        page = visit(text, color_scheme=scheme)
        men = men_seen(page, ".cell .mark:not(.ghost, .faint)")
        assert {name for name, _ in men} == names
        for name, colour in men:
            assert name != "black" or luminance(colour) < 0.05
            assert name != "white" or luminance(colour) == pytest.approx(1)
        key = page.locator("#key > span")
        assert {(key.nth(at).text_content() or "").split()[-1] for at in range(key.count())} == names


def test_key_names_owners_of_marks_or_is_empty(visit: Visit, game_page: str) -> None:
    page = visit(game_page)
    assert [text.strip() for text in page.locator("#key > span").all_inner_texts()] == ["x", "o"]
    assert page.locator("#key .mark").count() == 2
    page = visit(page_of(load_game("teeko")))  # on an empty board there are no marks yet
    assert [text.strip() for text in page.locator("#key > span").all_inner_texts()] == ["black", "red"]
    page = visit(page_of(load_game("nim")))
    assert page.locator("#key > span").count() == 0


@pytest.mark.parametrize("name", ["plan", "puzzles", "steps"])
def test_every_page_has_a_key_with_visible_men(solved: Any, visit: Visit, name: str) -> None:
    text = PAGES[name](solved("hexapawn"))
    for scheme in ("light", "dark"):
        page = visit(text, color_scheme=scheme)
        ground = "main" if name == "steps" else "body"
        men = men_seen(page, "#key .mark, .graph > g > g > .board .mark", ground)
        assert [man for man, _ in men] == ["white", "black"]
        assert [luminance(colour) > 0.9 for _, colour in men] == [True, False]
