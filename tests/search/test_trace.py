"""Traces of searches: their figures, and bounds that hold."""

from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import strategies as st

from solver.errors import NotLegible
from solver.game import AnyGame
from solver.games.mnk import MNK, TicTacToe
from solver.games.nim import Nim
from solver.rules.loading import load_game
from solver.search import SEARCHES, Settings, search
from solver.search.minimax import minimax_within
from solver.search.recorder import MAX_RECORDED, SearchRecorder
from solver.search.trace import Interval, Sample, SearchTrace, TracedNode, Visit
from tests.support import search_examples
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.long import LongGame, acyclic_games, go_on
from tests.support.pages import ROOT
from tests.support.search_examples import labelled

UNVISITED = (Visit.CUT, Visit.KNOWN, Visit.REPEATED, Visit.REPLIES)

FIGURE = load_game(f"{ROOT / 'docs' / 'aima_5_2.py'}:Figure")


traced = partial(search_examples.traced, playouts=60)


def paths(trace: SearchTrace) -> dict[tuple[Any, ...], TracedNode]:
    """The nodes by the actions that lead to them."""
    actual = list[tuple[Any, ...]]()
    for node in trace.nodes:
        actual.append(() if node.parent is None else (*actual[node.parent], node.action))
    return dict(zip(actual, trace.nodes, strict=True))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    ("game", "position"),
    [
        (TicTacToe(), "xo.ox...."),
        (TicTacToe(), "xo..xo..."),
        (Nim((1, 2, 2)), "1,2,2 first"),
        (MNK(1, 4, 2), "x..."),
    ],
    ids=["won", "open", "nim", "line"],
)
def test_trace_has_the_figures_of_the_search(name: str, game: AnyGame, position: str) -> None:
    state = game.parse(position)
    actual, trace = traced(name, game, state)
    assert actual == search(name, game, state, Settings(playouts=60))
    assert trace.action == actual.action
    check_links(trace)
    assert trace.visits == sum(node.visit not in UNVISITED for node in trace.nodes)
    assert actual.nodes in (None, trace.visits)
    root = trace.root.finding
    if isinstance(root, Interval):
        utility, guess = root.low if isinstance(root.low, tuple) else (root.low, None)
        assert root.exact
        assert guess == actual.heuristic or utility == actual.value
    if isinstance(root, Sample):
        assert root.visits == actual.playouts == len(trace.playouts)
        assert trace.root.choice is not None
        assert trace.nodes[trace.root.choice].finding.mean == actual.value  # type: ignore[union-attr]
    if isinstance(root, bool):
        assert root == (actual.plan is not None)


@pytest.mark.parametrize("name", SEARCHES)
def test_trace_of_a_terminal_state_has_one_node(name: str) -> None:
    game = TicTacToe()
    _, trace = traced(name, game, game.parse("xxxoo...."), goal="win", owner=0)
    assert [node.visit for node in trace.nodes] == [Visit.TERMINAL]
    assert trace.root.finding in (Interval(1, 1), Interval((1, 0), (1, 0)), True)


@pytest.mark.parametrize("name", ["and-or", "and-or-retry"])
@drawn(40, 400, game=explicit_games())
def test_trace_links_nodes_both_ways(name: str, game: ExplicitGame) -> None:
    actual, trace = traced(name, game, 0)
    check_links(trace)
    assert trace.visits == actual.nodes == sum(node.visit not in UNVISITED for node in trace.nodes)


def check_links(trace: SearchTrace) -> None:
    """Hold that nodes are linked both ways, in the order of the visits."""
    for number, node in enumerate(trace.nodes):
        assert all(trace.nodes[child].parent == number for child in node.children)
        assert all(a < b for a, b in pairwise([number, *node.children]))
        assert all(trace.nodes[child].depth == node.depth + 1 for child in node.children)
        assert node.choice is None or node.choice in node.children
    linked = [child for node in trace.nodes for child in node.children]
    assert sorted([*linked, *trace.roots]) == list(range(len(trace.nodes)))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("depth", [1, 2])
