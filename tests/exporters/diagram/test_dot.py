import re

import pygraphviz
import pytest

import solver
from exporters import palette
from exporters.diagram import dot
from exporters.diagram.scene import make_scene
from solver.plans.plan import Plan, unfold
from tests.exporters.support.small_plans import HOSTILE, Handmade, Rules, fork, hostile_plan, plan
from tests.support.folded_plans import folded_plan


@pytest.fixture(scope="module")
def plan_for_x(tictactoe: solver.Database) -> Plan:
    return solver.make_plan(tictactoe, owner="x")


def parse(made: Plan, depth: int | None = None, follow: str | None = None) -> pygraphviz.AGraph:
    """The picture as a graph, without the names of plies at its side."""
    drawn = pygraphviz.AGraph(string=dot.render(made, depth, follow))
    drawn.delete_nodes_from([node for node in drawn.nodes() if re.match("ply|row", node)])
    return drawn


def positions(drawn: pygraphviz.AGraph) -> dict[str, str]:
    """The position of each node, by the node's name."""
    tips = {str(node): node.attr["tooltip"] for node in drawn.nodes()}
    return {name: tips[name] for name in sorted(tips, key=lambda name: int(name[1:]))}


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
        expected = palette.PAINTS["first"] if mover_is_owner else drawn.edge_attr["color"]
        assert (edge.attr["color"] or drawn.edge_attr["color"]) == expected


@pytest.mark.parametrize("depth", [None, 3])
def test_a_position_looks_like_what_the_owner_gets_there(plan_for_x: Plan, depth: int | None) -> None:
    drawn, graph = parse(plan_for_x, depth), unfold(plan_for_x)
    for node in drawn.nodes():
        of = graph.nodes[node.attr["tooltip"]]
        assert node.attr["color"] == palette.OUTCOME_COLOURS[of["gain"]].border
        cut = depth is not None and drawn.out_degree(node) == 0
        assert ("dotted" in node.attr["style"]) == (of["gain"] == 0 and not cut)
        said = words(node.attr["label"]).removesuffix(" …")
        if of["kind"] == "end":
            assert said.endswith("x wins" if of["gain"] else "draw")
        elif node == drawn.nodes()[0]:
            assert said.removesuffix(" draw") == "0 1 2 3 4 5 6 7 8"  # the first board names the cells
        elif depth is None:  # many boards: borders and colours have to do
            assert set(said) <= set("xo ")
        else:
            assert said.endswith("win" if of["gain"] else "draw")
        assert ("dashed" in node.attr["style"]) == cut


def test_a_position_that_is_lost_for_the_owner_says_who_wins() -> None:
    drawn = parse(plan(Handmade({"a": (0, {"m": "b"}), "b": -1}), {"a": "m"}))
    root, end = drawn.nodes()
    assert words(root.attr["label"]) == "a loss"
    assert words(end.attr["label"]) == "b second wins"
    assert root.attr["peripheries"] == end.attr["peripheries"] == "2"


def test_the_heading_says_whose_plan_it_is_and_what_it_guarantees(plan_for_x: Plan) -> None:
    heading = "Plan for x in Tic-tac-toe: x never loses"
    drawn = parse(plan_for_x)
    assert heading in words(drawn.graph_attr["label"])
    assert drawn.get_name() == heading


def test_where_a_ply_has_many_positions_they_lie_in_several_rows(plan_for_x: Plan) -> None:
    drawn = parse(plan_for_x)
    at = positions(drawn)
    rows = [
        {9 - at[str(node)].count(".") for node in rank.nodes()}
        for rank in drawn.subgraphs()
        if rank.graph_attr["rank"] == "same"
    ]
    assert all(len(row) == 1 for row in rows)
    plies = [ply for (ply,) in rows]
    assert len(plies) > 10
    assert sorted(set(plies)) == list(range(10))
    assert plies == sorted(plies)


@pytest.mark.parametrize(("depth", "size"), [(1, 10), (None, 18)])
def test_the_key_of_players_is_as_large_as_the_legend(plan_for_x: Plan, depth: int | None, size: int) -> None:
    drawn = dot.render(plan_for_x, depth)
    key, legend = (
        re.search(r'SIZE="(\d+)"[^>]*>x x   o o<', drawn),
        re.search(r'SIZE="(\d+)"[^>]*>thick', drawn),
    )
    assert key
    assert legend
    assert int(key[1]) == int(legend[1]) == size


