"""The page of solved games in a browser."""

import base64
from functools import partial
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from exporters.html.catalogue import render
from solver import open_database
from tests.exporters.html.conftest import Visit
from tests.support.solved import solved


@pytest.fixture(scope="module")
def html() -> str:
    nim = partial(solved, "nim", {"heaps": "1,2"})
    mnk = partial(solved, "mnk", {"rows": 2, "columns": 2, "k": 2}, fold=True)
    links = [("nim.db", "nim.db"), ("a <b>", "a b#.svg")]
    return render(
        [
            ("nim", nim, links, ["nim.db: <proved>"], None),
            ("mnk", mnk, [], [], "states should be 5 & not 6"),
            ("gone", partial(open_database, "gone.db"), [], [], None),
        ]
    )


def test_each_game_has_picture_value_and_links(html: str, visit: Visit) -> None:
    nim, mnk, gone = visit(html).locator("#games > li").all()
    expect(nim).to_contain_text("Nim with heaps of 1, 2")
    expect(nim).to_contain_text("first to move: win in 3 plies\n7 positions", use_inner_text=True)
    expect(nim).to_contain_text("nim.db: <proved>")
    expect(mnk).to_contain_text("6 classes of symmetric positions")
    expect(mnk.locator(".failure")).to_have_text("Failed: states should be 5 & not 6")
    expect(gone).to_contain_text("does not exist")
    assert [item.get_attribute("href") for item in nim.locator("a").all()] == ["nim.db", "a%20b%23.svg"]
    for game, position in ((nim, "1,2 first"), (mnk, "....")):
        picture = game.locator("img")
        assert picture.get_attribute("alt") == f"The start: {position}"
        assert picture.evaluate("image => image.complete && image.naturalWidth > 50")
        ET.fromstring(base64.b64decode((picture.get_attribute("src") or "").partition(",")[2]))


def test_search_box_matches_all_typed_words(html: str, visit: Visit) -> None:
    page = visit(html)
    games, count = page.locator("#games > li:visible"), page.locator("#count")
    expect(count).to_have_text("3 of 3")
    for typed, actual in (("NIM", 1), ("win pos", 2), ("win nim", 1), ("chess", 0), (" ", 3)):
        page.get_by_role("searchbox", name="Search").fill(typed)
        expect(games).to_have_count(actual)
        expect(count).to_have_text(f"{actual} of 3")
