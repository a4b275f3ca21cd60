"""The drawn tree of a search has its findings in every format, or is refused."""

import json
import re
import xml.etree.ElementTree as ET
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from exporters.palette import line_colour
from exporters.search_tree import picture
from exporters.search_tree.dot import digraph
from exporters.search_tree.picture import render
from exporters.search_tree.scene import make_scene
from exporters.search_tree.steps import steps
from exporters.svg.text import text_width
from solver.commands import search as command
from solver.errors import NotLegible
from solver.game import AnyGame
from solver.games.dots_and_boxes import DotsAndBoxes
from solver.games.mnk import MNK, TicTacToe
from solver.rules.loading import load_game
from solver.search import SEARCHES, Settings, search
from solver.search.recorder import SearchRecorder
from solver.search.trace import Interval, Sample, SearchTrace, TracedNode, Visit
from tests.exporters.support.rendered_text import BEGINS, SVG, texts_of
from tests.exporters.support.small_plans import Handmade, Rules
from tests.support import search_examples
from tests.support.commandline import call, refusal, succeeded
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.hostile_texts import Hostile
from tests.support.pages import ROOT, blocks
from tests.support.solved import solving

FIGURE = ROOT / "docs" / "aima_5_2.py"
GAME = TicTacToe()


def traced(name: str, game: AnyGame, state: Any, depth: int | None = None, **given: Any) -> SearchTrace:
    return search_examples.traced(name, game, state, depth, **given)[1]


def groups(svg: str, letter: str) -> dict[str, ET.Element]:
    """The nodes (n), lines (e), arcs (a) or names of plies (ply) of a tree, in order, by their ids."""
    actual = {item.get("id", ""): item for item in ET.fromstring(svg).iter(f"{SVG}g")}
    names = sorted(
        (name for name in actual if re.fullmatch(rf"{letter}\d+", name)), key=lambda name: (len(name), name)
    )
    return {name: actual[name] for name in names}


def written(value: Any, node: TracedNode, *, guessed: bool) -> str:
    """A value as the page on figures says that it is written."""
    utility, guess = value if isinstance(value, tuple) else (value, None)
    if guess is not None and guessed and not utility and node.visit is not Visit.TERMINAL:
        return f"≈ {guess:g}".replace("-", "−")
    return {1: "+1", 0: "0", -1: "−1"}[utility]


def expected(node: TracedNode, *, guessed: bool) -> str:
    """What a node has to say."""
    actual = node.finding
    if isinstance(actual, bool):
        return (("draw", "x wins") if node.visit is Visit.TERMINAL else ("no plan", "plan"))[actual]
    if isinstance(actual, Sample):
        mean = f"{actual.mean:+.2f}".replace("-", "−")
        return mean if actual.proved is None else written(actual.proved, node, guessed=False)
    assert isinstance(actual, Interval)
    low, high = (
        None if item is None else written(item, node, guessed=guessed) for item in (actual.low, actual.high)
    )
    return str(low) if low == high else f"≤ {high}" if low is None else f"≥ {low}"


@pytest.mark.parametrize("name", SEARCHES)
def test_picture_shows_the_numbers_of_the_search(name: str) -> None:
    actual, trace = search_examples.traced(name, GAME, GAME.parse("xo.ox...."), depth=2, playouts=60)
    svg = str(render(trace))
    nodes, lines = groups(svg, "n"), groups(svg, "e")
    assert list(nodes) == [f"n{number}" for number in range(len(trace.nodes))]
    assert set(lines) == {f"e{number}" for number in range(1, len(trace.nodes))}
    guessed = any(node.visit is Visit.EVALUATED for node in trace.nodes)
    for node, drawn in zip(trace.nodes, nodes.values(), strict=True):
        assert (drawn.get("class") == "node cut") == (node.visit is Visit.CUT)
        if node.visit is not Visit.CUT:
            assert any(text.startswith(expected(node, guessed=guessed)) for text in texts_of(drawn))
        if isinstance(node.finding, Sample):
            assert any(text.startswith(f"{node.finding.visits} visit") for text in texts_of(drawn))
    paths = {line: path.attrib for line, group in lines.items() for path in group.iter(f"{SVG}path")}
    colours = {line_colour(GAME, player) for player in (0, 1)}
    coloured = {line for line, path in paths.items() if path["stroke"].upper() in colours}
    assert coloured == {f"e{node.choice}" for node in trace.nodes if node.choice is not None}
    visits = {
        f"e{nth}": node.finding.visits if isinstance(node.finding, Sample) else 0
        for nth, node in enumerate(trace.nodes)
        if node.parent is not None
    }
    for line, path in paths.items():
        usual = 2.6 if line in coloured else 0.8
        wide = max(0.8, 4 * visits[line] / max(visits.values())) if visits[line] else usual
        assert float(path.get("stroke-width", "1")) == pytest.approx(wide, abs=0.051)
    heading = ET.fromstring(svg).findtext(f"{SVG}title") or ""
    assert heading.startswith(f"{name} in Tic-tac-toe from xo.ox....: move {actual.action}")
    assert heading.endswith(
        f"after {actual.playouts} playouts" if actual.playouts else f"; {actual.nodes} nodes visited"
    )


