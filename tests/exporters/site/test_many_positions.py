"""Random positions of packed files: Node and the page equal `query --json`."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from solver import open_database
from tests.exporters.support.page_reader import ALL, expected
from tests.support.commandline import call
from tests.support.sites import hosted, made_site, random_boards, random_texts, spoilt
from tests.support.solved import solved_file

AT_ONCE = 2000
"""Positions of a command line, or of a question to the page."""

GAMES: list[tuple[str, dict[str, Any], dict[str, Any], int | None]] = [
    ("connect", {"rows": 4, "columns": 4}, {}, 12),
    ("quixo", {"rows": 4, "columns": 4, "k": 4}, {"fold": True}, None),
    ("chess-ending", {"pieces": "KQKR"}, {"fold": True}, None),
    ("connect", {"rows": 6, "columns": 5}, {}, 25),
]
"""Games, their parameters, the options of their solves, and a ply which their sites leave out, if any."""

NUMBERS = [(GAMES[0], 500), *(pytest.param((game, 20_000), marks=pytest.mark.slow) for game in GAMES)]
"""Slow tests ask 20,000 positions of each game, which takes an hour, and others few of the first one."""


@pytest.fixture(scope="module", params=NUMBERS, ids=str)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, int]:
    """The file, its site, and the number of positions."""
    (name, parameters, options, late), number = request.param
    path = solved_file(name, parameters, engine="auto", layout="packed", **options)
    folder = tmp_path_factory.mktemp("site") / "game"
    about = made_site(path, folder)
    assert late is None or about["late"]["ply"] < late
    return path, folder, number


def asked_of_node(folder: Path, texts: list[str]) -> Iterator[Any]:
    """What query.mjs prints of each text."""
    for begin in range(0, len(texts), AT_ONCE):
        words = ["node", f"{folder}/query.mjs", *texts[begin : begin + AT_ONCE]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode in (0, 3), done.stderr) == (True, "")
        yield from map(json.loads, done.stdout.splitlines())


def test_node_prints_the_same_answers_as_query(site: tuple[Path, Path, int]) -> None:
    """Of positions of the file, and of as many texts that are spoilt or boards that play need not reach."""
    path, folder, number = site
    with open_database(path) as db:
        random = Random(number)
        texts = random_texts(db, random, number)
        boards = random_boards(db, random, number) if db.game_name == "connect" else []
        texts += boards or [spoilt(text, random) for text in texts]
        if db.game_name == "chess-ending":
            texts = [text + random.choice(["", " - -", " - - 0 1"]) for text in texts]
    printed = call("query", path, "-", "--json", input="\n".join(texts)).stdout.splitlines()
    refused = 0
    for text, answer, line in zip(texts, asked_of_node(folder, texts), printed, strict=True):
        wanted = json.loads(line)
        wanted.pop("evaluation", None)
        if "error" in wanted:
            assert answer["error"]["code"] in (wanted["error"]["code"], "unknown-position"), text
            refused += 1
        else:
            assert answer == wanted, text
    assert (number // 5 if boards else 0) < refused < number


def test_page_shows_random_positions_as_in_database(site: tuple[Path, Path, int], browser: Browser) -> None:
    path, folder, number = site
    number = number if number > 500 else 100
    with open_database(path) as db, hosted(folder.parent) as url:
        texts = random_texts(db, Random(number), number)
        page = browser.new_page()
        page.goto(f"{url}/game/")
        page.wait_for_selector("#moves button")
        for begin in range(0, number, AT_ONCE):
            asked = texts[begin : begin + AT_ONCE]
            for text, shown in zip(asked, page.evaluate(ALL, asked), strict=True):
                assert {**shown, "cells": []} == {**expected(db, db[text]), "cells": []}
        page.close()
