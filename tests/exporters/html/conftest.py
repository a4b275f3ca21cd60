"""Opens pages from disk in a browser, and checks that they report no errors and load nothing.

Timers of the pages run in a tenth of the time.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import solver
from exporters.html import database_page
from tests.support import solved as solved_games

Visit = Callable[..., Page]
"""Opens a page with this HTML; a second argument, `fragment`, is appended to its address.

The other arguments are options of the browser context.
"""


PATIENCE = 30_000
"""The most milliseconds to wait for a page on a machine that is busy with other tests."""

expect.set_options(timeout=PATIENCE)


THINKING = 45
"""Milliseconds that a page waits before it moves."""

SOONER = """
const timeout = window.setTimeout;
window.setTimeout = (act, pause = 0, ...given) => timeout(act, pause / 10, ...given);
"""


def position(page: Page) -> str:
    return page.locator("#position").input_value()


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'[data-cell="{row} {column}"]')


def box(actual: Locator) -> tuple[float, float, float, float]:
    """The left, upper, right and lower edge of an element."""
    edges = actual.bounding_box()
    assert edges is not None
    return edges["x"], edges["y"], edges["x"] + edges["width"], edges["y"] + edges["height"]


def go(page: Page, typed: str) -> None:
    """Type a position and go there."""
    page.locator("#position").fill(typed)
    page.get_by_role("button", name="Go", exact=True).click()


Pages = Callable[..., Page]
"""Returns the page that all visits with the same options of the browser context share."""


@pytest.fixture(scope="session")
def page_with(browser: Browser) -> Pages:
    """Reuses pages for further tests: opening a new page takes longer than most tests."""
    pages = dict[str, Page]()

    def page(**options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        if (known := pages.get(str(options))) is None:
            known = pages[str(options)] = browser.new_context(**options).new_page()
            known.add_init_script(SOONER)
            known.set_default_timeout(PATIENCE)
        elif known.viewport_size != options["viewport"]:
            known.set_viewport_size(options["viewport"])
        return known

    return page


@contextmanager
def heard(page: Page, hear: Callable[[str, Any], None]) -> Iterator[None]:
    """Call `hear` with the name and subject of every console message, error, dialog and request of a page."""
    events: tuple[Any, ...] = ("console", "pageerror", "dialog", "request")
    listeners = {event: partial(hear, event) for event in events}
    for event, listener in listeners.items():
        page.on(event, listener)
    yield
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


@pytest.fixture
def visit(page_with: Pages, tmp_path: Path) -> Iterator[Visit]:
    files, troubles, pages = list[str](), list[str](), list[Page]()

    def hear(event: str, subject: Any) -> None:
        if event != "request":
            troubles.append(f"{event}: {subject}")
        elif subject.url.split("#")[0] not in files:
            troubles.append(subject.url)

    with ExitStack() as hearing:

        def opened(html: str, fragment: str = "", **options: Any) -> Page:
            file = tmp_path / f"page{len(files)}.html"
            file.write_text(html, "utf-8")
            files.append(file.as_uri())
            if (page := page_with(**options)) not in pages:
                pages.append(page)
                hearing.enter_context(heard(page, hear))
            page.goto(file.as_uri() + fragment)
            return page

        yield opened
    assert troubles == []


@pytest.fixture(scope="package")
def solved() -> Iterator[Callable[..., solver.Database]]:
    """Opens the database of a game as `support.solved` does, and closes it after the last test."""
    with ExitStack() as opened:
        yield lambda *game, **options: opened.enter_context(solved_games.solved(*game, **options))


@pytest.fixture(scope="package")
def explorer(solved: Callable[..., solver.Database]) -> Callable[..., str]:
    """Returns the page of a game with every position; each page is made once."""
    pages = dict[str, str]()

    def made(*game: Any, **options: Any) -> str:
        if (key := str((game, options))) not in pages:
            pages[key] = database_page.render(solved(*game, **options))
        return pages[key]

    return made


@pytest.fixture(scope="package")
def game_page(explorer: Callable[..., str]) -> str:
    """The page of tic-tac-toe."""
    return explorer("tictactoe")
