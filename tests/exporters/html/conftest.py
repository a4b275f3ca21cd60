"""Pages opened from disk in a browser that complain about nothing and load nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import solver


class Visit(Protocol):
    """Opens a page, given its text; `fragment` is what follows in its address, the rest is of the browser."""

    def __call__(self, html: str, fragment: str = "", **context: Any) -> Page: ...


PATIENCE = 30_000
"""How many milliseconds a page may take on a machine that is busy with other tests."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    contexts, troubles = list[BrowserContext](), list[str]()

    def opened(html: str, fragment: str = "", **context: Any) -> Page:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(html, "utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                None if request.url.split("#")[0] == file.as_uri() else troubles.append(request.url)
            ),
        )
        page.goto(file.as_uri() + fragment)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def solved(tmp_path: Path) -> Iterator[Any]:
    """Makes the database of a game, given by name with parameters, or by an object."""
    opened = list[solver.Database]()

    def made(game: Any, parameters: dict[str, Any] | None = None, **options: Any) -> solver.Database:
        rules = solver.load_game(game, parameters or {}) if isinstance(game, str) else game
        path = tmp_path / f"{len(opened)}.db"
        solver.solve(rules, path, **{"engine": "graph", **options})
        opened.append(solver.open_database(path))
        return opened[-1]

    yield made
    for database in opened:
        database.close()


@pytest.fixture(scope="module")
def tictactoe(tictactoe_db_path: Path) -> Iterator[solver.Database]:
    with solver.open_database(tictactoe_db_path) as db:
        yield db
