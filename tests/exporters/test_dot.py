import re
from pathlib import Path

import pygraphviz
import pytest

import solver
from exporters import dot
from solver.errors import NotLegible
from solver.plan import Plan, unfold
from tests.exporters.handmade import Handmade, Rules, fork, plan


@pytest.fixture(scope="module")
def plan_for_x(tictactoe_db_path: Path) -> Plan:
    with solver.open_database(tictactoe_db_path) as db:
        return solver.make_plan(db, owner="x")


@pytest.fixture(scope="module")
def plan_for_o(tictactoe_db_path: Path) -> Plan:
    with solver.open_database(tictactoe_db_path) as db:
        return solver.make_plan(db, owner="o")


def parse(made: Plan, depth: int | None = None) -> pygraphviz.AGraph:
    return pygraphviz.AGraph(string=dot.render(made, depth))


def positions(drawn: pygraphviz.AGraph) -> dict[str, str]:
    """The position of each node, by the node's name."""
    return {str(node): node.attr["tooltip"] for node in drawn.nodes()}


def words(label: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", label).split())


def test_each_position_and_move_of_a_plan_is_drawn_once(plan_for_x: Plan) -> None:
    drawn, graph = parse(plan_for_x), unfold(plan_for_x)
    at = positions(drawn)
    assert sorted(at.values()) == sorted(graph)
    assert sorted((at[tail], at[head]) for tail, head in drawn.edges()) == sorted(graph.edges)
    assert list(at) == [f"n{number}" for number in range(len(graph))]


def test_the_owners_moves_are_thick_and_the_replies_thin(plan_for_x: Plan) -> None:
    drawn = parse(plan_for_x)
    at = positions(drawn)
    for edge in drawn.edges():
        mover_is_owner = at[edge[0]] in plan_for_x.moves
        assert float(edge.attr["penwidth"]) == pytest.approx(2.2 if mover_is_owner else 0.8)


def test_a_position_looks_like_what_the_owner_gets_there(plan_for_x: Plan) -> None:
    drawn, graph = parse(plan_for_x), unfold(plan_for_x)
    for node in drawn.nodes():
        of = graph.nodes[node.attr["tooltip"]]
        assert node.attr["color"] == dot.LOOKS[of["gain"]]["color"]
        assert ("dotted" in node.attr["style"]) == (of["gain"] == 0)
        said = words(node.attr["label"])
        if of["kind"] == "end":
            assert said.endswith("x wins" if of["gain"] else "draw")
        else:
            assert said.endswith(" win" if of["gain"] else "draw")
        assert "dashed" not in node.attr["style"]


def test_a_position_that_is_lost_for_the_owner_says_who_wins() -> None:
    drawn = parse(plan(Handmade({"a": (0, {"m": "b"}), "b": -1}), {"a": "m"}))
    root, end = drawn.nodes()
    assert words(root.attr["label"]) == "a loss"
    assert words(end.attr["label"]) == "b second wins"
    assert root.attr["peripheries"] == end.attr["peripheries"] == "2"


def test_the_heading_says_whose_plan_it_is_and_what_it_guarantees(plan_for_x: Plan) -> None:
    heading = "Plan for x in tictactoe from .........: x never loses"
    drawn = parse(plan_for_x)
    assert heading in words(drawn.graph_attr["label"])
    assert drawn.get_name() == heading


def test_positions_of_the_same_ply_lie_side_by_side(plan_for_x: Plan) -> None:
    drawn = parse(plan_for_x)
    at = positions(drawn)
    plies = [
        {9 - at[str(node)].count(".") for node in rank.nodes()}
        for rank in drawn.subgraphs()
        if rank.graph_attr["rank"] == "same"
    ]
    assert plies == [{ply} for ply in range(10)]


@pytest.mark.parametrize("depth", [1, 2, 3, 9, 100])
def test_a_picture_is_cut_at_a_depth(plan_for_x: Plan, depth: int) -> None:
    drawn, graph = parse(plan_for_x, depth), unfold(plan_for_x)
    at = positions(drawn)
    kept = [position for position in graph if 9 - position.count(".") <= depth]
    assert sorted(at.values()) == sorted(kept)
    for node in drawn.nodes():
        goes_on = graph.out_degree(node.attr["tooltip"]) > 0 and drawn.out_degree(node) == 0
        assert goes_on == ("dashed" in node.attr["style"]) == ("…" in node.attr["label"])
    assert ("dashed" in drawn.graph_attr["label"]) == (depth < 9)


def test_what_cannot_be_read_is_refused_with_advice_that_works(plan_for_o: Plan) -> None:
    with pytest.raises(NotLegible, match="776 positions") as refusal:
        dot.render(plan_for_o)
    advised = re.search(r"--depth (\d+)", str(refusal.value))
    assert advised
    depth = int(advised[1])
    assert len(parse(plan_for_o, depth).nodes()) <= dot.MOST_POSITIONS
    with pytest.raises(NotLegible):
        dot.render(plan_for_o, depth + 1)


def test_a_tangle_of_moves_is_refused_however_few_the_positions() -> None:
    plies, width = 6, 12
    rules: Rules = {"root": (1, {f"m{each}": f"0 {each}" for each in range(width)})}
    for ply in range(plies):
        after = {f"m{each}": f"{ply + 1} {each}" for each in range(width)}
        rules = {**rules, **{f"{ply} {each}": (1, after) for each in range(width)}}
    ends = {f"{plies} {each}": 1 for each in range(width)}
    made = plan(Handmade({**rules, **ends}), {})
    # 12 moves to the first row and 144 from each row to the next
    with pytest.raises(NotLegible, match=r"85 positions and 876 moves.*--depth 6"):
        dot.render(made)
    assert len(parse(made, 6).nodes()) == 1 + 6 * width


def test_no_depth_is_advised_where_none_would_do() -> None:
    assert dot.render(fork(dot.MOST_POSITIONS - 1))
    with pytest.raises(NotLegible, match=r"use a later position, or --format json"):
        dot.render(fork(dot.MOST_POSITIONS))


def test_moves_are_named_where_the_boards_do_not_show_them(plan_for_x: Plan) -> None:
    whole, few, without_boards = parse(plan_for_x), parse(plan_for_x, 2), parse(fork(60))
    assert {edge.attr["label"] for edge in whole.edges()} == {None}
    assert [edge.attr["label"].strip() for edge in few.edges()] == list("012345678")
    assert {edge.attr["label"].strip() for edge in without_boards.edges()} == {f"r{n}" for n in range(60)}


def test_two_moves_to_the_same_position_are_one_arrow_with_both_names() -> None:
    drawn = parse(plan(Handmade({"a": (1, {"l": "b", "r": "b"}), "b": 0}), {}))
    assert [edge.attr["label"].strip() for edge in drawn.edges()] == ["l, r"]


def test_play_that_goes_round_in_circles_is_drawn() -> None:
    game = Handmade({"a": (0, {"m": "b"}), "b": (1, {"back": "a", "out": "c"}), "c": 0})
    drawn = parse(plan(game, {"a": "m"}))
    assert sorted(drawn.edges()) == [("n0", "n1"), ("n1", "n0"), ("n1", "n2")]


HOSTILE = [
    '"',
    "\\",
    '\\"',
    "<b>",
    "</TABLE>",
    "<script>alert(1)</script>",
    "a:b",
    "{|}",
    "&lt;",
    "\\N\\G",
    "%s",
    "ä€😀",
]


def test_hostile_texts_stay_texts() -> None:
    rules = {"root": (1, {f"{text} move": text for text in HOSTILE})} | dict.fromkeys(HOSTILE, 1)
    drawn = parse(plan(Handmade(rules, {"\\": [['"', "</TD>"]]}), {}))
    assert len(drawn.nodes()) == len(drawn.edges()) + 1 == len(HOSTILE) + 1
    # Graphviz reads a backslash or an ampersand in a text as the beginning of something else.
    unescaped = [text.replace("\\\\", "\\").replace("&amp;", "&") for text in positions(drawn).values()]
    assert unescaped == ["root", *HOSTILE]


def test_what_cannot_be_printed_is_blank() -> None:
    drawn = parse(plan(Handmade({"a\x00b\nc\ud800": 0}), {}))
    assert list(positions(drawn).values()) == ["a b c "]