def test_arc_joins_the_replies_to_a_move() -> None:
    trace = traced("and-or", GAME, GAME.parse("xo.ox...."))
    svg = str(render(trace))
    several = [
        f"a{number}"
        for number, node in enumerate(trace.nodes)
        if node.visit is Visit.REPLIES and len(node.children) > 1
    ]
    assert list(groups(svg, "a")) == several != []


def test_wait_for_the_first_move_is_drawn() -> None:
    trace = traced("and-or", GAME, GAME.parse("xo.ox...."), owner=1, depth=2)
    assert trace.action is None
    svg = str(render(trace))
    assert [texts_of(line) for line in groups(svg, "e").values()][:2] == [["wait"], ["2"]]
    assert texts_of(groups(svg, "n")["n0"])[-2:] == ["no plan", "for a win"]
    assert [texts_of(name) for name in groups(svg, "ply").values()][:2] == [[], ["x (AND)"]]


def test_heading_names_plan_owner_and_one_playout() -> None:
    for owner, name in enumerate(GAME.players):
        svg = str(render(traced("and-or", GAME, GAME.parse("xxxoo...."), owner=owner)))
        assert f"plan: {name} reaches the goal" in svg


def test_one_playout_is_singular() -> None:
    assert "after 1 playout<" in str(render(traced("uct", GAME, 0, playouts=1)))


def test_endless_play_is_labelled_endless() -> None:
    game = ExplicitGame(movers=(0, 1, 1), children=((1,), (2,), (1,)), utilities=(0, 0, 0))
    svg = str(render(traced("and-or", game, 0, goal="draw")))
    assert texts_of(groups(svg, "n")["n2"]) == ["endless", "plan"]


def test_steps_describe_players_who_move_twice() -> None:
    """The first player moves twice, in 1 perhaps back to 1; the second moves once or twice."""
    game = ExplicitGame(((1,), (1, 2), (3, 4), (5,), (), ()), (0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 1, -1))
    said = [step.said for step in steps(make_scene(traced("and-or", game, 0, goal="win")))]
    assert said[:3] == [
        "The search begins in 0: first is to move.",
        "Move 0 leads to 1: all replies count.",
        "To 1: first is to move.",
    ]
    assert "To 5, where the game is over: second wins." in said
    assert said[-2] == "Back from 1: no plan."


class Worded(ExplicitGame):
    """The names of moves are wider than the nodes."""

    def action_name(self, action: int) -> str:
        return f"the way {action}"


class Numbered(ExplicitGame):
    """The nodes are boxes, as their names are too long for triangles."""

    def position(self, state: int) -> str:
        return f"No. {state}"


def test_wide_move_names_do_not_overlap() -> None:
    game = Worded(((1, 2, 3), (4, 5), (6, 7, 4, 5), (), (), (), (), ()), (0, 1, 1, 0, 0, 0, 0, 0), (1,) * 8)
    lines = groups(str(render(traced("minimax", game, 0))), "e").values()
    texts = [text for line in lines for text in line.iter(f"{SVG}text")]
    places = [(float(text.get("x", "")), float(text.get("y", ""))) for text in texts]
    assert len(places) == 9
    assert all(abs(x - u) > 50 or abs(y - v) > 9 for (x, y), (u, v) in combinations(places, 2))


class Lengthy(ExplicitGame):
    def action_name(self, action: int) -> str:
        return f"{action}" + "WM"[action] * 99


