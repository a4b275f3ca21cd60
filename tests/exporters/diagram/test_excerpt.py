import re

import networkx as nx
import pytest

from exporters.diagram import excerpt as module
from exporters.diagram.excerpt import Excerpt, excerpt
from solver.errors import NotLegible, UsageError
from solver.plans.plan import Plan, PlanGraph, unfold
from tests.exporters.support.small_plans import Handmade, Rules, fork, plan


def moves(part: Excerpt) -> list[tuple[str, str]]:
    return [(before.position, after.position) for before, after in part.moves]


@pytest.fixture(scope="module")
def graph(whole_plans: dict[str, Plan]) -> PlanGraph:
    """What o's plan from the empty board unfolds to."""
    return unfold(whole_plans["o"])


@pytest.mark.parametrize(("depth", "follow"), [(None, None), (1, None), (2, None), (5, None), (4, "4")])
def test_depth_limits_the_number_of_plies(graph: PlanGraph, depth: int | None, follow: str | None) -> None:
    part = excerpt(graph, depth, follow)
    assert {9 - position.count(".") for position in part.positions} == set(range((depth or 9) + 1))
    assert part.cut == {ply for ply in part.plies[-1] if graph.nodes[ply.position]["kind"] != "end"}
    assert {child for _, child in moves(part)} == set(part.positions) - {"........."}
    assert part.left_out == ({(0, "........."): 8} if follow else {})


def test_everything_after_followed_replies_is_drawn(graph: PlanGraph) -> None:
    part = excerpt(graph, follow=" 4  2 ")
    corner = next(iter(graph.successors("....x....")))
    then = next(child for child in graph.successors(corner) if child[2] == "x")
    assert [len(ply) for ply in part.plies[:4]] == [1] * 4
    assert part.positions[:4] == [".........", "....x....", corner, then]
    assert set(part.positions[4:]) == nx.descendants(graph, then)
    assert part.left_out == {(0, "........."): 8, (2, corner): 6}
    assert set(moves(part)) - set(graph.edges) == set()
    assert set(graph.edges(nx.descendants(graph, then) | {then})) <= set(moves(part))


FOR_EVER = plan(Handmade({"a": (0, {"go": "b"}), "b": (0, {"back": "a"})}), {"a": "go", "b": "back"})
"""In which the owner moves alone."""


@pytest.mark.parametrize(
    ("made", "follow", "says"),
    [
        (None, "9", r"no reply in '\.{9}' is called '9': there are 0, 1, 2, 3, 4, 5, 6, 7, 8$"),
        (None, "4 4", r"no reply in 'o...x....' is called '4': there are 1, 2, 3, 5, 6, 7, 8$"),
        (None, "44", r"is called '44'"),
        (None, "0 1 2", r"^no reply in .* is called '2'|there is no reply left"),
        (fork(2), "r1 r0", r"there is no reply left for 'r0': omit it"),
        (FOR_EVER, "go", "there is no reply left"),
    ],
)
def test_unknown_reply_is_refused_with_list_of_replies(
    graph: PlanGraph, made: Plan | None, follow: str, says: str
) -> None:
    with pytest.raises(UsageError, match=says) as refusal:
        excerpt(unfold(made) if made else graph, follow=follow)
    assert "\n" not in str(refusal.value)


def test_follow_accepts_move_names_with_spaces() -> None:
    rules: Rules = {"a": (1, {"(1, 0)": "b", "(1,": "c"}), "b": (1, {"x": "d"}), "c": 1, "d": 1}
    part = excerpt(unfold(plan(Handmade(rules), {})), follow="(1, 0) x")
    assert part.positions == ["a", "b", "d"]
    assert part.left_out == {(0, "a"): 1}


def test_position_reached_again_is_drawn_with_all_moves() -> None:
    rules: Rules = {"a": (1, {"m": "b", "n": "end"}), "b": (0, {"back": "a"}), "end": 1}
    part = excerpt(unfold(plan(Handmade(rules), {"b": "back"})), follow="m")
    assert sorted(moves(part)) == [("a", "b"), ("a", "end"), ("b", "a")]
    assert part.left_out == {}


def test_drawn_replies_are_not_counted_as_left_out() -> None:
    replies = {"m": "b", "n": "end", "o": "end", "p": "far"}
    rules: Rules = {"a": (1, replies), "b": (0, {"back": "a"}), "end": 1, "far": 1}
    graph = unfold(plan(Handmade(rules), {"b": "back"}))
    assert excerpt(graph, follow="m p").left_out == {(0, "a"): 2}
    assert excerpt(graph, follow="m n").left_out == {(0, "a"): 1}


def test_moves_follow_the_order_of_their_positions(graph: PlanGraph) -> None:
    part = excerpt(graph, follow="0")
    order = {place: number for number, place in enumerate(part.places)}
    assert part.moves == sorted(part.moves, key=lambda move: order[move[0]])


def test_too_many_positions_are_refused_with_legible_depth(
    graph: PlanGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_POSITIONS", 400)
    with pytest.raises(NotLegible, match="480 positions") as refusal:
        excerpt(graph)
    advised = re.search(r"--depth (\d+)", str(refusal.value))
    assert advised
    depth = int(advised[1])
    assert len(excerpt(graph, depth).positions) <= module.MAX_POSITIONS
    with pytest.raises(NotLegible):
        excerpt(graph, depth + 1)
    assert excerpt(graph, follow="0").positions


def tangle(plies: int, width: int) -> Plan:
    """A plan in which from each of `width` positions of a ply replies lead to all of the next."""
    rules: Rules = {"root": (1, {f"m{item}": f"0 {item}" for item in range(width)})}
    for ply in range(plies):
        after = {f"m{item}": f"{ply + 1} {item}" for item in range(width)}
        rules = {**rules, **{f"{ply} {item}": (1, after) for item in range(width)}}
    return plan(Handmade({**rules, **{f"{plies} {item}": 1 for item in range(width)}}), {})


def test_too_many_moves_between_few_positions_are_refused() -> None:
    # 12 moves to the first row and 144 from each row to the next
    graph = unfold(tangle(7, 12))
    with pytest.raises(NotLegible, match=r"97 positions and 1,020 moves.*--depth 7"):
        excerpt(graph)
    assert len(excerpt(graph, 7).positions) == 1 + 7 * 12


def test_refusal_omits_depth_if_no_depth_is_legible() -> None:
    assert excerpt(unfold(fork(module.MAX_POSITIONS - 1)))
    with pytest.raises(NotLegible, match=r"use --follow MOVE, a later position, or --format json"):
        excerpt(unfold(fork(module.MAX_POSITIONS)))
