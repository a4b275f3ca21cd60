"""The page that fetches positions from a server: the answers, and what a browser shows of them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from exporters.html import database_page
from solver import Database, open_database, solve
from solver.players.trembling import Trembling
from solver.rules.loading import load_game
from tests.exporters.html.conftest import Pages, Visit, cell, go, heard, position
from tests.exporters.support import page_rules
from tests.exporters.support.page_reader import ALL, assert_shown
from tests.support.page_server import served


@pytest.fixture
def page(page_with: Pages) -> Iterator[Page]:
    """A page that fails the test if a script fails, or asks anybody but its own server."""
    page, troubles = page_with(offline=False), list[str]()

    def hear(event: str, subject: Any) -> None:
        said = str(getattr(subject, {"request": "url", "console": "text"}.get(event, ""), subject))
        if not said.startswith(("http://127.0.0.1:", "Failed to load")):
            troubles.append(said)

    with heard(page, hear):
        yield page
        page.unroute_all()
        page.goto("about:blank")
    assert troubles == []


@pytest.fixture(scope="module")
def url(tictactoe: Database) -> Iterator[str]:
    with served(tictactoe) as url:
        yield url


@pytest.fixture
def tictactoe_page(page: Page, url: str) -> Page:
    page.goto(url)
    return page


GAMES = [
    pytest.param("tictactoe", {}, {}, marks=pytest.mark.slow),
    ("mnk", {"rows": 2, "columns": 2, "k": 2}, {"layout": "packed"}),
    ("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}, {}),  # two moves for one cell
    # margins, and a player moves twice
    ("dots-and-boxes", {"rows": 1, "columns": 2}, {"start": "-./|../-. +0 first"}),
    ("ponghauki", {}, {}),  # loops
    ("ponghauki", {}, {"endless": "second"}),
    ("hexapawn", {"rows": 3, "columns": 2}, {}),
    ("nim", {"heaps": (1, 2, 3), "misere": True}, {}),
    ("hexapawn", {"rows": 3, "columns": 2}, {"fold": True}),
    (f"{page_rules.__file__}:Countdown", {}, {}),  # many starts, moves that are words, no board
]
"""Games, their parameters, and options of their solves."""


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES)
def test_page_shows_every_position_as_in_database(
    solved: Any, explorer: Any, visit: Visit, page: Page, name: str, parameters: Any, options: Any
) -> None:
    """By the page that fetches positions, and by the one that has them all."""
    db = solved(name, parameters, **options)
    texts = [entry.position for entry in db.entries()]
    with served(db) as url:
        page.goto(url)
        assert_shown(db, page.evaluate(ALL, texts))
    assert_shown(db, visit(explorer(name, parameters, **options)).evaluate(ALL, texts))


def test_answer_takes_one_lookup(solved: Any) -> None:
    db = solved("tictactoe", start="x...o....")
    with patch.object(db, "entry_of", wraps=db.entry_of) as look_up:
        database_page.neighbourhood(db, "x../.o./...")
    look_up.assert_called_once()


def test_server_ranks_equal_moves(tictactoe: Database, tictactoe_page: Page) -> None:
    tictactoe_page.get_by_label("Order equal moves").check()
    go(tictactoe_page, "x...o....")
    ranking = Trembling(tictactoe).ranking(tictactoe["x...o...."]).prospects
    expect(tictactoe_page.locator("#moves .name")).to_have_text([str(item.move.move) for item in ranking])
    expect(tictactoe_page.locator("#moves .tag:last-child").first).to_contain_text("replies err, expected")


def test_live_page_is_much_smaller_than_full_page(tictactoe: Database, game_page: str) -> None:
    assert len(database_page.live(tictactoe, "rows", "ranking")) < 0.25 * len(game_page)


def test_whole_game_is_played_against_server(tictactoe: Database, tictactoe_page: Page) -> None:
    page, game = tictactoe_page, tictactoe.game
    state = game.initial
    while not game.is_terminal(state):
        mine = game.actions(state)[-1]
        cell(page, *divmod(mine, 3)).click()
        state = game.result(state, mine)
        if not game.is_terminal(state):
            reply = tictactoe[game.position(state)].best_move
            expect(page.locator("#said")).to_have_text(f"x plays {mine}. o plays {reply}.")
            state = game.result(state, reply)
    expect(page.locator("#standing")).to_contain_text("The game is over")
    assert position(page) == game.position(state)


def test_positions_can_be_typed_and_linked(tictactoe_page: Page) -> None:
    page = tictactoe_page
    go(page, "xo./.x./...")
    expect(page.locator("#standing")).to_have_text("o to move: loss in 4 plies")
    assert page.url.endswith("#p=xo..x....")
    expect(page.locator("#line li")).to_have_text(["set up"])
    expect(page.locator("#facts li")).to_have_text(["Ply 3", "6 moves"])
    page.reload()
    expect(page.locator("#standing")).to_have_text("o to move: loss in 4 plies")
    page.locator("#moves button").first.click()
    expect(page.locator("#standing")).to_contain_text("x to move")
    answered = position(page)
    page.go_back()
    expect(page.locator("#position")).to_have_value("xo..x....")
    page.go_forward()
    expect(page.locator("#position")).to_have_value(answered)


def test_refusal_of_typed_position_is_shown(tictactoe_page: Page) -> None:
    page = tictactoe_page
    for typed, says in (("xxxxxxxxx", "play from '.........' cannot reach it"), ("", "it should be 9 cells")):
        go(page, typed)
        expect(page.get_by_role("alert")).to_contain_text(says)
        expect(page.locator("#said")).to_have_text("")
        assert page.locator("#position").input_value() == typed
    cell(page, 0, 0).click()
    expect(page.locator("#said")).to_contain_text("o plays 4.")
    expect(page.get_by_role("alert")).to_have_text("")


def test_start_is_shown_even_if_a_refusal_arrives_first(page: Page, url: str) -> None:
    held = list[Route]()
    page.route("**/rows*position=.........", lambda route: held.append(route), times=1)
    page.goto(url)
    go(page, "xxxxxxxxx")
    expect(page.get_by_role("alert")).to_contain_text("cannot reach it")
    held[0].continue_()
    expect(cell(page, 0, 0)).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("cannot reach it")
    assert page.locator("#position").input_value() == "xxxxxxxxx"


def test_unreachable_server_can_be_tried_again(tictactoe_page: Page) -> None:
    page = tictactoe_page
    expect(cell(page, 0, 0)).to_be_visible()
    page.route("**/rows*", lambda route: route.abort())
    cell(page, 0, 0).click()
    expect(page.locator("#trouble")).to_contain_text("The server cannot be reached.")
    cell(page, 1, 1).click()  # nothing is played where play does not stand
    go(page, "xo..x....")
    expect(page.locator("#refusal")).to_have_text("The server cannot be reached.")
    page.unroute("**/rows*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#said")).to_have_text("x plays 0. o plays 4.")
    expect(page.locator("#trouble")).to_be_hidden()


def test_server_errors_are_shown_as_text(tictactoe_page: Page) -> None:
    page = tictactoe_page
    expect(cell(page, 0, 0)).to_be_visible()
    for status, body, says in (
        (500, '{"error": {"code": "damaged", "message": "It is <b>damaged</b>."}}', "It is <b>damaged</b>."),
        (409, '{"error": {"code": "closed", "message": "It is closed."}}', "It is closed."),
        (502, "<html>no JSON</html>", "The server's answer cannot be read (status 502)."),
    ):
        page.route("**/rows*", partial(Route.fulfill, status=status, body=body))
        cell(page, 0, 0).click()
        expect(page.locator("#trouble span")).to_have_text(says)
        assert page.locator("#trouble b").count() == 0
        page.get_by_role("button", name="Step back").click()
        expect(page.locator("#trouble")).to_be_hidden()
        expect(page.locator("#position")).to_have_value(".........")


def test_waiting_page_says_so_and_takes_no_moves(tictactoe_page: Page) -> None:
    page, held = tictactoe_page, list[Route]()
    expect(cell(page, 0, 0)).to_be_visible()
    page.get_by_label("You play").select_option("both sides")
    page.route("**/rows*", lambda route: held.append(route))
    cell(page, 0, 0).click()
    expect(page.locator("#said")).to_have_text("Waiting for the answer …")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "true")
    cell(page, 1, 1).click()
    page.keyboard.press("2")
    page.evaluate("document.getElementById('reply').click()")
    for route in held:
        route.continue_()
    expect(page.locator("#said")).to_have_text("x plays 0.")
    assert position(page) == "x........"
    assert page.locator("#board").get_attribute("aria-busy") is None


def test_page_asks_for_reload_after_database_is_replaced(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "nim.db"
    solve(load_game("nim", {"heaps": (1, 2)}), path)
    with open_database(path) as db, served(db) as url:
        page.goto(url)
        expect(page.locator("#standing")).to_contain_text("win in 3 plies")
        shown = [page.locator(f"#{part}").inner_text() for part in ("standing", "moves")]
        solve(load_game("nim", {"heaps": (1, 2), "misere": True}), path, force=True)
        go(page, "0,2 second")
        expect(page.locator("#trouble span")).to_have_text("The file was replaced: load the page again.")
        assert [page.locator(f"#{part}").inner_text() for part in ("standing", "moves")] == shown


def test_answer_does_not_overwrite_typed_text(tictactoe_page: Page) -> None:
    page, held = tictactoe_page, list[Route]()
    page.route("**/rows*", lambda route: held.append(route))
    page.reload()
    expect(page.locator("#said")).to_have_text("Waiting for the answer …")
    page.locator("#position").fill("xo..x....")
    for route in held:
        route.continue_()
    expect(page.locator("#said")).to_have_text("")
    page.unroute("**/rows*")
    page.keyboard.press("Enter")
    expect(page.locator("#standing")).to_have_text("o to move: loss in 4 plies")


def test_late_answer_does_not_undo_a_new_game(tictactoe_page: Page) -> None:
    page, held = tictactoe_page, list[Route]()
    expect(cell(page, 0, 0)).to_be_visible()
    page.get_by_label("You play").select_option("both sides")
    page.route("**/rows*", lambda route: held.append(route))
    go(page, "xo..x....")
    expect(page.locator("#said")).to_have_text("Waiting for the answer …")
    page.get_by_role("button", name="New game").click()
    expect(page.locator("#said")).to_have_text("A new game.")
    for route in held:
        route.continue_()
    page.wait_for_timeout(200)
    assert position(page) == "........."


def test_page_may_connect_only_to_its_own_server(
    tictactoe: Database, game_page: str, browser: Browser, url: str
) -> None:
    assert "connect-src" not in game_page
    with served(tictactoe) as other:
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)
        expect(cell(page, 0, 0)).to_be_visible()
        tried = "(url) => fetch(url).then(() => 'answered', () => 'refused')"
        assert page.evaluate(tried, url) == "answered"
        assert page.evaluate(tried, other) == "refused"
        context.close()
