import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser

import solver
from exporters.svg import position as position_svg
from exporters.svg.moves import outcome_code, outcome_label
from exporters.svg.plan_map import page as plan_map
from exporters.svg.text import number, text_block
from exporters.svg.value_board import value_board
from solver.database.entry import Entry, Move
from solver.plans.plan import Plan
from tests.exporters.support.families import FAMILIES, made_up, of_family
from tests.exporters.support.rendered_text import SVG, VIEWPORTS, faults, texts, texts_of
from tests.exporters.support.small_plans import Handmade, plan
from tests.support.commandline import python
from tests.support.games import hostile_texts


def test_moves_are_labelled_in_the_cells_they_fill(tictactoe: solver.Database) -> None:
    for position in ("xo..x....", "xoxoxo..."):
        entry = tictactoe[position]
        root = ET.fromstring(position_svg.render(tictactoe.game, entry))
        cells = {title: texts_of(group) for group in root.iter() if (title := group.findtext(f"{SVG}title"))}
        for move in entry.moves:
            (key,) = (key for key in cells if key.startswith(f"{move.move}: {move.outcome}"))
            assert cells[key] == [outcome_code(move), str(move.move), *(["best"] if move.best else [])]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_move_has_its_name_and_whole_label(name: str) -> None:
    game, entry = of_family(name)
    drawn = position_svg.render(game, entry)
    words = {word for text in texts_of(drawn) for word in (text, text.split(", ")[0])}
    assert {outcome_code(move) for move in entry.moves} | {str(move.move) for move in entry.moves} <= words
    assert not [word for word in words if word.endswith("…")]


def test_position_without_board_shows_all_its_text() -> None:
    legend = ", ".join(f"{number}: x({number},0)" for number in range(30))
    game = Handmade({"a": (0, {"m": "b"}), "b": 1}, {"a": f"...\n...\n{legend}"})
    words = texts_of(position_svg.render(game, made_up(game)))
    assert "".join(words).replace("\xa0", "").count("x(") == 30


def test_text_lines_are_whole_and_of_one_size() -> None:
    lines = ["....", "WWWW", "@@@@", "漢字", "♟♞.."]
    drawn = [*ET.fromstring(f"<g>{text_block(chr(10).join(lines)).drawn}</g>")]
    assert [line.text for line in drawn] == lines
    assert len({line.attrib["font-size"] for line in drawn}) == 1
    assert {line.get("textLength") for line in drawn} == {None, number(text_block("....").width)}


def test_value_picture_does_not_load_graphviz_or_networkx(tictactoe_db_path: Path) -> None:
    program = (
        "import sys; from solver.cli import main\n"
        "main(['query', sys.argv[1], '-o', '-'], standalone_mode=False)\n"
        "print({'graphviz', 'networkx', 'pygraphviz', 'exporters'} & sys.modules.keys())"
    )
    assert python(program, tictactoe_db_path).stdout.endswith("</svg>\n{'exporters'}\n")


@pytest.mark.parametrize("height", [27, 66])
@pytest.mark.parametrize("best", [False, True])
def test_inner_border_of_a_loss_leaves_room_for_its_label(height: float, best: bool) -> None:
    drawn = outcome_label(Move(0, "", "loss", 6, best, -1), 66, height)
    _, inner = re.findall(r'<rect x="[\d.]+" y="([\d.]+)"[^>]* height="([\d.]+)"', drawn)
    top, bottom = float(inner[0]), float(inner[0]) + float(inner[1])
    (base, size) = map(float, re.findall(r' y="([\d.]+)"[^>]* font-size="([\d.]+)"', drawn)[0])
    capital = 0.73 * size  # of DejaVu Sans
    assert base - capital - top >= 1.5
    assert bottom - base >= 1.5


@pytest.mark.parametrize(
    ("outcome", "remoteness", "label"),
    [("win", 3, "W3"), ("loss", 12, "L12"), ("draw", 5, "D5"), ("draw", None, "D"), ("win", None, "W∞")],
)
def test_outcome_code_has_outcome_and_plies(outcome: str, remoteness: int | None, label: str) -> None:
    assert outcome_code(Move("m", "b", outcome, remoteness, False, 0)) == label


