"""Minimax, alpha-beta and their depth-limited variants."""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from math import inf
from typing import Any, cast

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from solver.errors import BadParameter, RepeatedState, TooLarge
from solver.game import AnyGame
from solver.games.mnk import TicTacToe
from solver.search.alpha_beta import alpha_beta, by_evaluation
from solver.search.and_or.game_problem import and_or
from solver.search.depth_limited import depth_limited
from solver.search.interface import SearchResult, Settings
from solver.search.minimax import minimax
from solver.system import resources
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.long import acyclic_games
from tests.support.search_examples import EXAMPLES, labelled

Search = Callable[[AnyGame, Any], SearchResult]

DEEP = Settings(depth=99)

EXACT: dict[str, Search] = {
    "minimax": minimax,
    "minimax with a table": lambda game, state: minimax(game, state, table=True),
    "alpha-beta": alpha_beta,
    "alpha-beta with a table": lambda game, state: alpha_beta(game, state, table=True),
    "depth-limited minimax, deep": lambda game, state: depth_limited(game, state, DEEP, prune=False),
    "depth-limited alpha-beta, deep": lambda game, state: depth_limited(game, state, DEEP),
}
"""The searches that must make the choice of minimax."""


@pytest.mark.parametrize(
    ("table", "visited"), [pytest.param(False, "histories", marks=pytest.mark.slow), (True, "states")]
)
def test_minimax_visits_every_history_of_tic_tac_toe_or_every_state_once(table: bool, visited: str) -> None:
    actual = minimax(TicTacToe(), 0, table=table)
    assert (actual.nodes, actual.value, actual.action) == (EXAMPLES[visited], 0, 0)


FIRST, *OTHERS = EXAMPLES["lines"]


@pytest.mark.parametrize(
    "line",
    [FIRST, *(pytest.param(line, marks=pytest.mark.slow) for line in OTHERS)],
    ids=lambda line: line["start"],
)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("minimax", marks=pytest.mark.slow),
        *(name for name in EXACT if name != "minimax" and "minimax, deep" not in name),
    ],
)
def test_searches_follow_the_worked_lines(name: str, line: dict[str, Any]) -> None:
    game = TicTacToe()
    state = game.parse(line["start"])
    for move in line["moves"]:
        actual = EXACT[name](game, state)
        assert (actual.action, actual.value) == (move, line["value"])
        state = game.result(state, move)
    assert game.utility(state) == line["value"]
    assert EXACT[name](game, state).action is None


@pytest.mark.parametrize("answers", EXAMPLES["answers"], ids=lambda answers: str(answers["x"]))
def test_minimax_answers_as_in_the_worked_games(answers: dict[str, Any]) -> None:
    game = TicTacToe()
    state = game.initial
    for number, move in enumerate(answers["x"]):
        state = game.result(state, move)
        if number < len(answers["o"]):
            actual = minimax(game, state, table=True)
            assert actual.action == answers["o"][number]
            state = game.result(state, actual.action)
    assert game.is_terminal(state)
    assert game.utility(state) == answers["value"]


@pytest.mark.parametrize("search", EXACT.values(), ids=list(EXACT))
@pytest.mark.parametrize("example", EXAMPLES["values"], ids=lambda example: example["position"])
def test_worked_positions_have_their_values(search: Search, example: dict[str, Any]) -> None:
    game = TicTacToe()
    assert search(game, game.parse(example["position"])).value == example["value"]


@drawn(30, 300, game=acyclic_games(utility=3))
def test_searches_equal_the_labels_in_every_state(game: ExplicitGame) -> None:
    graph = labelled(game)
    for state, node in graph.nodes.data():
        value = node["value"]
        keeping = [move for move, child in node.get("moves", ()) if graph.nodes[child]["value"] == value]
        for name, search in EXACT.items():
            actual = search(game, state)
            assert (actual.value, actual.action) == (value, keeping[0] if keeping else None), name
        assert minimax(game, state).nodes == histories(game, state)
        for table in (False, True):
            actual = alpha_beta(game, state, table=table, order=lambda *given: given[-1][::-1])
            assert (actual.value, actual.action) == (value, keeping[-1] if keeping else None)


