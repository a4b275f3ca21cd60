import re
from collections.abc import Iterable

import networkx as nx
import pytest

from exporters.diagram import excerpt as module
from exporters.diagram.excerpt import Excerpt, PlyPosition, excerpt
from solver.errors import NotLegible, UsageError
from solver.plans.plan import Plan, PlanGraph, unfold
from tests.exporters.support.small_plans import Handmade, Rules, fork, plan


def plies(part: Excerpt) -> list[list[str]]:
    return [[place.position for place in ply] for ply in part.plies]


def moves(part: Excerpt) -> list[tuple[str, str]]:
    return [(before.position, after.position) for before, after in part.moves]


def positions(places: Iterable[PlyPosition]) -> set[str]:
    return {place.position for place in places}


@pytest.fixture(scope="module")
def graph(whole_plans: dict[str, Plan]) -> PlanGraph:
    """What o's plan from the empty board unfolds to."""
    return unfold(whole_plans["o"])


def test_without_options_all_is_drawn() -> None:
    graph = unfold(fork(3))
    part = excerpt(graph)
    assert plies(part) == [["root"], ["end0", "end1", "end2"]]
    assert part.positions == list(graph)
    assert moves(part) == list(graph.edges)
    assert not part.cut
    assert not part.left_out


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_depth_cuts_below_so_many_plies(graph: PlanGraph, depth: int) -> None:
    part = excerpt(graph, depth)
    assert {9 - position.count(".") for position in part.positions} == set(range(depth + 1))
    assert part.cut == {ply for ply in part.plies[-1] if graph.nodes[ply.position]["kind"] != "end"}
    assert {child for _, child in moves(part)} == set(part.positions) - {"........."}


def test_after_the_replies_that_are_followed_all_is_drawn(graph: PlanGraph) -> None:
    part = excerpt(graph, follow=" 4  2 ")
    corner = next(iter(graph.successors("....x....")))
    then = next(child for child in graph.successors(corner) if child[2] == "x")
    assert plies(part)[:4] == [["........."], ["....x...."], [corner], [then]]
    assert set(part.positions[4:]) == nx.descendants(graph, then)
    assert part.left_out == {(0, "........."): 8, (2, corner): 6}
    assert set(moves(part)) - set(graph.edges) == set()
    below = nx.descendants(graph, then) | {then}
    assert set(graph.edges(below)) <= set(moves(part))


def test_replies_can_be_followed_down_to_a_depth(graph: PlanGraph) -> None:
    part = excerpt(graph, 4, "4")
    assert [len(ply) for ply in part.plies[:3]] == [1, 1, 1]
    assert len(part.plies) == 5
    assert part.cut == set(part.plies[-1])


@pytest.mark.parametrize(
    ("follow", "says"),
    [
        ("9", r"no reply in '\.{9}' is called '9': there are 0, 1, 2, 3, 4, 5, 6, 7, 8$"),
        ("4 4", r"no reply in 'o...x....' is called '4': there are 1, 2, 3, 5, 6, 7, 8$"),
        ("44", r"is called '44'"),
        ("0 1 2", r"^no reply in .* is called '2'|there is no reply left"),
    ],
)
def test_what_is_no_reply_is_refused_with_those_there_are(graph: PlanGraph, follow: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as refusal:
        excerpt(graph, follow=follow)
    assert "\n" not in str(refusal.value)


def test_when_play_is_over_no_reply_can_be_followed() -> None:
    with pytest.raises(UsageError, match=r"there is no reply left for 'r0': omit it"):
        excerpt(unfold(fork(2)), follow="r1 r0")


def test_where_the_owner_moves_for_ever_no_reply_can_be_followed() -> None:
    game = Handmade({"a": (0, {"go": "b"}), "b": (0, {"back": "a"})})
    with pytest.raises(UsageError, match="there is no reply left"):
        excerpt(unfold(plan(game, {"a": "go", "b": "back"})), follow="go")


def test_names_of_moves_may_have_blanks_in_them() -> None:
    rules: Rules = {"a": (1, {"(1, 0)": "b", "(1,": "c"}), "b": (1, {"x": "d"}), "c": 1, "d": 1}
    part = excerpt(unfold(plan(Handmade(rules), {})), follow="(1, 0) x")
    assert part.positions == ["a", "b", "d"]
    assert part.left_out == {(0, "a"): 1}


def test_a_position_to_which_play_returns_is_drawn_in_full() -> None:
    rules: Rules = {"a": (1, {"m": "b", "n": "end"}), "b": (0, {"back": "a"}), "end": 1}
    part = excerpt(unfold(plan(Handmade(rules), {"b": "back"})), follow="m")
    assert sorted(moves(part)) == [("a", "b"), ("a", "end"), ("b", "a")]
    assert part.left_out == {}


def test_replies_that_lead_back_are_not_counted_as_left_out() -> None:
    replies = {"m": "b", "n": "end", "o": "end", "p": "far"}
    rules: Rules = {"a": (1, replies), "b": (0, {"back": "a"}), "end": 1, "far": 1}
    graph = unfold(plan(Handmade(rules), {"b": "back"}))
    assert excerpt(graph, follow="m p").left_out == {(0, "a"): 2}
    assert excerpt(graph, follow="m n").left_out == {(0, "a"): 1}


def test_the_order_does_not_depend_on_chance(graph: PlanGraph) -> None:
    part = excerpt(graph, follow="0")
    order = {place: number for number, place in enumerate(part.places)}
    assert part.moves == sorted(part.moves, key=lambda move: order[move[0]])


def test_what_cannot_be_read_is_refused_with_advice_that_works(
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


def test_a_tangle_of_moves_is_refused_however_few_the_positions() -> None:
    # 12 moves to the first row and 144 from each row to the next
    graph = unfold(tangle(7, 12))
    with pytest.raises(NotLegible, match=r"97 positions and 1,020 moves.*--depth 7"):
        excerpt(graph)
    assert len(excerpt(graph, 7).positions) == 1 + 7 * 12


def test_no_depth_is_advised_where_none_would_do() -> None:
    assert excerpt(unfold(fork(module.MAX_POSITIONS - 1)))
    with pytest.raises(NotLegible, match=r"use --follow MOVE, a later position, or --format json"):
        excerpt(unfold(fork(module.MAX_POSITIONS)))
