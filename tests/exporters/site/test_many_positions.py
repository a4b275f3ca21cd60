"""Random positions of a game of 161,029 states: Node and the page have what `query --json` prints of them."""

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
from tests.support.sites import hosted, random_boards
from tests.support.solved import solved_file

AT_ONCE = 2000
"""Positions of a command line."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The file and its site, which leaves plies out."""
    path = solved_file("connect", {"rows": 4, "columns": 4}, engine="auto", layout="packed")
    folder = tmp_path_factory.mktemp("site") / "connect"
    assert call("site", path, "-o", folder).exit_code == 0
    assert json.loads((folder / "site.json").read_text())["late"]["ply"] < 12
    return path, folder


def asked_of_node(folder: Path, texts: list[str]) -> Iterator[Any]:
    """What query.mjs prints of each text."""
    for begin in range(0, len(texts), AT_ONCE):
        words = ["node", f"{folder}/query.mjs", *texts[begin : begin + AT_ONCE]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode in (0, 3), done.stderr) == (True, "")
        yield from map(json.loads, done.stdout.splitlines())


@pytest.mark.parametrize("number", [500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_node_prints_what_query_does(site: tuple[Path, Path], number: int) -> None:
    """Of each position of the file, and of as many boards, most of which play cannot reach."""
    path, folder = site
    with open_database(path) as db:
        texts = [*Random(number).sample([*db], number), *random_boards(db, Random(number), number)]
    printed = call("query", path, "-", "--json", input="\n".join(texts)).stdout.splitlines()
    refused = 0
    for text, found, line in zip(texts, asked_of_node(folder, texts), printed, strict=True):
        wanted = json.loads(line)
        wanted.pop("evaluation", None)
        if "error" in wanted:
            assert found["error"]["code"] in (wanted["error"]["code"], "unknown-position"), text
            refused += 1
        else:
            assert found == wanted, text
    assert number // 5 < refused < number


@pytest.mark.parametrize("number", [100, pytest.param(2_000, marks=pytest.mark.slow)])
def test_the_page_shows_what_the_file_has(site: tuple[Path, Path], browser: Browser, number: int) -> None:
    path, folder = site
    with open_database(path) as db, hosted(folder.parent) as url:
        texts = Random(number).sample([*db], number)
        page = browser.new_page()
        page.goto(f"{url}/connect/")
        page.wait_for_selector("#moves button")
        for text, found in zip(texts, page.evaluate(ALL, texts), strict=True):
            assert {**found, "cells": []} == {**expected(db, db[text]), "cells": []}
        page.close()
