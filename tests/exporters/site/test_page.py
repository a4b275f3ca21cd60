"""The page of a site in a browser, from plain files behind a path, equals the database."""

from contextlib import suppress
from os import utime
from pathlib import Path
from time import sleep, time
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from exporters.site import late
from solver import open_database
from tests.exporters.support.page_reader import ALL, assert_shown
from tests.support.commandline import call
from tests.support.sites import hosted
from tests.support.solved import solved_file

GAMES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("hexapawn", {}, {"engine": "auto", "layout": "packed"}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, {}),
    ("nim", {"heaps": (1, 2, 3)}, {}),
    ("mnk", {"rows": 2, "columns": 3, "k": 2}, {}),
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sites of small games omit plies."""
    monkeypatch.setattr(late, "MIN_STATES", 10)


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES)
def test_page_shows_every_position_as_in_database(
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


def test_page_reports_missing_files(browser: Browser, tmp_path: Path) -> None:
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


OFFLINE_SCRIPT = "navigator.serviceWorker.ready.then((worker) => worker.active.scriptURL)"
"""Where the service worker is, once it has all files."""

NEWER = """async () => {
  const kept = await navigator.serviceWorker.ready;
  await kept.update();
  for (let nth = 0; !kept.waiting && nth < 400; nth += 1) await new Promise((go) => setTimeout(go, 50));
  return [kept.installing, kept.waiting, kept.active].map((each) => each?.state);
}"""
"""Waits until there is a newer one that has all files."""


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES[::2])
def test_site_works_offline_after_a_visit(
    browser: Browser, tmp_path: Path, name: str, parameters: dict[str, Any], options: dict[str, Any]
) -> None:
    path, folder = solved_file(name, parameters, **options), tmp_path / "behind" / "a-path"
    folder.parent.mkdir()
    assert call("site", path, "-o", folder, "--offline").exit_code == 0
    context = browser.new_context()
    with hosted(tmp_path) as url:
        page = context.new_page()
        page.goto(f"{url}/behind/a-path/")
        assert page.evaluate(OFFLINE_SCRIPT) == f"{url}/behind/a-path/offline.js"
        page.close()
    page = context.new_page()
    page.goto(f"{url}/behind/a-path/?from=a-link")
    expect(page.locator("#moves button").first).to_be_visible()
    with open_database(path) as db:
        assert_shown(db, page.evaluate(ALL, [entry.position for entry in db.entries()]))
    with suppress(Error):  # another host may have that port by now
        answer = page.goto(f"{url}/behind/")
        assert answer is not None
        assert answer.status == 404
    context.close()


def test_newer_offline_site_is_shown_on_the_next_visit(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context()
    with hosted(tmp_path) as url:
        for name in ("hexapawn", "nim"):
            words = "-o", tmp_path / "site", "--offline", "--force"
            assert call("site", solved_file(name), *words).exit_code == 0
            if name == "hexapawn":  # hosts tell a newer file by the second in which it was written
                for file in (tmp_path / "site").rglob("*"):
                    utime(file, (0, 0))
            page = context.new_page()
            page.goto(f"{url}/site/")
            expect(page.locator("h1")).to_contain_text("Hexapawn")
            page.evaluate(OFFLINE_SCRIPT)
            if name == "nim":
                assert page.evaluate(NEWER) == [None, "installed", "activated"]
            page.close()
    page = newer_page(context, f"{url}/site/")
    assert len(page.evaluate("caches.keys()")) == 1
    context.close()


def newer_page(context: BrowserContext, url: str) -> Page:
    """The page of the newer site, which comes some time after the last page of the older one was closed."""
    for _ in range(200):
        page = context.new_page()
        page.goto(url)
        if page.locator("h1").inner_text().startswith("Nim"):
            return page
        page.close()
        sleep(0.3)
    raise AssertionError("the older site is still shown")


def test_site_no_longer_offline_is_loaded_from_its_host(browser: Browser, tmp_path: Path) -> None:
    context, words = browser.new_context(), ("-o", tmp_path / "site")
    assert call("site", solved_file("hexapawn"), *words, "--offline").exit_code == 0
    for file in (tmp_path / "site").rglob("*"):
        utime(file, (time() - 3, time() - 3))  # not the second of the newer one
    with hosted(tmp_path) as url:
        page = context.new_page()
        page.goto(f"{url}/site/")
        page.evaluate(OFFLINE_SCRIPT)
        page.close()
        assert call("site", solved_file("nim"), *words, "--force").exit_code == 0
        newer_page(context, f"{url}/site/")
    context.close()
