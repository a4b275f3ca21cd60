"""Pages in Firefox: they show the labels of the database, and are played by clicks and keys."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exporters.html import database_page
from solver import Database
from tests.exporters.html.test_live_page import GAMES
from tests.exporters.support.page_reader import ALL, assert_shown
from tests.support.firefox import Firefox, running
from tests.support.page_server import served

pytestmark = pytest.mark.slow

SAID = "document.getElementById('said').textContent"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with running(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def click(firefox: Firefox, row: int, column: int) -> None:
    firefox.evaluate(f"""document.querySelector('[data-cell="{row} {column}"]').click()""")


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(("name", "parameters", "options"), GAMES[1:])
def test_page_shows_every_position_as_in_database(
    solved: Any, firefox: Firefox, tmp_path: Path, name: str, parameters: Any, options: Any, live: bool
) -> None:
    db = solved(name, parameters, **options)
    file = tmp_path / "page.html"
    file.write_text(database_page.render(db), "utf-8")
    with served(db) as url:
        firefox.open(url if live else file.as_uri())
        shown = firefox.evaluate(f"({ALL})({json.dumps([entry.position for entry in db.entries()])})")
    assert_shown(db, shown)


def test_game_against_server_is_played_by_click_and_key(tictactoe: Database, firefox: Firefox) -> None:
    with served(tictactoe) as url:
        firefox.open(url)
        firefox.until("document.querySelector('.cell')")
        click(firefox, 0, 0)
        firefox.until(f"{SAID} === 'x plays 0. o plays 4.'")
        firefox.press("1")
        firefox.until(f"{SAID} === 'x plays 1. o plays 2.'")
        firefox.evaluate("history.back()")
        firefox.until("document.getElementById('position').value === 'x...o....'")
        firefox.evaluate("location.hash = '#p=xxxoo....&answers=hidden'")
        firefox.until("document.getElementById('standing').textContent === 'The game is over: x has won'")


@pytest.mark.parametrize("name", ["tictactoe", "ponghauki", "dots-and-boxes", "kayles", "hexapawn"])
def test_page_is_no_wider_than_the_screen(solved: Any, firefox: Firefox, name: str) -> None:
    with served(solved(name)) as url:
        firefox.open(url)
        firefox.until("document.querySelector('.cell')")
        for width in (390, 1280):
            firefox.resize(width, 800)
            assert firefox.evaluate("document.documentElement.scrollWidth") <= width
            sizes = firefox.evaluate(
                "[...document.querySelectorAll('.cell')].map((each) => each.getBoundingClientRect())"
                ".map(({ width, height }) => Math.min(width, height))"
            )
            assert min(sizes) > 12
