"""The contact sheet has every game, search, format and page."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from solver.search import SEARCHES
from solver.system.plugins import entries
from tests.contact_sheet.__main__ import Line, sections, shown
from tests.support.commandline import python
from tests.support.pages import ROOT

COMMANDS = "\n".join(line.text for lines in sections().values() for line in lines)


def test_sheet_covers_all_games_searches_and_formats() -> None:
    words = set(COMMANDS.replace(":", " ").replace('"', " ").split())
    assert set(SEARCHES) <= words
    assert set(entries("games")) - words == set()
    endings = {Path(word).suffix.removeprefix(".") for word in words}
    in_words = {"json", "nested-json", "dot", "tree", "png"}  # text, or drawn as others are
    assert set(entries("exporters")) - in_words <= endings | words
    assert {"--tree", "--follow", "--depth", "--fold", "--plot"} <= words
    for command in ("explore", "report", "sweep", "puzzles", "batch", "serve", "grade", "query", "annotate"):
        assert f"\n{command} " in COMMANDS


def test_sheet_shows_svg_pdf_text_and_html_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(Line("solve nim heaps=1,2"), browser) == ""
    assert shown(Line("query nim.db -o nim.svg"), browser) == '<img src="nim.svg" alt="">'
    assert shown(Line("query nim.db -o nim.pdf"), browser) == '<img src="nim-pdf-1.png" alt="">'
    assert "first to move: win in 3 plies" in shown(Line("$ query nim.db"), browser)
    page = shown(Line("explore nim.db -o nim.html", ["ArrowRight*2"]), browser)
    assert page.count("<img ") == 8
    pictures = ["nim-pdf-1.png", "nim-0-1280-light.png", "nim-0-1280-dark.png", "nim-1-390-dark.png"]
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in pictures)
    assert (tmp_path / pictures[1]).read_bytes() != (tmp_path / pictures[2]).read_bytes()


def test_failing_command_aborts_the_sheet(tmp_path: Path) -> None:
    program = "from tests.contact_sheet.__main__ import made; made('query none.db -o none.svg')"
    said = python(program, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert said.returncode == 1
    assert "perfectplay query none.db -o none.svg\nError: none.db does not exist" in said.stderr
