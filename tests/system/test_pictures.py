import pickle
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode, b64encode
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import solver
from solver.database.entry import Entry
from solver.engines.graph_states import explore
from solver.errors import BrokenRules, UnknownFormat
from solver.system import plugins
from solver.system.plugins import EntryPoint
from tests.exporters.support.rendered_text import SVG, texts_of
from tests.exporters.support.small_plans import Handmade, plan
from tests.support.commandline import call, refusal, refused
from tests.support.solved import solved

query = partial(call, "query")


def heading(svg: str | None) -> str:
    """What the picture says that it is."""
    assert svg is not None
    return ET.fromstring(svg).findtext(f"{SVG}title") or ""


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("layout", ["packed", "readable"])
def test_position_has_a_notebook_picture(layout: str, fold: bool) -> None:
    with solved("tictactoe", layout=layout, fold=fold) as db:
        assert heading(db["xo..x...."]._repr_svg_()) == "Tic-tac-toe, xo..x....: o to move: loss in 4 plies"


def test_open_database_shows_its_start_and_closed_one_nothing(tictactoe_db_path: Path) -> None:
    with solver.open_database(tictactoe_db_path) as db:
        assert heading(db._repr_svg_()) == "Tic-tac-toe, .........: x to move: draw"
    assert db._repr_svg_() is None


@pytest.fixture(scope="module")
def whole_plan(tictactoe: solver.Database) -> solver.Plan:
    return solver.make_plan(tictactoe)


def test_plan_shows_its_map(whole_plan: solver.Plan) -> None:
    shown = whole_plan._repr_svg_()
    assert heading(shown) == "Plan for x in Tic-tac-toe: x never loses"
    assert shown is not None
    assert 'class="board map"' in shown
    assert shown.startswith('<svg style="max-width:100%;height:auto" ')  # it shrinks to the width of the page


def test_plan_with_too_large_map_shows_its_beginning() -> None:
    with solved("connect", {"rows": 3, "columns": 4, "k": 4}, layout="packed") as db:
        shown = solver.make_plan(db)._repr_svg_()
    assert shown is not None
    assert "goes on" in shown


def test_plan_without_board_shows_its_diagram() -> None:
    shown = plan(Handmade({"a": (0, {"m": "b"}), "b": 1}), {"a": "m"})._repr_svg_()
    texts = texts_of(shown or "")
    assert texts[-7:] == [" m ", "ply 0", "a", "win", "ply 1", "b", "first wins"]


def test_large_plan_without_board_shows_its_first_positions() -> None:
    rules: dict[str, Any] = {"root": (1, {str(nth): f"1 {nth}" for nth in range(30)})}
    rules |= {f"1 {nth}": (0, {"go": f"2 {nth}"}) for nth in range(30)}
    rules |= {f"2 {nth}": 1 for nth in range(30)}
    shown = plan(Handmade(rules), {f"1 {nth}": "go" for nth in range(30)})._repr_svg_()
    texts = texts_of(shown or "")
    assert (texts.count("win …"), texts.count("first wins")) == (30, 0)


def test_graph_shows_its_states() -> None:
    root = ET.fromstring(explore(solver.load_game("nim", {"heaps": "1,2"}))._repr_svg_() or "")
    assert root.findtext(f"{SVG}title") == "Nim with heaps of 1, 2: 7 states"
    said = texts_of(root)
    assert (said.count("first wins"), said.count("second wins")) == (1, 1)
    assert len([item for item in root.iter(f"{SVG}g") if item.get("class") == "edge"]) == 8


def test_graph_that_networkx_makes_without_attributes_has_no_picture() -> None:
    graph = explore(solver.load_game("nim", {"heaps": "1,2"}))
    assert graph.reverse()._repr_svg_() is type(graph)()._repr_svg_() is None


def test_large_graph_shows_its_first_states() -> None:
    shown = explore(solver.load_game("tictactoe"))._repr_svg_()
    assert "the first 10 of 5,478 states" in (shown or "")