def histories(game: ExplicitGame, state: int) -> int:
    """The number of lines of play from a state, ended or not."""
    return 1 + sum(histories(game, child) for child in game.children[state])


def test_pruning_table_and_ordering_each_save_nodes() -> None:
    game, state = TicTacToe(), TicTacToe().parse("xo.......")
    plain, pruned = minimax(game, state), alpha_beta(game, state)
    ordered, both = (alpha_beta(game, state, order=by_evaluation, table=table) for table in (False, True))
    assert None not in (plain.nodes, pruned.nodes, ordered.nodes, both.nodes)
    assert both.nodes < ordered.nodes < pruned.nodes < plain.nodes  # type: ignore[operator]
    assert plain.value == pruned.value == ordered.value == both.value


@drawn(50, 500, game=explicit_games(utilities=(-1, 0, 1)))
def test_minimax_refuses_loops(game: ExplicitGame) -> None:
    ends = nx.is_directed_acyclic_graph(labelled(game))
    for table in (False, True):
        with nullcontext() if ends else pytest.raises(RepeatedState, match="perfectplay solve"):
            minimax(game, 0, table=table)


@drawn(50, 500, game=explicit_games())
def test_alpha_beta_refuses_loops_or_gives_the_value(game: ExplicitGame) -> None:
    value = labelled(game).nodes[0]["value"]
    for table in (False, True):
        with suppress(RepeatedState):
            assert alpha_beta(game, 0, table=table).value == value


def guessing(game: ExplicitGame, evaluate: Callable[[int], float]) -> ExplicitGame:
    """The same game with a heuristic."""
    rules: Any = type("Guessing", (ExplicitGame,), {"evaluate": lambda self, state: evaluate(state)})
    return cast(ExplicitGame, rules(**vars(game)))


@given(acyclic_games(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_pruning_does_not_change_a_depth_limited_choice(game: ExplicitGame, depth: int, random: Any) -> None:
    guesses = [random.randint(-3, 3) for _ in game.movers]
    game = guessing(game, lambda state: guesses[state])
    full, pruned = (depth_limited(game, 0, Settings(depth=depth), prune=prune) for prune in (False, True))
    assert pruned.action == full.action
    assert pruned.nodes <= full.nodes  # type: ignore[operator]
    if full.value is not None or pruned.value is None:
        assert (pruned.value, pruned.heuristic) == (full.value, full.heuristic)


def test_proved_win_outranks_every_evaluation() -> None:
    game = ExplicitGame(movers=(0, 1, 1, 0), children=((1, 2), (3,), (), ()), utilities=(0, 0, 1, 0))
    actual = depth_limited(guessing(game, lambda state: 10**9), 0, Settings(depth=1))
    assert (actual.action, actual.value, actual.heuristic) == (1, 1, None)


def test_every_evaluation_outranks_a_proved_loss() -> None:
    game = ExplicitGame(movers=(0, 1, 1, 0), children=((2, 1), (3,), (), ()), utilities=(0, 0, -1, 0))
    actual = depth_limited(guessing(game, lambda state: -inf), 0, Settings(depth=1))
    assert (actual.action, actual.value, actual.heuristic) == (1, None, -inf)


def test_search_stops_at_its_node_limit() -> None:
    for search in (minimax, alpha_beta, and_or):
        with pytest.raises(TooLarge, match="more than 1,000 nodes"):
            search(TicTacToe(), 0, Settings(most_nodes=1000))
    assert minimax(TicTacToe(), 0, Settings(most_nodes=5478), table=True).nodes == 5478


def test_search_stops_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available", lambda: 2**20)
    with pytest.raises(TooLarge, match="memory runs out after 65,536 nodes"):
        minimax(TicTacToe(), 0)


def test_depth_below_one_ply_is_refused() -> None:
    with pytest.raises(BadParameter, match="at least 1 ply"):
        depth_limited(TicTacToe(), 0, Settings(depth=0))
