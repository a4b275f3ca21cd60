"""The page that steps through a search, in a browser: buttons, keys and the slider."""

import pytest
from playwright.sync_api import Page, expect

from exporters.search_tree.picture import render
from solver.rules.loading import load_game
from tests.exporters.html.conftest import Visit, box
from tests.exporters.html.test_colours_of_men import contrast, luminance
from tests.support.pages import ROOT
from tests.support.search_examples import traced


def words(page: Page, number: int) -> list[str]:
    """The texts in a node that can be seen."""
    return [text for text in page.locator(f"#n{number} text").all_text_contents() if text.strip()]


def page_of(game: str, position: str | None = None) -> str:
    """The page of an alpha-beta search."""
    rules = load_game(game)
    state = rules.initial if position is None else rules.parse(position)
    return str(render(traced("alpha-beta", rules, state)[1], "html"))


FIGURE = f"{ROOT / 'docs' / 'aima_5_2.py'}:Figure"


@pytest.mark.parametrize(
    ("game", "position", "scheme"),
    [(FIGURE, None, "dark"), (FIGURE, None, "light"), ("hexapawn", "b.b/.wb/w.. white", "dark")],
)
def test_tree_text_contrasts_with_its_background(
    visit: Visit, game: str, position: str | None, scheme: str
) -> None:
    page = visit(page_of(game, position), color_scheme=scheme)
    page.keyboard.press("End")
    ground = page.locator("main").evaluate("main => getComputedStyle(main).backgroundColor")
    assert (luminance(ground) < 0.1) == (scheme == "dark")
    fills = """texts => texts.map((text) => getComputedStyle(text).fill)"""
    between = page.locator(".edge:not(.cut) > text, .graph > text, .node[id^=ply] text").evaluate_all(fills)
    assert len(between) > 5
    assert min(contrast(fill, ground) for fill in between) >= 4.5  # WCAG 2.2, 1.4.3
    card = page.locator("#n0 a > :first-child").evaluate("card => getComputedStyle(card).fill")
    words = page.locator(".node[id^=n] text:not(.mark, [fill])").evaluate_all(fills)
    assert min(contrast(fill, card) for fill in words) >= 4.5


def test_page_is_usable_on_a_phone(visit: Visit) -> None:
    page = visit(page_of("tictactoe", "xoxo....."), viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for _ in range(20):
        page.get_by_role("button", name="Step on").click()
        expect(page.locator(".here")).to_be_in_viewport(ratio=0.5)
    _, top, _, bottom = box(page.locator("main"))
    assert bottom - top > 844 / 2
    tree = page.locator("main svg")
    assert tree.evaluate("tree => tree.getBoundingClientRect().width") > 390
    page.get_by_label("Whole tree").check()
    assert tree.evaluate("tree => tree.getBoundingClientRect().width") < 390
    expect(page.locator("#n1")).to_be_in_viewport(ratio=1)
    page.get_by_label("Whole tree").uncheck()
    page.emulate_media(media="print")  # on paper nothing can be scrolled to
    assert tree.evaluate("tree => tree.getBoundingClientRect().width") < 390
    page.emulate_media(media="null")


def test_page_steps_through_alpha_beta_in_both_directions(visit: Visit) -> None:
    """The nodes of figure 5.2 in the order of the search: A, B, b1 to b3, C, c1, c2, c3, D, d1 to d3."""
    page = visit(page_of(FIGURE))
    said, window, count = (page.locator(f"#{name}") for name in ("said", "window", "count"))

    expect(count).to_have_text("Step 1 of 23")
    expect(said).to_have_text("The search begins in A: MAX is to move.")
    expect(window).to_have_text("α = −∞, β = +∞")
    assert [words(page, 0), words(page, 1), words(page, 2)] == [["A"], ["B"], []]
    expect(page.locator("#n0")).to_have_class("node open here")
    expect(page.locator("#n1")).to_have_class("node unseen")
    expect(page.get_by_role("button", name="Step back")).to_be_disabled()

    for _ in range(3):
        page.get_by_role("button", name="Step on").click()
    expect(said).to_have_text("Back from b1: 3. B is now ≤ 3.")
    assert [words(page, 1), words(page, 2)] == [["≤ 3", "B"], ["3"]]

    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("C is ≤ 2, and α = 3: c2, c3 can change nothing and are cut off.")
    expect(window).to_have_text("α = 3, β = 2")
    expect(page.locator("#n7")).to_have_class("node cut")
    assert [words(page, nth) for nth in (0, 1, 5, 7)] == [["A", "≥ 3"], ["3", "B"], ["≤ 2", "C"], ["α = 3"]]

    page.keyboard.press("ArrowLeft")
    expect(page.locator("#n7")).to_have_class("node cut unseen")
    assert words(page, 7) == []
    page.keyboard.press("End")
    expect(said).to_have_text("The result in A: 3, by a1.")
    assert [words(page, number) for number in (0, 9)] == [["A", "3"], ["2", "D"]]
    page.keyboard.press("Home")
    assert words(page, 1) == ["B"]
    page.locator("#place").fill("16")
    expect(count).to_have_text("Step 17 of 23")
    assert words(page, 0) == ["A", "[3, 14]"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_leaf_looks_like_others_until_it_is_cut(visit: Visit, scheme: str) -> None:
    """c2 of figure 5.2, which is cut, beside d1, which is not."""
    page = visit(page_of(FIGURE), color_scheme=scheme)
    look = """shapes => shapes.map((shape) => {
      const { fill, opacity, stroke, strokeDasharray } = getComputedStyle(shape);
      return [fill, opacity, stroke, strokeDasharray].join(" ");
    })"""

    def looks(number: int) -> list[object]:
        shapes = f"#n{number} a > :is(polygon, path), #e{number} :is(path, text), :is(#n{number}, #e{number})"
        return list(page.locator(shapes).evaluate_all(look))

    assert words(page, 7) == words(page, 10) == []
    assert looks(7) == looks(10)
    page.keyboard.press("End")
    assert looks(7) != looks(10)