def test_long_names_and_values_are_not_cut_off(tmp_path: Path) -> None:
    children = ((1, 2), (5, 3), (5, 4), (), (), ())
    game = Lengthy(children=children, movers=(1, 0, 0, 1, 1, 1), utilities=(0, 0, 0, 10**18, 10**18, -1))
    tree = str(render(traced("minimax", game, 0)))
    for form in ("svg", "tree"):
        with solving(game) as db:
            succeeded(call("plan", db.path, "--for", "first", "--format", form, "-o", tmp_path / "plan.svg"))
        svg = (tmp_path / "plan.svg").read_text()
        end = float(re.findall(r'viewBox="0.00 0.00 ([\d.]+)', svg)[0])
        starts = [float(x) for x in re.findall(r'x="([-\d.]+)"[^>]*>\s*[01][MW]', svg)]
        assert len(starts) == 4
        assert all(start >= 0 and start + 99 * 8.63 <= end for start in starts)
    node = groups(tree, "n")["n0"]
    (points,) = (item.get("points", "").split() for item in node.iter(f"{SVG}polygon"))
    (middle, tip), (right, base), *_ = (map(float, point.split(",")) for point in points)
    x, y = (float(next(node.iter(f"{SVG}text")).get(name, "")) for name in "xy")
    half = (right - middle) * (y - tip) / (base - tip)  # of the triangle where the value is
    value = text_width("1,000,000,000,000,000,000", 13)
    assert middle - half < x < x + value < middle + half


def test_double_borders_do_not_overlap() -> None:
    game = Numbered(((1, 2, 3), (), (), ()), (0, 1, 1, 1), (-1,) * 4)
    _, *below = groups(str(render(traced("minimax", game, 0))), "n").values()
    corners = [re.findall(r"(-?[\d.]+),-?[\d.]+", ET.tostring(node, "unicode")) for node in below]
    left, middle, right = sorted((min(map(float, at)), max(map(float, at))) for at in corners)
    assert left[1] < middle[0] < middle[1] < right[0]


ROOMS: Rules = {"hall": (0, {"up": "step", "on": "yard"}), "step": (1, {"up": "top"}), "top": -1, "yard": 1}


class Members(Handmade):
    """A game whose states are members of an enumeration."""

    Room = StrEnum("Room", ["hall", "step", "top", "yard"])
    initial = Room.hall

    def result(self, state: str, action: str) -> str:
        return self.Room(super().result(state, action))


@pytest.mark.parametrize("name", ["and-or", "minimax-table", "uct"])
def test_enum_states_are_drawn_like_strings(name: str) -> None:
    of_texts, of_members = (
        render(traced(name, game, game.initial, playouts=9), "svg", title="rooms")
        for game in (Handmade(ROOMS), Members(ROOMS))
    )
    assert of_members == of_texts


def test_trace_has_notebook_picture_unless_too_large() -> None:
    shown = traced("minimax", GAME, GAME.parse("xoxxo.o.."))._repr_svg_()
    assert shown is not None
    assert "minimax in Tic-tac-toe from xoxxo.o..: move 7, value 0" in shown
    assert traced("uct", GAME, 0)._repr_svg_() is None


def test_scores_are_drawn_as_numbers() -> None:
    game = DotsAndBoxes(1, 1)
    assert {"−1", "−1 …"} & {*texts_of(str(render(traced("minimax", game, game.initial, depth=1))))}
    explicit = ExplicitGame(((1, 2), (), ()), (0, 1, 1), (0, 7, -3))
    assert {"7", "−3"} <= {*texts_of(str(render(traced("minimax", explicit, 0))))}


@pytest.mark.parametrize("name", ["depth-limited", "depth-limited-minimax"])
def test_draw_below_which_nothing_was_evaluated_is_no_guess(name: str) -> None:
    children = ((1, 2), (3, 4), (5,), (), (), (6,), ())
    game = Numbered(children, (0, 1, 1, 0, 0, 0, 0), (0,) * 7)
    recorder = SearchRecorder(game, name)
    search(name, game, 0, Settings(recorder=recorder, depth=2))
    trace = recorder.trace()
    drawn = zip(trace.nodes, groups(str(render(trace)), "n").values(), strict=True)
    said = {node.state: [text for text in texts_of(group) if text in ("0", "≈ 0")] for node, group in drawn}
    assert said == {state: ["≈ 0" if state in (0, 2, 5) else "0"] for state in range(6)}


@pytest.mark.parametrize(("ending", "begins"), [*BEGINS.items(), ("dot", b"digraph")])
def test_search_command_draws_every_format(tmp_path: Path, ending: str, begins: bytes) -> None:
    path = tmp_path / f"tree.{ending}"
    result = call("search", f"{FIGURE}:Figure", "--with", "minimax", "--json", "-o", path)
    assert (result.exit_code, result.stderr) == (0, f"{path}: 13 nodes\n")
    assert json.loads(result.stdout)["value"] == 3
    assert path.read_bytes().startswith(begins)


