"""The page of a site shows in a browser what the database has, from plain files behind a path."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from solver import open_database
from tests.exporters.support.page_reader import ALL, assert_shown
from tests.support.commandline import call
from tests.support.solved import solved_file

GAMES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("hexapawn", {}, {"engine": "auto", "layout": "packed"}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, {}),
    ("nim", {"heaps": (1, 2, 3)}, {}),
]


class Files(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The URL of a folder while it is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES)
def test_every_position_is_shown_as_the_database_has_it(
    browser: Browser, tmp_path: Path, name: str, parameters: dict[str, Any], options: dict[str, Any]
) -> None:
    path, folder = solved_file(name, parameters, **options), tmp_path / "behind" / "a-path"
    folder.parent.mkdir()
    assert call("site", path, "-o", folder).exit_code == 0
    page, troubles = browser.new_page(), list[str]()
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    with hosted(tmp_path) as url, open_database(path) as db:
        page.goto(f"{url}/behind/a-path/")
        expect(page.locator("#moves button").first).to_be_visible()
        page.fill("#position", "nothing")
        page.click("#jump button")
        expect(page.locator("#refusal")).to_contain_text("nothing")
        assert page.locator("#ranks").is_hidden()
        page.reload()
        expect(page.locator("#moves button").first).to_be_visible()
        assert_shown(db, page.evaluate(ALL, [entry.position for entry in db.entries()]))
    page.close()
    assert troubles == []


def test_a_page_without_its_files_says_so(browser: Browser, tmp_path: Path) -> None:
    assert call("site", solved_file("hexapawn"), "-o", tmp_path / "site").exit_code == 0
    page = browser.new_page()
    page.goto((tmp_path / "site" / "index.html").as_uri())
    expect(page.locator("#trouble")).to_contain_text("need a web host")
    (tmp_path / "site" / "site.js").rename(tmp_path / "site.js")
    with hosted(tmp_path) as url:
        page.goto(f"{url}/site/")
        expect(page.locator("#trouble")).to_contain_text("cannot be reached")
        (tmp_path / "site.js").rename(tmp_path / "site" / "site.js")
        page.click("#again")
        expect(page.locator("#moves button").first).to_be_visible()
    page.close()
