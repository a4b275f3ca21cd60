"""Monte Carlo, UCB1 and UCT: statistics within intervals, and exact properties."""

from collections import Counter
from fractions import Fraction
from math import log, sqrt
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

from solver.errors import BadParameter
from solver.game import ENDLESS, AnyGame, Game
from solver.games.mnk import TicTacToe
from solver.packed import Packed
from solver.players import Truth, make_player
from solver.search import Settings, search
from solver.search.interface import SearchResult
from solver.search.playouts import PlayoutBuffer, monte_carlo, playout, sampler, ucb1
from solver.search.uct import uct
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.long import acyclic_games
from tests.support.games.packed import Table
from tests.support.search_examples import EXAMPLES, labelled

CHANCES = {side: Fraction(*chance) for side, chance in EXAMPLES["random_games"].items()}

SEARCHES = [monte_carlo, ucb1, uct]

CIRCLE = Table(4, 2, (1, 3, 2, -1, 1, -1, -1, -1), (0, 1, 0, 0), (0, 0, 0, 0), tells=False)
"""From state 0 action 0 leads into a circle, and action 1 to a drawn end."""


class Ring(Table):
    """A circle of which the rules say, of any states at once, that play is never over."""

    def is_terminal(self, state: Packed) -> Packed:
        return False


RING = Ring(2, 1, (1, 0), (0, 1), (0, 0))


RULES = ("to_move", "actions", "result", "utility")

Unpacked = type("Unpacked", (Game,), {"initial": 0, **{name: getattr(TicTacToe(), name) for name in RULES}})
"""Tic-tac-toe without arrays: its rules are bound methods of another game."""


@pytest.mark.parametrize(
    ("game", "count"), [(TicTacToe(), 100_000), (Unpacked(), 3000)], ids=["at once", "one by one"]
)
def test_random_playouts_have_exact_chances(game: AnyGame, count: int) -> None:
    (outcomes,) = sampler(game, [0], Settings(seed=1))([count])
    actual = Counter(outcomes)
    for utility, side in ((1, "x"), (-1, "o"), (0, "draw")):
        chance = float(CHANCES[side])
        assert abs(actual[utility] / count - chance) < 4 * sqrt(chance * (1 - chance) / count)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seed", range(5))
def test_worked_positions_get_their_moves(search: Any, seed: int) -> None:
    game = TicTacToe()
    assert search(game, game.parse("xo.ox...."), Settings(playouts=2000, seed=seed)).action in (8, 2)
    assert search(game, game.parse("xox.o...."), Settings(playouts=2000, seed=seed)).action == 7


@settings(deadline=None, max_examples=40)
@given(acyclic_games(utility=3), st.integers(1, 60), st.integers())
def test_ucb1_equals_the_textbooks(game: ExplicitGame, playouts: int, seed: int) -> None:
    actual = ucb1(game, 0, Settings(playouts=playouts, seed=seed))
    if game.actions(0):
        assert (actual.action, actual.value) == textbook_ucb1(game, playouts, seed)
    else:
        assert actual == SearchResult(None, game.utility(0), playouts=0)


def textbook_ucb1(game: AnyGame, playouts: int, seed: int) -> tuple[int, float]:
    """The bandit in rewards from 0 to 1, as it is written in its source."""
    sign = 1 if game.to_move(0) == 0 else -1
    arms: list[list[int]] = [[] for _ in game.actions(0)]
    sample = sampler(game, [game.result(0, action) for action in game.actions(0)], Settings(seed=seed))
    for done in range(playouts):
        largest = max((abs(gain) for arm in arms for gain in arm), default=1) or 1

        def bound(arm: list[int], largest: int = largest, done: int = done) -> float:
            rewards = [(gain / largest + 1) / 2 for gain in arm]
            return round(sum(rewards) / len(arm) + sqrt(2) * sqrt(log(done) / len(arm)), 12)

        pulled = done if done < len(arms) else max(range(len(arms)), key=lambda nth: bound(arms[nth]))
        (gain,) = sample([int(nth == pulled) for nth in range(len(arms))])[pulled]
        arms[pulled].append(sign * gain)
    best = max(range(len(arms)), key=lambda nth: (len(arms[nth]), sum(arms[nth]) / max(1, len(arms[nth]))))
    return best, sign * sum(arms[best]) / len(arms[best])