def test_entries_with_and_without_picture_are_equal(tictactoe: solver.Database) -> None:
    entry = tictactoe["xo..x...."]
    (undrawn,) = (item for item in tictactoe.entries() if item.position == entry.position)
    assert (entry, hash(entry), repr(entry)) == (undrawn, hash(undrawn), repr(undrawn))
    assert asdict(entry) == asdict(undrawn)
    copied: Entry = pickle.loads(pickle.dumps(entry))
    assert copied == entry
    assert copied._repr_svg_() is None


def test_notebook_falls_back_to_text_without_picture_plugins(
    tictactoe: solver.Database, whole_plan: solver.Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "entries", lambda group: {})
    entry = tictactoe["xo..x...."]
    assert entry._repr_svg_() is whole_plan._repr_svg_() is None
    with pytest.raises(UnknownFormat, match="nothing is installed that draws a position"):
        plugins.picture("position", tictactoe.game, entry)


@pytest.mark.parametrize(
    ("command", "kind"),
    [(["explore", "-o", "-"], "page"), (["grade", "random", "--plot", "a.svg"], "accuracy")],
)
def test_drawing_commands_report_missing_plugins_in_one_line(
    command: list[str], kind: str, tictactoe_db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "entries", lambda group: {})
    said = refusal(UnknownFormat.exit_status, command[0], tictactoe_db_path, *command[1:])
    assert said == f"Error: nothing is installed that draws a {kind}\n"


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("no.such.module:draw", "the picture plan cannot be loaded"),
        ("builtins:True", "the picture plan should be a function, not True"),
        ("builtins:bool", "the picture plan should return text, not False"),
    ],
)
def test_broken_picture_plugin_raises_broken_rules(
    entry: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("plan", entry, "perfectplay.pictures")
    monkeypatch.setattr(plugins, "entries", lambda group: {"plan": broken})
    with pytest.raises(BrokenRules, match=says):
        plugins.picture("plan", None)


def test_query_draws_a_position(tictactoe_db_path: Path, tmp_path: Path) -> None:
    file = tmp_path / "value.svg"
    file.write_text("older")
    result = query(tictactoe_db_path, "xo..x....", "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{file}: o to move: loss in 4 plies\n"
    assert heading(file.read_text("utf-8")) == "Tic-tac-toe, xo..x....: o to move: loss in 4 plies"
    assert [path.name for path in tmp_path.iterdir()] == ["value.svg"]
    assert query(tictactoe_db_path, "xo..x....", "-o", "-").output == file.read_text("utf-8")


def test_missing_typst_refuses_pdf_but_not_png(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert "`pip install typst`" in refused(2, query(tictactoe_db_path, "-o", tmp_path / "value.pdf"))
    assert list(tmp_path.iterdir()) == []
    assert query(tictactoe_db_path, "-o", tmp_path / "value.PNG").exit_code == 0
    assert (tmp_path / "value.PNG").read_bytes().startswith(b"\x89PNG")


def test_mime_bundle_has_svg_and_png(tictactoe: solver.Database) -> None:
    entry, start = tictactoe["xo..x...."]._repr_mimebundle_(), tictactoe._repr_mimebundle_()
    assert entry is not None
    assert start is not None
    assert [*entry[0]] == [*start[0]] == ["image/svg+xml", "image/png"]
    assert b64decode(entry[0]["image/png"]).startswith(b"\x89PNG")
    assert f'width="{entry[1]["image/png"]["width"]}"' in entry[0]["image/svg+xml"]


def test_wide_picture_shrinks_to_a_narrow_notebook(whole_plan: solver.Plan, browser: Browser) -> None:
    shown = whole_plan._repr_mimebundle_()
    assert shown is not None
    assert shown[1]["image/png"]["alt"] == "Plan for x in Tic-tac-toe: x never loses"
    svg = b64encode(shown[0]["image/svg+xml"].encode()).decode()
    page = browser.new_page(viewport={"width": 600, "height": 400})
    page.set_content(f'<img src="data:image/svg+xml;base64,{svg}">')  # as JupyterLab shows it
    page.wait_for_function("document.images[0].complete")
    assert page.evaluate("document.documentElement.scrollWidth") == 600
    assert page.evaluate("document.images[0].width") > 500
    page.close()
