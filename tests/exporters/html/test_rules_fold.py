"""The text of the rules, which unfolds on every page of a game."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from exporters import puzzles, report
from exporters.html import annotated_page, catalogue, database_page, plan_page
from exporters.html.page import rules_fold
from exporters.search_tree.picture import render as searched
from solver import Database, annotate, load_game, make_plan
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Wanted
from solver.analysis.report import compared, report_on
from solver.analysis.report.chapters import contents_of
from solver.game import Game
from solver.players.match import PlayedGame
from tests.exporters.html.conftest import Visit
from tests.support.commandline import call, programs_here
from tests.support.search_examples import traced
from tests.support.solved import solved

GAME = PlayedGame(("x", "o"), "......", (0,), None, None, None)

PAGES: dict[str, Callable[[Database], str]] = {
    "explorer": database_page.render,
    "plan": lambda db: plan_page.render(make_plan(db, owner="second")),
    "puzzles": lambda db: puzzles.page(db, hardest(db, Wanted(1))),
    "annotated games": lambda db: annotated_page.render([annotate(db, GAME)]),
    "steps": lambda db: str(searched(traced("minimax", db.game, db.game.initial)[1], "html")),
    "report": lambda db: report.render(contents_of(compared([report_on(db)])), "html"),
    "catalogue": lambda db: catalogue.render([("game", lambda: nullcontext(db), [], [], None)]),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_unfolds_rules_and_nondefault_parameters(name: str, visit: Visit) -> None:
    with solved("mnk", {"rows": 2, "k": 2, "misere": True}) as db:
        page = visit(PAGES[name](db))
    text = page.get_by_text("Get k marks in a row, column or diagonal; with misere, whoever gets them loses.")
    expect(text).to_be_hidden()
    page.get_by_text("The rules: mnk rows=2 k=2 misere=true", exact=True).click()
    expect(text).to_be_visible()
    expect(text.locator("code")).to_have_text("misere")


def test_page_of_many_games_names_shared_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs_here(monkeypatch)
    words = ["nim", "heaps=1,2", "heaps=2,3", "misere=true", "-o", tmp_path / "sweep.html"]
    assert call("sweep", *words).exit_code == 0
    assert "<summary>The rules: nim misere=true</summary>" in (tmp_path / "sweep.html").read_text()
    two = rules_fold(*(load_game("connect", {"rows": rows, "columns": 3}) for rows in (2, 3)))
    assert two.count("<summary>") == two.count("The rules: connect columns=3<") == 1


def test_rules_without_docstring_have_no_description() -> None:
    class Bare(Game[int, int]):
        to_move = actions = result = utility = initial = lambda self, *given: 0  # type: ignore

    @dataclass(frozen=True)
    class WithFields(Bare):
        size: int = 3

    for game in (Bare(), WithFields()):
        assert "<p>They have no description" in rules_fold(game)
