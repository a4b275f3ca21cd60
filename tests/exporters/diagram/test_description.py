"""The words of a picture: its title, its description for screen readers, and its legend."""

import xml.etree.ElementTree as ET

import solver
from exporters.diagram import image
from exporters.diagram.dot import legend
from exporters.diagram.image import description
from exporters.diagram.scene import make_scene
from solver.plans.plan import Plan
from tests.exporters.support.rendered_text import SVG
from tests.exporters.support.small_plans import Handmade, Rules, plan

WINS = Plan(solver.load_game("tictactoe"), 0, "win", "xo.ox....", 1, {"xo.ox....": 8}, "xo.ox....")


def test_svg_has_image_role_title_and_description() -> None:
    root = ET.fromstring(image.svg(WINS))
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]  # where readers look
    assert root[0].text == "Plan for x in Tic-tac-toe: x wins in at most 1 ply"
    first, *_, last = str(root[1].text).splitlines()
    assert (first, last) == ("2 positions and 1 move in 1 ply.", "In xo.ox.... x plays 8.")


def test_description_lists_owner_moves_and_legend() -> None:
    rules: Rules = {"a": (0, {"m": "b", "n": "e"}), "b": (1, {"p": "d"}), "d": (0, {"q": "e"}), "e": 1}
    assert description(make_scene(plan(Handmade(rules), {"a": "m", "d": "q"}))).splitlines() == [
        "4 positions and 3 moves in 3 plies.",
        "thick arrow: first moves (OR); thin: second replies (AND); solid border: win for first.",
        "In a first plays m.",
        "In d first plays q.",
    ]


def test_titles_omit_bidirectional_controls() -> None:
    root = ET.fromstring(image.svg(plan(Handmade({"r": (1, {"a\u202eb": "c\u202ed"}), "c\u202ed": 1}), {})))
    assert {"a b", "c d"} <= {title.text for title in root.iter(f"{SVG}title")}


def test_hostile_move_name_stays_on_its_line() -> None:
    name = "</desc>\n<script>\u202e"
    made = plan(Handmade({"a": (0, {name: "b"}), "b": 1}), {"a": name})
    root = ET.fromstring(image.svg(made))
    assert root.findtext(f"{SVG}desc", "").splitlines()[-1] == "In a first plays </desc> <script> ."


def test_legend_explains_move_colours_if_any_position_has_board() -> None:
    drawn = Handmade({"a": (1, {"m": "b", "n": "c"}), "b": 0, "c": -1}, {"a": [["x"]]})
    assert legend(make_scene(plan(drawn, {}), 1))[2:4] == ["yellow: first's move", "grey: second's last"]