@pytest.mark.parametrize("depth", [1, 2, 3, 9, 100])
def test_a_picture_is_cut_at_a_depth(plan_for_x: Plan, depth: int) -> None:
    drawn, graph = parse(plan_for_x, depth), unfold(plan_for_x)
    at = positions(drawn)
    left = [position for position in graph if 9 - position.count(".") <= depth]
    assert sorted(at.values()) == sorted(left)
    for node in drawn.nodes():
        goes_on = graph.out_degree(node.attr["tooltip"]) > 0 and drawn.out_degree(node) == 0
        assert goes_on == ("dashed" in node.attr["style"]) == ("…" in node.attr["label"])
    assert ("dashed" in drawn.graph_attr["label"]) == (depth < 9)


def test_moves_are_named_where_the_boards_do_not_show_them(plan_for_x: Plan) -> None:
    whole, few, without_boards = parse(plan_for_x), parse(plan_for_x, 2), parse(fork(60))
    assert {edge.attr["label"] for edge in whole.edges()} == {None}
    assert [edge.attr["label"].strip() for edge in few.edges()] == list("012345678")
    assert {edge.attr["label"] for edge in without_boards.edges()} == {None}
    names = [re.search(r">(r\d+)<", node.attr["label"]) for node in without_boards.nodes()]
    assert {name[1] for name in names if name} == {f"r{n}" for n in range(60)}


def test_two_moves_to_the_same_position_are_one_arrow_with_both_names() -> None:
    drawn = parse(plan(Handmade({"a": (1, {"l": "b", "r": "b"}), "b": 0}), {}))
    assert [edge.attr["label"].strip() for edge in drawn.edges()] == ["l, r"]


def test_play_that_goes_round_in_circles_is_drawn() -> None:
    game = Handmade({"a": (0, {"m": "b"}), "b": (1, {"back": "a", "out": "c"}), "c": 0})
    drawn = parse(plan(game, {"a": "m"}))
    assert sorted(drawn.edges()) == [("n0", "n1"), ("n1", "n1ton0"), ("n1", "n2")]
    reference = drawn.get_node("n1ton0")
    assert (reference.attr["label"], reference.attr["tooltip"]) == ("as 1", "a")
    assert drawn.get_edge("n1", "n1ton0").attr["style"] == "dashed"
    assert words(drawn.get_node("n0").attr["label"]) == "1 a draw"


def test_hostile_texts_stay_texts() -> None:
    drawn = parse(hostile_plan())
    assert len(drawn.nodes()) == len(drawn.edges()) + 1 == len(HOSTILE) + 1
    # Graphviz reads a backslash or an ampersand in a text as the beginning of something else.
    unescaped = [text.replace("\\" * 4, "\\").replace("&amp;", "&") for text in positions(drawn).values()]
    assert unescaped == ["root", *HOSTILE]


def test_what_cannot_be_printed_is_blank() -> None:
    drawn = parse(plan(Handmade({"a\x00b\nc\ud800": 0}), {}))
    assert list(positions(drawn).values()) == ["a b c "]


def test_replies_that_are_not_followed_are_counted(plan_for_x: Plan) -> None:
    drawn = parse(plan_for_x, 4, "8")
    labels = {str(node): node.attr["label"] for node in drawn.nodes() if node.attr["shape"] == "plaintext"}
    assert labels == {"n1others": "… 7 other replies"}
    (edge,) = drawn.in_edges("n1others")
    assert (edge[0], edge.attr["style"]) == ("n1", "dashed")
    two = plan(Handmade({"a": (1, {"l": "b", "r": "c"}), "b": 0, "c": 0}), {})
    assert "… 1 other reply" in dot.render(two, follow="r")


def test_an_arrow_to_a_turned_board_has_a_ring(tictactoe: solver.Database) -> None:
    scene = make_scene(folded_plan(tictactoe, owner="o"))
    drawn = parse(scene.plan)
    at = positions(drawn)
    rings = {
        (at[tail], at[head]) for tail, head in drawn.edges() if drawn.get_edge(tail, head).attr["arrowhead"]
    }
    moves = {(before.position, after.position) for before, after in scene.part.moves}
    assert rings == {move for move in moves if scene.turned(*move)}
    assert rings


def test_what_a_board_does_not_show_stands_below_it() -> None:
    rules: Rules = {"a": (1, {"p": "b", "q": "c"}), "b": (1, {"r": "end"}), "c": (1, {"s": "end"}), "end": 1}
    drawn = parse(plan(Handmade(rules, {"b": [["x"]], "c": [["x"]]}), {}))
    assert [words(node.attr["label"]) for node in drawn.nodes()] == [
        "a win",
        "x b win",
        "x c win",
        "end first wins",
    ]


def test_an_arrow_says_the_names_of_its_moves_to_who_points_at_it(plan_for_x: Plan) -> None:
    drawn = parse(plan_for_x)
    assert {edge.attr["tooltip"] for edge in drawn.edges()} == set("012345678")