def test_search_command_offers_all_picture_formats() -> None:
    assert command.FORMATS == picture.FORMATS


def test_too_large_tree_is_refused_with_legible_depth() -> None:
    game = MNK(3, 3, 3)
    for name, state in (("minimax", game.parse("xo.......")), ("uct", game.initial)):
        with pytest.raises(NotLegible, match=r"nodes cannot be read: use --depth \d") as refused:
            make_scene(traced(name, game, state))
        depth = int(re.findall(r"--depth (\d)", str(refused.value))[0])
        assert make_scene(traced(name, game, state, depth)).trace.depth == depth
        with pytest.raises(NotLegible):
            make_scene(traced(name, game, state, depth + 1))


def test_figure_in_docs_equals_its_file() -> None:
    shown = [block.text for block in blocks("docs/searches.md") if block.file == FIGURE.name]
    assert shown == [FIGURE.read_text()]


@pytest.mark.parametrize("name", ["minimax", "and-or", "uct"])
def test_hostile_game_names_are_escaped(name: str) -> None:
    game = Hostile()
    trace = traced(name, game, game.initial, depth=1, playouts=30)
    ET.fromstring(str(render(trace)))
    page = str(render(trace, "html"))
    assert re.findall("<(script|iframe|img|link|object)", page) == ["link", "script", "script"]
    assert not re.search(r'\son\w+="', page)
    assert "alert(1)" in digraph(make_scene(trace)).dot


def test_alpha_beta_steps_match_the_textbook() -> None:
    """Russell and Norvig, 4th edition, figure 5.5, (a) to (f): the intervals of A and its children."""
    scene = make_scene(traced("alpha-beta", load_game(f"{FIGURE}:Figure"), "A"))
    numbers = {node.state: number for number, node in enumerate(scene.trace.nodes)}
    known: dict[int, str] = {}
    after: dict[str, dict[str, str]] = {}
    windows = {}
    for step in steps(scene):
        known |= {number: lines[0] for number, lines in step.captions.items() if lines}
        leaf = next((name for name, number in numbers.items() if number in step.settled), "")
        after[leaf] = {name: known.get(numbers[name], "") for name in "ABCD"}
        windows[leaf] = step.window
    assert [after[leaf]["B"] for leaf in ("b1", "b2", "b3")] == ["≤ 3", "≤ 3", "3"]
    assert [after[leaf]["A"] for leaf in ("b1", "b2")] == ["", ""]
    assert (after["b3"]["A"], after["c1"]["A"], after["c1"]["C"]) == ("≥ 3", "≥ 3", "≤ 2")
    assert (after["d1"]["A"], after["d1"]["D"]) == ("[3, 14]", "≤ 14")
    assert (after["d2"]["A"], after["d2"]["D"]) == ("[3, 5]", "≤ 5")
    assert (after["d3"]["A"], after["d3"]["D"]) == ("3", "2")
    assert windows["c1"] == "α = 3, β = 2"


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["connect", "rows=6", "columns=7", "--depth", "1"], "8 nodes"),
        (["connect", "rows=5", "columns=5", "...../...../...../ooo../xxx..", "--depth", "2"], "26 nodes"),
        (["lgame", "--depth", "1"], "66 nodes"),
    ],
)
@pytest.mark.parametrize("ending", ["svg", "html"])
def test_first_plies_of_large_or_endless_game_are_drawn(
    words: list[str], end: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "MAX_SEARCHED", 1000)
    path = tmp_path / f"tree.{ending}"
    done = succeeded(call("search", *words, "--with", "minimax", "-o", str(path)))
    assert done.stderr.splitlines() == [
        f"what lies deeper than {words[-1]} {'ply' if words[-1] == '1' else 'plies'} is not searched: "
        "there are more than 1,000 nodes, or play can return",
        f"{path}: {end}",
    ]
    assert re.search("^move +unknown$", done.stdout, re.MULTILINE)
    text = path.read_text()
    assert (
        "where the tree ends: what follows is not known" in text
        if ending == "html"
        else "dashed border, …: goes on" in text
    )
    assert ("≥ +1" in text) == any("ooo" in word for word in words)


def test_picture_of_all_of_a_large_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MAX_SEARCHED", 1000)
    path = tmp_path / "tree.svg"
    said = refusal(2, "search", "tictactoe", "--with", "minimax", "-o", str(path))
    assert "a picture of more than 1,000 nodes cannot be read: use --depth 2 or a later position" in said
    assert not path.exists()
    assert call("search", "tictactoe", "xo.xo....", "--with", "minimax").exit_code == 0