def test_trace_cut_at_a_depth_counts_the_nodes_below(name: str, depth: int) -> None:
    game = TicTacToe()
    state = game.parse("xo.ox....")
    _, whole = traced(name, game, state)
    _, cut = traced(name, game, state, depth)
    assert (len(whole.nodes), cut.visits, cut.action) == (sum(whole.sizes), whole.visits, whole.action)
    assert cut.sizes == whole.sizes
    left = {path: node for path, node in paths(whole).items() if node.depth <= depth}
    for path, node in paths(cut).items():
        same = left.pop(path)
        assert (node.state, node.visit, node.finding) == (same.state, same.visit, same.finding)
        assert len(node.children) + node.hidden == len(same.children)
    assert left == {}


def test_trace_of_a_long_search_is_bounded() -> None:
    _, trace = traced("minimax", MNK(3, 3, 3), MNK(3, 3, 3).parse("xo......."))
    assert len(trace.nodes) == MAX_RECORDED
    assert sum(trace.sizes) == trace.visits > MAX_RECORDED


@drawn(40, 400, game=acyclic_games(utility=3))
def test_alpha_beta_visits_minimax_nodes_except_those_below_cuts(game: ExplicitGame) -> None:
    (_, full), (_, pruned) = (traced(name, game, 0) for name in ("minimax", "alpha-beta"))
    everywhere, somewhere = paths(full), paths(pruned)
    cut = [path for path, node in somewhere.items() if node.visit is Visit.CUT]
    below_cuts = {path for path in everywhere if any(path[: len(item)] == item for item in cut)}
    visited = {path for path, node in somewhere.items() if node.visit is not Visit.CUT}
    assert visited == everywhere.keys() - below_cuts
    assert set(cut) <= below_cuts


@pytest.mark.parametrize("name", ["minimax-table", "alpha-beta", "alpha-beta-table", "alpha-beta-ordered"])
@drawn(30, 400, game=acyclic_games(utility=3))
def test_intervals_contain_the_minimax_value(name: str, game: ExplicitGame) -> None:
    values = labelled(game).nodes.data("value")
    actual, trace = traced(name, game, 0)
    assert trace.root.finding == Interval(actual.value, actual.value)
    for node in trace.nodes:
        if node.visit is not Visit.CUT:
            assert isinstance(node.finding, Interval)
            assert node.finding.low is None or node.finding.low <= values[node.state]
            assert node.finding.high is None or node.finding.high >= values[node.state]
            if name.startswith("minimax"):
                assert node.finding.exact


@drawn(30, 400, game=acyclic_games(utility=3))
def test_cuts_occur_where_the_window_closes(game: ExplicitGame) -> None:
    for name in ("alpha-beta", "alpha-beta-table", "depth-limited"):
        _, trace = traced(name, game, 0)
        for node in trace.nodes:
            if any(trace.nodes[child].visit is Visit.CUT for child in node.children):
                assert node.window is not None
                assert isinstance(node.finding, Interval)
                if game.to_move(node.state) == 0:
                    assert node.finding.low >= node.window[1]
                else:
                    assert node.finding.high <= node.window[0]


def test_textbook_tree_has_the_textbooks_values() -> None:
    """Russell and Norvig, 4th edition: figure 5.2, and the last part of figure 5.5."""
    actual, trace = traced("minimax", FIGURE, "A")
    assert (actual.action, actual.value, actual.nodes) == ("a1", 3, 13)
    values = [3, 3, 3, 12, 8, 2, 2, 4, 6, 2, 14, 5, 2]
    assert [node.finding for node in trace.nodes] == [Interval(value, value) for value in values]
    actual, trace = traced("alpha-beta", FIGURE, "A")
    assert (actual.action, actual.value, actual.nodes) == ("a1", 3, 11)
    assert [node.state for node in trace.nodes if node.visit is Visit.CUT] == ["c2", "c3"]
    bounds = {node.state: node.finding for node in trace.nodes}
    assert bounds["A"] == bounds["B"] == Interval(3, 3)
    assert (bounds["C"], bounds["D"]) == (Interval(None, 2), Interval(2, 2))


