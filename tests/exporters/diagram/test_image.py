import inspect
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.diagram import image, page_layout, rendering
from solver import Database, make_plan
from solver.errors import NotLegible
from solver.plans.plan import Plan, unfold
from tests.exporters.support.rendered_text import SVG, pages_and_title, texts_of
from tests.exporters.support.small_plans import Handmade, plan

FORMATS = {"svg": image.svg, "png": image.png, "pdf": image.pdf}
HEADING = "Plan for x in Tic-tac-toe from xo.ox....: x wins in at most 1 ply"
NAMED = replace(plan(Handmade({"(é)\\日": 1}), {}), start="a")


@pytest.fixture(scope="module")
def small(tictactoe: Database) -> Plan:
    return make_plan(tictactoe, "xo.ox....")


def test_svg_has_marks_outcomes_and_heading(small: Plan) -> None:
    root = ET.fromstring(image.svg(small))
    texts = texts_of(root)
    assert root.tag == f"{SVG}svg"
    marks = [path.get("class", "") for path in root.iter(f"{SVG}path")]
    assert (marks.count("first mark"), marks.count("second mark")) == (1 + 2, 1 + 2)
    assert {"win", "x wins", HEADING} <= set(texts)
    assert HEADING in [title.text for title in root.iter(f"{SVG}title")]


def test_svg_names_fallback_fonts(small: Plan) -> None:
    families = re.findall(r'font-family(?:="|:)([^"}]+)', image.svg(small).decode())
    assert len(set(families)) > 1
    assert all(family.endswith("sans-serif") for family in families)


def test_pdf_of_many_boards_is_one_a3_page(whole_plans: dict[str, Plan]) -> None:
    whole = whole_plans["x"]
    (page,), _ = pages_and_title(image.pdf(whole))
    assert 700 < page.mediabox.width < 297 / 25.4 * 72
    assert 1000 < page.mediabox.height < 420 / 25.4 * 72
    words = page.extract_text()
    nodes = unfold(whole).nodes.values()
    assert words.count("x wins") == sum(node["kind"] == "end" and node["gain"] > 0 for node in nodes)
    assert "Plan for x in Tic-tac-toe" in words


def test_png_has_signature_and_legible_size(small: Plan) -> None:
    drawn = image.png(small)
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(drawn[start : start + 4], "big") for start in (16, 20))
    assert width > 600
    assert height > 300


@pytest.mark.parametrize("name", FORMATS)
def test_picture_does_not_depend_on_environment(
    name: str, small: Plan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rendering, "draw", inspect.unwrap(rendering.draw))  # each time anew
    drawn = FORMATS[name](small)
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "FONTCONFIG_PATH", "FONTCONFIG_FILE"):
        monkeypatch.setenv(variable, str(tmp_path / "nowhere"))
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.chdir(tmp_path)
    assert FORMATS[name](small) == drawn
    assert list(tmp_path.iterdir()) == []


def test_pdf_title_is_the_heading(small: Plan) -> None:
    names = {HEADING: small, "Plan for first in Handmade from (é)\\日: first wins": NAMED}
    assert [pages_and_title(image.pdf(made))[1] for made in names.values()] == [*names]


def test_long_heading_is_wrapped() -> None:
    """It is long if a position is, or a parameter of the rules; the title has all of it."""
    long = " ".join(map(str, range(900)))
    made = replace(plan(Handmade({long: 1}), {}), start="another")
    root = ET.fromstring(image.svg(made))
    assert float(root.get("viewBox", "").split()[2]) < 1.05 * page_layout.WIDEST
    lines = [text for text in texts_of(root) if len(text) > 60]
    heading = f"Plan for first in Handmade from {long}: first wins"
    assert len(lines) == 3
    assert heading.startswith(" ".join(lines).removesuffix("…"))
    assert root.findtext(f"{SVG}title") == heading


@pytest.mark.parametrize("name", FORMATS)
def test_too_large_picture_is_refused(name: str) -> None:
    wide = plan(Handmade({"a": 0}, {"a": "wide" * 2500}), {})
    with pytest.raises(NotLegible, match=r"larger than .*--depth"):
        FORMATS[name](wide)


@pytest.mark.parametrize("text", ["digraph {", "digraph { a [label=<<b>>] }"])  # with the status 1, and 0
def test_invalid_dot_source_raises_drawing_failed(text: str) -> None:
    with pytest.raises(rendering.DrawingFailed, match="Error:"):
        rendering.draw(text, "")
