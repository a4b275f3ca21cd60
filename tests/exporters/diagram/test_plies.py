"""Plans drawn ply by ply: random games with loops and with several moves in a row."""

import re
from random import Random

import networkx as nx
import pygraphviz
import pytest

from exporters.diagram import dot, excerpt, image
from exporters.diagram.page_layout import columns
from exporters.diagram.scene import make_scene
from solver.plans.plan import Plan, unfold
from tests.exporters.support.rendered_text import assert_small
from tests.exporters.support.small_plans import Handmade, Rules, plan


def random_plan(seed: int, *, loops: bool) -> Plan:
    """A plan for a game of some positions, whose players move in any order."""
    rng = Random(seed)
    count = rng.randrange(6, 16)
    rules: dict[str, int | tuple[int, dict[str, str]]] = {}
    for number in range(count):
        later = range(0 if loops else number + 1, count)
        to = rng.sample(later, min(len(later), rng.randrange(1, 4)))
        ends, moves = not to or number == count - 1, {f"m{child}": f"p{child}" for child in to}
        rules |= {f"p{number}": rng.choice((-1, 0, 1)) if ends else (rng.randrange(2), moves)}
    chosen = {name: next(iter(rule[1])) for name, rule in rules.items() if not isinstance(rule, int)}
    return plan(Handmade(rules), chosen)


def laid_out(made: Plan) -> pygraphviz.AGraph:
    drawn = pygraphviz.AGraph(string=dot.render(made))
    drawn.layout(prog="dot")
    return drawn


def height(drawn: pygraphviz.AGraph, node: str) -> float:
    return float(drawn.get_node(node).attr["pos"].split(",")[1])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("loops", [False, True])
def test_arrows_run_down_and_moves_back_end_in_references(seed: int, loops: bool) -> None:
    made = random_plan(seed, loops=loops)
    scene, drawn = make_scene(made), laid_out(made)
    places = scene.part.places
    moves = {edge: edge.attr["style"] == "dashed" for edge in drawn.edges() if edge.attr["style"] != "invis"}
    for (above, below), dashed in moves.items():
        assert height(drawn, above) > height(drawn, below)
        assert dashed == ("to" in below)
        if dashed:
            number = drawn.get_node(below).attr["label"].removeprefix("as ")
            assert f">{number}<" in drawn.get_node(below.split("to")[1]).attr["label"]
    assert len(moves) == len(scene.part.moves)
    for nth, place in enumerate(places):
        assert drawn.get_node(f"ply{place.ply}").attr["label"] == f"ply {place.ply}"
        assert height(drawn, f"n{nth}") == height(drawn, f"ply{place.ply}")


@pytest.mark.parametrize("seed", range(8))
def test_position_is_drawn_in_each_of_its_plies_unless_play_loops(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excerpt, "MAX_COPIES", 100)
    graph = unfold(random_plan(seed, loops=False))
    expected, ply = [], {next(iter(graph))}
    while ply:
        expected.append(ply)
        ply = {child for position in ply for child in graph.successors(position)}
    part = excerpt.excerpt(graph)
    assert [{place.position for place in ply} for ply in part.plies] == expected
    assert {(before.position, after.position) for before, after in part.moves} == set(graph.edges)

    graph = unfold(random_plan(seed, loops=True))
    part = excerpt.excerpt(graph)
    recurring = [item for circle in nx.simple_cycles(graph) for item in circle]
    assert {place.position for place in part.places} == set(graph)
    for position in recurring:
        (place,) = [place for place in part.places if place.position == position]
        assert place.ply == nx.shortest_path_length(graph, next(iter(graph)), position)
    assert {(before.position, after.position) for before, after in part.moves} == set(graph.edges)


def ladder(rungs: int) -> Plan:
    """A plan in which each position but the last two is reached at many plies: by steps of one or two."""
    rules: Rules = {str(n): (1, {"1": str(n + 1), "2": str(n + 2)}) for n in range(rungs)}
    return plan(Handmade({**rules, str(rungs): 1, str(rungs + 1): 1}), {})


def test_positions_with_too_many_copies_are_drawn_once() -> None:
    few, many = (excerpt.excerpt(unfold(ladder(rungs))) for rungs in (4, 12))
    assert len(few.places) == 11  # 1, 2, 3, 3 and 2 in plies 0 to 4
    assert all(after.ply == before.ply + 1 for before, after in few.moves)
    positions = [place.position for place in many.places if place.position not in ("12", "13")]
    assert sorted(positions) == sorted(map(str, range(12)))
    assert all(after.ply == before.ply + 1 or after.ply <= before.ply for before, after in many.moves)
    assert [(*place,) for place in many.places if place.position in ("12", "13")] == [
        (6, "12"),
        (7, "12"),
        (7, "13"),
    ]


def test_long_narrow_plan_is_drawn_in_columns() -> None:
    assert columns([["x"]] * 20, (60, 80)) == [0, 5, 10, 15]
    assert columns([["x"]] * 5, (60, 80)) == [0]
    assert columns([["x"] * 9] * 9, (60, 80)) == [0]
    rules: Rules = {str(number): (1, {"m": str(number + 1)}) for number in range(20)}
    made = plan(Handmade({**rules, "20": 1}, dict.fromkeys(["20", *rules], [["x"] * 3] * 3)), {})
    drawn, scene = laid_out(made), make_scene(made)
    begins = scene.columns[1]
    assert len(scene.columns) > 1
    assert height(drawn, f"n{begins}") == height(drawn, "n0")
    assert drawn.get_node(f"n{begins - 1}ton{begins}").attr["label"] == "as 1"


@pytest.mark.parametrize(("width", "words"), [(38, 9), (60, 3), (1, 300)])
def test_pictures_fit_2500_pixels_and_pdf_fits_a3(width: int, words: int) -> None:
    replies = {f"r{number}": f"e{number}" for number in range(width)}
    rules: Rules = {"root": (1, replies), **dict.fromkeys(replies.values(), 1)}
    made = plan(Handmade(rules, {position: [["x"] * words] for position in rules}), {})
    assert_small(image.svg(made), image.png(made), image.pdf(made))


def test_crowded_diagram_names_move_above_its_only_board() -> None:
    fork = {f"go-{nth}": f"p{nth}" for nth in range(100)}
    chosen = {f"p{nth}": "on" if nth else "over" for nth in range(100)}
    rules: dict[str, int | tuple[int, dict[str, str]]] = {"start": (1, fork), "end": 1, "other": 1}
    for name, move in chosen.items():
        rules[name] = (0, {move: "end" if name != "p0" else "other"})
    drawn = pygraphviz.AGraph(string=dot.render(plan(Handmade(rules), chosen)))
    labels = {edge: edge.attr["label"].strip() for edge in drawn.edges() if edge.attr["style"] != "invis"}
    assert sorted(filter(None, labels.values())) == ["on"] * 99
    for nth in range(100):
        (board,) = (node for node in drawn.nodes() if node.attr["tooltip"] == f"p{nth}")
        assert re.findall(r">(go-\d+)<", board.attr["label"]) == [f"go-{nth}"]
        assert labels[("n0", board)] == ""
    assert "above a board: the move to it" in drawn.graph_attr["label"]
