"""Pages opened from disk in a browser that complain about nothing and load nothing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

import solver
from exporters.html import database_page
from tests.support import solved as solved_games


class Visit(Protocol):
    """Opens a page, given its text; `fragment` is what follows in its address.

    The rest are options of the browser: a test has one page for all of its visits with the same ones, and
    without any it is the usual page.
    """

    def __call__(self, html: str, fragment: str = "", **context: Any) -> Page: ...


PATIENCE = 30_000
"""How many milliseconds a page may take on a machine that is busy with other tests."""

expect.set_options(timeout=PATIENCE)


VIEWPORT: ViewportSize = {"width": 1280, "height": 800}


def position(page: Page) -> str:
    """The position that a page shows."""
    return page.locator("#position").input_value()


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell of the board."""
    return page.locator(f'[data-cell="{row} {column}"]')


def go(page: Page, typed: str) -> None:
    """Type a position and go there."""
    page.locator("#position").fill(typed)
    page.get_by_role("button", name="Go", exact=True).click()


@pytest.fixture(scope="module")
def usual_page(browser: Browser) -> Iterator[Page]:
    """A page that tests open files in one after another: a new one takes longer than most of them."""
    context = browser.new_context(viewport=VIEWPORT)
    yield context.new_page()
    context.close()


@pytest.fixture
def visit(browser: Browser, usual_page: Page, tmp_path: Path) -> Iterator[Visit]:
    pages, files, troubles = {"{}": usual_page}, list[str](), list[str]()
    listeners: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: troubles.append(f"console: {message.text}"),
        "pageerror": lambda error: troubles.append(f"error: {error}"),
        "dialog": lambda dialog: troubles.append(f"dialog: {dialog.message}"),
        "request": lambda request: (
            None if request.url.split("#")[0] in files else troubles.append(request.url)
        ),
    }

    def listen(page: Page) -> Page:
        page.set_default_timeout(PATIENCE)
        for event, listener in listeners.items():
            page.on(event, listener)
        return page

    def opened(html: str, fragment: str = "", **options: Any) -> Page:
        file = tmp_path / f"page{len(files)}.html"
        file.write_text(html, "utf-8")
        files.append(file.as_uri())
        if (page := pages.get(str(options))) is None:
            page = listen(browser.new_context(**{"viewport": VIEWPORT, **options}).new_page())
            pages[str(options)] = page
        page.goto(file.as_uri() + fragment)
        return page

    listen(usual_page)
    yield opened
    for page in pages.values():
        if page is not usual_page:
            page.context.close()
    for event, listener in listeners.items():
        usual_page.remove_listener(event, listener)
    assert troubles == []


@pytest.fixture(scope="package")
def solved() -> Iterator[Callable[..., solver.Database]]:
    """Opens the database of a game as `support.solved` does, until the last test is done."""
    with ExitStack() as opened:
        yield lambda *game, **options: opened.enter_context(solved_games.solved(*game, **options))


@pytest.fixture(scope="package")
def game_page(tictactoe: solver.Database) -> str:
    """The page of tic-tac-toe with every position."""
    return database_page.render(tictactoe)
