"""The men on a page: the colours of players who are called after one, and the key."""

from typing import Any

import pytest

from solver import load_game
from tests.exporters.html.conftest import Visit
from tests.exporters.html.test_rules_fold import PAGES
from tests.exporters.support.families import made_up, page_of

COLOURS = """
() => [...document.querySelectorAll(".cell .mark:not(.ghost, .faint)")].map((mark) => {
  const style = getComputedStyle(mark), paper = getComputedStyle(document.body);
  const rim = mark.classList.contains("stone") ? style.stroke : style.webkitTextStrokeColor;
  return [[...mark.classList].find((each) => ["black", "white", "red"].includes(each)),
    style.color, rim, paper.backgroundColor];
})
"""
"""The class of each man on the board, its colour, that of its rim, and that of the page."""


def luminance(colour: str) -> float:
    """The relative luminance of "rgb(r, g, b)", by WCAG 2.2."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, by WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("game", "position", "names"),
    [
        ("hexapawn", "bbb/w../.ww black", {"black", "white"}),
        ("teeko", "b../.r./... black", {"black", "red"}),
    ],
)
def test_men_have_the_colours_of_their_names_on_light_and_on_dark_pages(
    visit: Visit, game: str, position: str, names: set[str]
) -> None:
    rules = load_game(game, {"rows": 3, "columns": 3})
    text = page_of(rules, made_up(rules, position))
    for scheme in ("light", "dark"):
        page = visit(text, color_scheme=scheme)
        men = page.evaluate(COLOURS)
        assert {name for name, *_ in men} == names
        for name, colour, rim, paper in men:
            assert name != "black" or luminance(colour) < 0.05
            assert name != "white" or luminance(colour) == pytest.approx(1)
            assert max(contrast(colour, paper), contrast(rim, paper)) >= 3  # WCAG 2.2, 1.4.11
        key = page.locator("#key > span")
        assert {(key.nth(at).text_content() or "").split()[-1] for at in range(key.count())} == names


def test_the_key_says_whose_marks_are_which_and_is_empty_where_they_are_nobodys(
    visit: Visit, game_page: str
) -> None:
    page = visit(game_page)
    assert [text.strip() for text in page.locator("#key > span").all_inner_texts()] == ["x", "o"]
    assert page.locator("#key .mark").count() == 2
    page = visit(page_of(load_game("teeko")))  # on an empty board there are no marks yet
    assert [text.strip() for text in page.locator("#key > span").all_inner_texts()] == ["black", "red"]
    page = visit(page_of(load_game("nim")))
    assert page.locator("#key > span").count() == 0


KEY = """
() => [...document.querySelectorAll("#key .mark, .graph > g > g > .board .mark")].map((mark) => {
  const look = getComputedStyle(mark), html = mark.tagName === "SPAN";
  return [[...mark.classList].find((each) => ["black", "white", "red"].includes(each)),
    html ? look.color : look.fill,
    html ? look.webkitTextStrokeColor : look.stroke === "none" ? look.fill : look.stroke];
})
"""
"""The class of each man of the key, its colour and that of its rim."""


@pytest.mark.parametrize("name", ["plan", "puzzles", "steps"])
def test_every_page_has_the_key_with_men_that_are_seen(solved: Any, visit: Visit, name: str) -> None:
    text = PAGES[name](solved("hexapawn"))
    for scheme in ("light", "dark"):
        page = visit(text, color_scheme=scheme)
        ground = page.locator("main" if name == "steps" else "body")
        paper = ground.evaluate("ground => getComputedStyle(ground).backgroundColor")
        men = page.evaluate(KEY)
        assert [man for man, *_ in men] == ["white", "black"]
        for man, colour, rim in men:
            assert (luminance(colour) > 0.9) == (man == "white")
            assert max(contrast(colour, paper), contrast(rim, paper)) >= 3  # WCAG 2.2, 1.4.11
