import re

import pygraphviz
import pytest

from exporters import palette
from exporters.diagram import dot
from solver.plans.plan import Plan, unfold
from tests.exporters.support.small_plans import HOSTILE, Handmade, Rules, hostile_plan, plan


def parse(made: Plan, depth: int | None = None) -> pygraphviz.AGraph:
    """The picture as a graph, without the names of plies at its side."""
    drawn = pygraphviz.AGraph(string=dot.render(made, depth))
    drawn.delete_nodes_from([node for node in drawn.nodes() if re.match("ply|row", node)])
    return drawn


def positions(drawn: pygraphviz.AGraph) -> dict[str, str]:
    """The position of each node, by the node's name."""
    tips = {str(node): node.attr["tooltip"] for node in drawn.nodes()}
    return {name: tips[name] for name in sorted(tips, key=lambda name: int(name[1:]))}


def words(label: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", label).split())


def test_each_position_and_move_is_drawn_once(whole_plans: dict[str, Plan]) -> None:
    drawn, graph = parse(whole_plans["x"]), unfold(whole_plans["x"])
    at = positions(drawn)
    assert sorted(at.values()) == sorted(graph)
    assert sorted((at[tail], at[head]) for tail, head in drawn.edges()) == sorted(graph.edges)
    assert list(at) == [f"n{number}" for number in range(len(graph))]


@pytest.mark.parametrize("depth", [None, 1, 3])
def test_node_style_shows_owner_gain_down_to_depth(whole_plans: dict[str, Plan], depth: int | None) -> None:
    made = whole_plans["x"]
    drawn, graph = parse(made, depth), unfold(made)
    at = positions(drawn)
    assert sorted(at.values()) == sorted(text for text in graph if 9 - text.count(".") <= (depth or 9))
    for node in drawn.nodes():
        of = graph.nodes[node.attr["tooltip"]]
        goes_on = graph.out_degree(node.attr["tooltip"]) > 0 and drawn.out_degree(node) == 0
        assert goes_on == ("dashed" in node.attr["style"]) == ("…" in node.attr["label"])
        assert node.attr["color"] == palette.OUTCOME_COLOURS[of["gain"]].border
        assert ("dotted" in node.attr["style"]) == (of["gain"] == 0 and not goes_on)
        if of["kind"] == "end":
            assert words(node.attr["label"]).endswith("x wins" if of["gain"] else "draw")
        elif depth and node != drawn.nodes()[0]:
            assert words(node.attr["label"]).removesuffix(" …").endswith("win" if of["gain"] else "draw")
    for edge in drawn.edges():  # the owner's moves are thick
        assert float(edge.attr["penwidth"]) == (2.2 if at[edge[0]] in made.moves else 0.8)


def test_two_moves_to_one_position_share_an_arrow() -> None:
    drawn = parse(plan(Handmade({"a": (1, {"l": "b", "r": "b"}), "b": 0}), {}))
    assert [edge.attr["label"].strip() for edge in drawn.edges()] == ["l, r"]


def test_hostile_texts_are_escaped() -> None:
    drawn = parse(hostile_plan())
    assert len(drawn.nodes()) == len(drawn.edges()) + 1 == len(HOSTILE) + 1
    # Graphviz reads a backslash or an ampersand in a text as the beginning of something else.
    unescaped = [text.replace("\\" * 4, "\\").replace("&amp;", "&") for text in positions(drawn).values()]
    assert unescaped == ["root", *HOSTILE]


def test_unprintable_characters_become_spaces() -> None:
    drawn = parse(plan(Handmade({"a\x00b\nc\ud800": 0}), {}))
    assert list(positions(drawn).values()) == ["a b c "]


def test_single_omitted_reply_is_counted_in_singular() -> None:
    two = plan(Handmade({"a": (1, {"l": "b", "r": "c"}), "b": 0, "c": 0}), {})
    assert "… 1 other reply" in dot.render(two, follow="r")


def test_positions_with_equal_boards_are_labelled_by_text() -> None:
    rules: Rules = {"a": (1, {"p": "b", "q": "c"}), "b": (1, {"r": "end"}), "c": (1, {"s": "end"}), "end": 1}
    drawn = parse(plan(Handmade(rules, {"b": [["x"]], "c": [["x"]]}), {}))
    labels = [words(node.attr["label"]) for node in drawn.nodes()]
    assert labels == ["a win", "x b win", "x c win", "end first wins"]
