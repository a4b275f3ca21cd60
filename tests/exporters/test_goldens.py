"""Pictures equal their golden files, and browsers show them correctly."""

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import solver
from exporters.diagram import image, rendering
from exporters.diagram.board_label import Diagram
from exporters.search_tree import plan_tree
from exporters.svg import position
from exporters.svg.plan_map import page as plan_map
from solver.plans.plan import Plan
from tests.exporters.support import families
from tests.exporters.support.goldens import DRAWINGS, GOLDEN, PICTURES, solved
from tests.exporters.support.rendered_text import VIEWPORTS, faults, names, pages_and_title, texts
from tests.support.pages import ROOT

README = ROOT / "docs" / "plan.svg"


@cache
def drawing(name: str) -> Diagram:
    return DRAWINGS[name]()


@pytest.mark.parametrize("name", [*PICTURES, *DRAWINGS])
def test_picture_equals_its_golden_file(name: str) -> None:
    """`python -m tests.exporters.support.goldens` writes them anew."""
    if name in PICTURES:
        assert PICTURES[name]() == (GOLDEN / f"{name}.svg").read_text("utf-8")
    else:
        assert drawing(name).dot == (GOLDEN / f"{name}.gv").read_text("utf-8")


def test_golden_files_are_exactly_the_drawn_pictures() -> None:
    assert {path.stem for path in GOLDEN.glob("*.svg")} == {*PICTURES}
    assert {path.stem for path in GOLDEN.glob("*.gv")} == {*DRAWINGS}


@pytest.mark.parametrize("name", DRAWINGS)
def test_diagram_has_no_overlapping_or_cut_texts(browser: Browser, name: str) -> None:
    diagram = drawing(name)
    svg = diagram.with_boards(rendering.draw(diagram.text, ""))
    for viewport in VIEWPORTS:
        assert faults(browser, svg, viewport) == []


def test_family_pictures_equal_their_golden_digests() -> None:
    """`python -m tests.exporters.support.families FOLDER` writes them anew."""
    assert families.digests() == families.GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("name", families.FAMILIES)
def test_family_picture_has_no_overlapping_or_cut_texts(browser: Browser, name: str) -> None:
    assert faults(browser, position.render(*families.of_family(name)), "A3") == []


@pytest.mark.parametrize("viewport", VIEWPORTS)
@pytest.mark.parametrize("path", [*sorted(GOLDEN.glob("*.svg")), README], ids=lambda path: path.stem)
def test_golden_picture_has_no_overlapping_or_cut_texts(browser: Browser, path: Path, viewport: str) -> None:
    assert faults(browser, path.read_text("utf-8"), viewport) == []


@pytest.fixture(scope="module", params=["x", "o"])
def whole(request: pytest.FixtureRequest, whole_plans: dict[str, Plan]) -> Plan:
    return whole_plans[str(request.param)]


@pytest.fixture(scope="module")
def whole_map(whole: Plan) -> str:
    return plan_map.render(whole)


def test_whole_tictactoe_plan_is_legible(browser: Browser, whole: Plan, whole_map: str) -> None:
    diagram = image.svg(whole, None if whole.owner_name == "x" else 3).decode()
    for viewport in VIEWPORTS:
        assert faults(browser, whole_map, viewport) == faults(browser, diagram, viewport) == []


def test_legend_of_a_narrow_tree_is_not_cut_off(browser: Browser) -> None:
    made = solver.make_plan(solved("ponghauki"))
    assert faults(browser, str(plan_tree.written(made, depth=3)), "laptop") == []


def test_printed_map_is_one_a3_page(browser: Browser, whole_map: str) -> None:
    page = browser.new_page()
    page.set_content(f"<!DOCTYPE html><style>body{{margin:0}}svg{{display:block}}</style>{whole_map}")
    printed = page.pdf(width="297mm", height="420mm", print_background=True)
    page.close()
    (only,), _ = pages_and_title(printed)
    assert "never loses" in only.extract_text()


def test_map_boards_have_accessible_names(browser: Browser, whole_map: str) -> None:
    titles = texts(browser, whole_map)
    stories = [title for title in titles if " answers " in title or " moves first" in title][1:]
    actual = names(browser, whole_map)
    assert len(stories) > 80
    assert sorted(story for story in stories if story in actual) == sorted(stories)


def test_graph_states_have_accessible_names(browser: Browser) -> None:
    actual = names(browser, PICTURES["graph"]())
    assert {"0,0 first: second wins", "0,0 second: first wins", "1,2 first: first to move"} <= set(actual)


SPOILT = {
    "overlaps": ('<text x="10" y="50">one</text><text x="12" y="52">two</text>', '"one" overlaps "two"'),
    "sticks out of the picture": ('<text x="180" y="50">a long text</text>', '"a long text" is cut off'),
    "sticks out of its box": (
        '<g><rect x="10" y="30" width="20" height="20"/><text x="12" y="45">wide words</text></g>',
        '"wide words" sticks out of its box',
    ),
    "lies on another box": (
        '<g class="node"><polygon points="10,10 90,10 90,60 10,60"/></g><text x="20" y="40">a</text>',
        '"a" lies on a box that is not its own',
    ),
    "a shape beyond the edge": ('<rect x="150" y="50" width="80" height="20"/>', "a rect is cut off"),
}


def small(drawn: str) -> str:
    size = 'width="200" height="100" viewBox="0 0 200 100"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>'


@pytest.mark.parametrize("viewport", VIEWPORTS)
@pytest.mark.parametrize("name", SPOILT)
def test_faults_are_found_in_spoilt_pictures(browser: Browser, name: str, viewport: str) -> None:
    drawn, fault = SPOILT[name]
    assert faults(browser, small(drawn), viewport) == [fault]


def test_sound_picture_has_no_faults(browser: Browser) -> None:
    sound = small('<text x="10" y="30">one</text><text x="10" y="60">two</text>')
    assert faults(browser, sound, "phone") == []