def test_playout_buffer_hands_out_in_order() -> None:
    batches: list[list[int]] = []

    def numbered(counts: Any) -> list[list[int]]:
        begun = [sum(batch[nth] for batch in batches) for nth in range(9)]
        batches.append(list(counts))
        return [list(range(begun[nth], begun[nth] + count)) for nth, count in enumerate(counts)]

    buffer = PlayoutBuffer(numbered, 9, ahead=True)
    assert [buffer.take(4) for _ in range(1000)] == list(range(1000))
    assert [buffer.take(2) for _ in range(10)] == list(range(10))
    assert len(batches) < 15


@drawn(40, 400, game=acyclic_games(most=7), seed=st.integers(0, 3))
def test_uct_with_proofs_finds_the_minimax_value(game: ExplicitGame, seed: int) -> None:
    graph = labelled(game)
    actual = uct(game, 0, Settings(playouts=20_000, seed=seed), proofs=True)
    assert actual.value == graph.nodes[0]["value"]
    if actual.action is not None:
        assert graph.nodes[game.result(0, actual.action)]["value"] == actual.value


@drawn(10, 100, game=explicit_games(utilities=(-1, 0, 1)), seed=st.integers(0, 3))
def test_uct_proofs_are_true_in_games_with_loops(game: ExplicitGame, seed: int) -> None:
    with patch("solver.search.playouts.MAX_PLAYOUT_PLIES", 500):  # given up sooner
        actual = uct(game, 0, Settings(playouts=40, seed=seed), proofs=True)
    if actual.playouts is not None and actual.playouts < 40:
        assert actual.value == labelled(game).nodes[0]["value"]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("game", [TicTacToe(), Unpacked()], ids=["packed", "not packed"])
def test_seed_determines_the_result(search: Any, game: AnyGame) -> None:
    first = [search(game, 0, Settings(playouts=200, seed=seed)) for seed in range(4)]
    again = [search(game, 0, Settings(playouts=200, seed=seed)) for seed in range(4)]
    assert first == again
    assert len({item.value for item in first}) > 1


@pytest.mark.parametrize("search", SEARCHES)
def test_policy_plays_the_playouts(search: Any) -> None:
    game, asked = TicTacToe(), list[int]()

    def first_action(state: int) -> int:
        asked.append(state)
        return game.actions(state)[0]

    # from each first move, cells taken in order are a win for x
    assert search(game, 0, Settings(playouts=9, policy=first_action)).value == 1
    assert asked
    assert playout(game, 0, first_action) == 1


@pytest.mark.parametrize("search", SEARCHES)
def test_number_of_playouts_is_exact(search: Any) -> None:
    for playouts in (1, 2, 9, 10, 100):
        assert search(TicTacToe(), 0, Settings(playouts=playouts)).playouts == playouts
    with pytest.raises(BadParameter, match="at least 1 playout"):
        search(TicTacToe(), 0, Settings(playouts=0))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playouts that are given up sooner than they are."""
    monkeypatch.setattr("solver.search.playouts.MAX_PLAYOUT_PLIES", 500)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("endless", ENDLESS)
@pytest.mark.parametrize("name", ["monte-carlo", "ucb1", "uct", "uct-solver"])
@pytest.mark.parametrize(
    "game", [CIRCLE, RING, ExplicitGame(((1, 3), (2,), (1,), ()), (0, 1, 0, 0), (0,) * 4)], ids=str
)
def test_endless_playout_has_the_value_of_endless_play(game: AnyGame, name: str, endless: str) -> None:
    actual = search(name, game, 1, Settings(playouts=2, endless=endless))
    assert actual.value == ENDLESS[endless]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", ["mc(playouts=4)", "ucb1(playouts=4)", "uct(playouts=4)"])
def test_playout_players_respect_the_value_of_endless_play(name: str) -> None:
    for endless, action in (("first", 0), ("second", 1)):
        with Truth(CIRCLE, endless=endless) as truth:
            assert make_player(name, truth).choose(0, Random(1)) == action