HOSTILE = (
    *(*hostile_texts.TEXTS, " ", "a\"b'c", "{0}%s{}", "W" * 300, "very long words " * 40, "\ufdfd" * 4),
    *("\u05d0\u05d1\u05d2\u0627\u0644", "日本語の名前" * 10, "👩\u200d👩\u200d👧\u200d👦" * 10, "\ud800"),
)
"""Marks; all but the last, of which rules cannot make a position, are names, too."""


class Hostile(Handmade):
    players: ClassVar[tuple[str, str]] = ("<b>first</b>", '"\u202esecond & a very long name ' + "x" * 60)


def listed() -> str:
    ends = {name: name for name in HOSTILE[:-1]}
    rules: dict[str, Any] = {"root " * 50: (0, ends)} | dict.fromkeys(ends, 1)
    game = Hostile(rules)
    return position_svg.render(game, made_up(game))


def in_cells() -> str:
    board = [[name, ""] for name in (*HOSTILE, *Hostile.players)]
    after = [row[:] for row in board]
    after[3][1] = "z"
    game = Hostile({"<root>": (0, {"<m>": "<child>"}), "<child>": 1}, {"<root>": board, "<child>": after})
    return position_svg.render(game, made_up(game))


def as_map() -> str:
    names = HOSTILE[:3]
    boards = [[[*names[:at], *[""] * (3 - at)]] for at in range(4)]
    keys = ["</title>", "<a>", '"b"', "\u202e"]
    rules: dict[str, Any] = {
        keys[0]: (0, {"<m>": keys[1]}),
        keys[1]: (1, {"'n'": keys[2]}),
        keys[2]: (0, {"\\o": keys[3]}),
        keys[3]: 1,
    }
    game = Hostile(rules, dict(zip(keys, boards, strict=True)))
    return plan_map.render(plan(game, {keys[0]: "<m>", keys[2]: "\\o"}))


def as_large_map() -> str:
    game = hostile_texts.Hostile(long=True)
    moves = {f"reply {text}": hostile_texts.TEXTS[0] for text in game.texts}
    return plan_map.render(Plan(game, 1, "draw", game.initial, 0, moves, game.initial))


@pytest.mark.parametrize("picture", [listed, in_cells, as_map, as_large_map])
def test_hostile_texts_are_escaped(browser: Browser, picture: Any) -> None:
    svg = picture()
    assert not any(char in svg for char in "\u202e\u202c\x00\x1b\ud800")
    said = " ".join(texts(browser, svg))
    assert any(name in said for name in ("<b>first</b>", "<script>", "<root>"))
    for viewport in VIEWPORTS:
        assert faults(browser, svg, viewport) == []


@pytest.mark.parametrize(
    ("name", "parameters", "position"),
    [
        ("ponghauki", {}, "xo/./ox o"),
        ("morris", {"variant": "tapatan"}, "xo./.x./..o"),
        ("morris", {"variant": "tsoro-yematatu"}, "./xo./.x."),
    ],
)
def test_point_names_do_not_cover_lines(name: str, parameters: dict[str, str], position: str) -> None:
    game = solver.load_game(name, parameters)
    state = game.parse(position)
    entry = Entry(position, game.players[game.to_move(state)], None, 0, "draw", None, None, False, ())
    drawn = value_board(game, game.board(state) or (), entry).drawn.drawn
    names = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="9.5"(?: text-anchor="(\w+)")?>', drawn)
    ways = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", drawn)
    lines = [[7.2 * float(item) for item in way] for way in ways]
    assert len(names) == sum(bool(item) for row in game.cell_names for item in row)
    for x, y, anchor in names:
        middle = float(x) + {"": 3, "middle": 0, "end": -3}[anchor], float(y) - 3.5
        assert min(distance(middle, way) for way in lines) > 4


def distance(point: tuple[float, float], way: list[float]) -> float:
    """How far a point is from a line between two ends."""
    (x, y), (a, b, c, d) = point, way
    along = ((x - a) * (c - a) + (y - b) * (d - b)) / ((c - a) ** 2 + (d - b) ** 2)
    along = max(0, min(1, along))
    return math.hypot(x - a - along * (c - a), y - b - along * (d - b))
