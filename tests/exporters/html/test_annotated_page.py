"""The page of annotated games in a browser: buttons, keys, moves, the curve and links."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from exporters.html.annotated_page import render
from exporters.html.rows import SizeLimit
from solver import Database, annotate
from solver.errors import PageTooLarge
from solver.players.match import PlayedGame
from tests.exporters.html.conftest import Visit, box, cell

NAMES = ("human", "uct")
TRAP = PlayedGame(NAMES, ".........", (0, 4, 8, 2, 6, 7, 3), 0, 1, None)
LEFT = PlayedGame(NAMES, ".........", (4,), None, None, None)


@pytest.fixture(scope="module")
def html(tictactoe: Database) -> str:
    return render([annotate(tictactoe, item) for item in (TRAP, LEFT)])


def stands(page: Page, standing: str, said: str) -> None:
    expect(page.locator("#standing")).to_have_text(standing)
    expect(page.locator("#said")).to_contain_text(said)


def test_game_can_be_stepped_through(html: str, visit: Visit) -> None:
    page = visit(html)
    stands(page, "x to move: draw", "")
    expect(page.locator("#previous")).to_be_disabled()
    page.get_by_role("button", name="Next move").click()
    stands(page, "1. x plays 0 !?", "leaves the opponent a single good move")
    expect(cell(page, 0, 0).locator(".mark")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands(page, "4. o plays 2 ?", "It was a draw. x to move: win in 3 plies")
    assert page.url.endswith("#game=1&ply=4")
    expect(page.locator("#line [aria-current]")).to_have_text("4. 2?")
    page.keyboard.press("End")
    stands(page, "7. x plays 3", "The game is over: x has won")
    expect(page.locator("#next")).to_be_disabled()
    page.keyboard.press("Home")
    page.locator("#line button", has_text="2. 4").click()
    stands(page, "2. o plays 4 !", "is the only move that keeps a win or a draw")


def test_better_lines_and_unplayed_moves_can_be_tried(html: str, visit: Visit) -> None:
    page = visit(html, "#game=1&ply=4")
    expect(page.locator("#had")).to_have_text("draw")
    page.locator("#instead button").last.click()
    stands(page, "Not played: 1, 7, 6, 2, 5, 3", "The game is over: a draw")
    page.locator("#line button", has_text="4. 2").click()
    page.locator("#instead button").nth(1).click()
    stands(page, "Not played: 1, 7", "o to move: draw")
    expect(cell(page, 2, 1).locator(".mark")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#standing")).to_have_text("Not played: 1, 7, 6")
    page.locator("#line button", has_text="4. 2").click()
    cell(page, 2, 0).press("Enter")  # as it was played
    expect(cell(page, 2, 0)).to_be_focused()
    stands(page, "5. x plays 6", "o to move: loss in 2 plies")
    page.get_by_role("button", name="Previous move").click()
    page.locator("#moves button", has_text="loss").first.click()
    expect(page.locator("#standing")).to_contain_text("Not played: ")
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator("#standing")).to_have_text("4. o plays 2 ?")


def test_curve_game_list_and_link_select_game_and_ply(html: str, visit: Visit) -> None:
    page = visit(html)
    svg = page.locator("#curve svg")
    expect(svg).to_have_attribute("aria-label", "The value, step by step: draw, draw, draw, draw, x, x, x, x")
    left, _, right, _ = box(svg)
    svg.click(position={"x": (right - left) * 4 / 7, "y": 5})
    expect(page.locator("#standing")).to_have_text("4. o plays 2 ?")
    page.locator("#game").select_option("1")
    expect(page.locator("#line button")).to_have_text(["1. 4"])
    expect(page.locator("#accuracy li").last).to_contain_text("all games, uct: accuracy 50%")
    page.evaluate("location.hash = '#game=1&ply=99'")
    expect(page.locator("#standing")).to_have_text("7. x plays 3")


def test_current_move_of_a_long_game_is_in_view(solved: Any, visit: Visit) -> None:
    db = solved("ponghauki")
    entry, names = db[db.start], list[str | int]()
    while len(names) < 80:  # which goes in circles
        names.append(entry.moves_by_action[0].move)
        entry = db[entry.moves_by_action[0].position]
    page = visit(render([annotate(db, PlayedGame(NAMES, db.start, tuple(names), None, None, None))]))
    page.keyboard.press("End")
    expect(page.locator("#line [aria-current]")).to_be_in_viewport()


def test_two_cell_moves_are_made_on_the_board(solved: Any, visit: Visit) -> None:
    db = solved("hexapawn", {"rows": 3, "columns": 3})
    played = PlayedGame(NAMES, db.start, ("a1-a2", "b3xa2"), None, None, None)
    page = visit(render([annotate(db, played)]))
    for clicks, text in (([(2, 0), (1, 0)], "1. white plays a1-a2"), ([(0, 1), (1, 1)], "Not played: b3-b2")):
        for row, column in clicks:
            cell(page, row, column).click()
        expect(page.locator("#standing")).to_contain_text(text)


def test_long_player_names_leave_room_for_the_curve(html: str, visit: Visit) -> None:
    page = visit(html.replace('"players":["x","o"]', f'"players":["x","{"o " * 90}"]'))
    expect(page.locator("#curve")).to_contain_text("o o wins")
    left, _, right, _ = box(page.locator("#curve svg"))
    assert right - left > 150


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_a_phone_screen(html: str, visit: Visit, scheme: str) -> None:
    page = visit(html, "#game=1&ply=4", viewport={"width": 390, "height": 844}, color_scheme=scheme)
    expect(page.locator("#board")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_page_over_size_limit_is_refused(tictactoe: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.html.annotated_page.SizeLimit", partial(SizeLimit, bytes=2600))
    games = [annotate(tictactoe, item) for item in (TRAP, LEFT)]
    assert render(games[:1])
    with pytest.raises(PageTooLarge, match=r"the page of 2 games has .*: annotate fewer of them"):
        render(games)
