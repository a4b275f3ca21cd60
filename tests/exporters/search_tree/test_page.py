"""The page that goes through a search, in a real browser: by buttons, by keys and by its slider."""

from playwright.sync_api import Page, expect

from exporters.search_tree.picture import render
from solver.rules.loading import load_game
from solver.search import Settings, search
from solver.search.recorder import SearchRecorder
from tests.exporters.html.conftest import Visit, usual_page, visit
from tests.support.pages import ROOT

__all__ = ["usual_page", "visit"]


def words(page: Page, number: int) -> list[str]:
    """The texts in a node that can be seen."""
    texts = page.locator(f"#n{number} text").all_text_contents()
    return [text for text in texts if text.strip()]


def test_a_page_goes_through_alpha_beta_forwards_and_backwards(visit: Visit) -> None:
    """The nodes of figure 5.2 in the order of the search: A, B, b1 to b3, C, c1, c2, c3, D, d1 to d3."""
    game = load_game(f"{ROOT / 'docs' / 'aima_5_2.py'}:Figure")
    recorder = SearchRecorder(game, "alpha-beta")
    search("alpha-beta", game, "A", Settings(recorder=recorder))
    page = visit(str(render(recorder.trace(), "html")))
    said, window, count = (page.locator(f"#{name}") for name in ("said", "window", "count"))

    expect(count).to_have_text("Step 1 of 23")
    expect(said).to_have_text("It begins in A: MAX is to move.")
    expect(window).to_have_text("α = −∞, β = +∞")
    assert [words(page, 0), words(page, 1), words(page, 2)] == [["A"], ["B"], []]
    expect(page.locator("#n0")).to_have_class("node open here")
    expect(page.locator("#n1")).to_have_class("node unseen")
    expect(page.get_by_role("button", name="Step back")).to_be_disabled()

    for _ in range(3):
        page.get_by_role("button", name="Step on").click()
    expect(said).to_have_text("b1 comes to 3, which goes up: B is ≤ 3 now.")
    assert [words(page, 1), words(page, 2)] == [["≤ 3", "B"], ["3"]]

    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("C is ≤ 2, and α = 3: c2, c3 can change nothing and are cut off.")
    expect(window).to_have_text("α = 3, β = 2")
    expect(page.locator("#n7")).to_have_class("node cut")
    assert [words(page, number) for number in (0, 1, 5, 7)] == [
        ["A", "≥ 3"],
        ["3", "B"],
        ["≤ 2", "C"],
        ["α = 3"],
    ]

    page.keyboard.press("ArrowLeft")
    expect(page.locator("#n7")).to_have_class("node cut unseen")
    assert words(page, 7) == []
    page.keyboard.press("End")
    expect(said).to_have_text("A comes to 3, by a1.")
    assert [words(page, number) for number in (0, 9)] == [["A", "3"], ["2", "D"]]
    page.keyboard.press("Home")
    assert words(page, 1) == ["B"]
    page.locator("#place").fill("16")
    expect(count).to_have_text("Step 17 of 23")
    assert words(page, 0) == ["A", "[3, 14]"]