def test_playouts_of_a_tree_add_up() -> None:
    game = TicTacToe()
    for name in ("uct", "uct-solver"):
        actual, trace = traced(name, game, game.parse("xo..xo..."))
        passed, totals = [0] * len(trace.nodes), [0] * len(trace.nodes)
        for leaf, utility in trace.playouts:
            number: int | None = leaf
            while number is not None:
                passed[number] += 1
                totals[number] += utility
                number = trace.nodes[number].parent
        samples: list[Any] = [node.finding for node in trace.nodes]
        assert [sample.visits for sample in samples] == passed
        assert [sample.total for sample in samples] == totals
        assert actual.nodes == len(trace.nodes)


@pytest.mark.parametrize("name", ["and-or", "and-or-retry"])
@pytest.mark.parametrize("position", ["xo.ox....", "xo..xo...", "xox.o...."])
def test_verdicts_of_an_and_or_tree_are_consistent(name: str, position: str) -> None:
    game = TicTacToe()
    actual, trace = traced(name, game, game.parse(position))
    assert trace.goals[-1] in ("a win", "a draw")
    assert trace.root.finding is (actual.plan is not None)
    for node in trace.nodes:
        verdicts = [trace.nodes[child].finding for child in node.children]
        if node.visit is Visit.SEARCHED:
            assert node.finding is (True in verdicts)
            # A plan that tries again chooses only where it leads.
            assert (node.choice is not None) == node.finding or (node.choice is None and "retry" in name)
        if node.visit is Visit.REPLIES:
            assert node.finding is all(verdict is True for verdict in verdicts)


def test_retrying_search_records_both_of_its_searches() -> None:
    """The first player tries; the second one lets it win or sends it back."""
    game = ExplicitGame(movers=(0, 1, 0), children=((1,), (0, 2), ()), utilities=(0, 0, 1))
    actual, trace = traced("and-or-retry", game, 0, goal="win", endless="second")
    assert trace.goals == ("a win", "a win")
    assert [trace.nodes[root].finding for root in trace.roots] == [False, True]
    assert trace.visits == actual.nodes
    assert [node.visit for node in trace.nodes].count(Visit.REPEATED) == 2


@pytest.mark.parametrize("name", ["minimax", "uct-solver", "and-or-retry"])
def test_recorder_handles_five_thousand_plies(name: str) -> None:
    recorder = SearchRecorder(LongGame(), name, 3)
    actual = search(name, LongGame(), 0, Settings(playouts=5, depth=5, policy=go_on, recorder=recorder))
    assert recorder.trace().action == actual.action == 0


def bounds(game: ExplicitGame, state: int, depth: int) -> tuple[float, float]:
    """The least and the greatest minimax value that any utilities below a depth could give."""
    below = game.children[state]
    if not below:
        return game.utilities[state], game.utilities[state]
    if not depth:
        return -inf, inf
    lows, highs = zip(*(bounds(game, child, depth - 1) for child in below), strict=True)
    best = min if game.movers[state] else max
    return best(lows), best(highs)


@drawn(few=60, many=2000, game=explicit_games(), depth=st.integers(1, 4))
def test_depth_limited_minimax_bounds_equal_the_definition(game: ExplicitGame, depth: int) -> None:
    recorder = SearchRecorder(game, "minimax", depth)
    actual = minimax_within(game, 0, depth, recorder)
    trace = recorder.trace()
    assert actual.action == trace.action
    assert len(trace.nodes) == actual.nodes == sum(trace.sizes)
    for node in trace.nodes:
        low, high = bounds(game, node.state, depth - node.depth)
        assert node.finding == Interval(None if low == -inf else low, None if high == inf else high)
        assert (node.visit is Visit.HORIZON) == (node.depth == depth and bool(game.children[node.state]))
    low, high = bounds(game, 0, depth)
    assert actual.value == (low if low == high else None)
    if actual.action is not None:
        assert bounds(game, game.result(0, actual.action), depth - 1) == (low, high)


def test_depth_limited_tree_of_too_many_nodes_is_refused() -> None:
    with pytest.raises(NotLegible, match="more than 5,000 nodes cannot be read: use a smaller --depth"):
        minimax_within(TicTacToe(), 0, 5, SearchRecorder(TicTacToe(), "minimax", 5))
