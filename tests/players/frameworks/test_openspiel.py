"""A database as a bot, against OpenSpiel's players, algorithms and rules."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import evaluate_bots, exploitability, minimax
from open_spiel.python.bots import uniform_random

import solver
from solver.errors import UnknownPosition, UsageError, WrongDatabase
from tests.support.solved import solved


@pytest.fixture(scope="module")
def tic_tac_toe() -> Iterator[Any]:
    """A bot for tic-tac-toe, in which the picture of the board is the state."""
    with solved("openspiel", {"game": "tic_tac_toe"}) as db:
        yield solver.openspiel_bot(db)


def after(*actions: int) -> Any:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def gains(bot: Any, state: Any, side: int, met: dict[str, set[float]]) -> set[float]:
    """The returns for `side` of all games from a state on in which the bot plays it."""
    if state.is_terminal():
        return {state.returns()[side]}
    if str(state) not in met:
        actions = [bot.step(state)] if state.current_player() == side else state.legal_actions()
        below = [gains(bot, state.child(action), side, met) for action in actions]
        met[str(state)] = set[float]().union(*below)
    return met[str(state)]


@pytest.mark.parametrize("side", [0, 1])
def test_no_line_of_play_beats_the_bot(tic_tac_toe: Any, side: int) -> None:
    assert gains(tic_tac_toe, after(), side, {}) == {0.0, 1.0}


@pytest.mark.parametrize(
    "name",
    [
        "nim(pile_sizes=1;2;3)",
        "misere(game=nim(pile_sizes=1;2))",
        "havannah(board_size=2)",
        pytest.param("tic_tac_toe", marks=pytest.mark.slow),
    ],
)
def test_exploitability_of_the_policy_is_zero(name: str) -> None:
    game = pyspiel.load_game(name)

    class Policy(policies.Policy):  # type: ignore[misc]
        def __init__(self, bot: Any) -> None:
            super().__init__(game, [0, 1])
            self.bot = bot

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            return dict(self.bot.get_policy(state))

    with solved("openspiel", {"game": name}) as db:
        assert exploitability.nash_conv(game, Policy(solver.openspiel_bot(db))) == 0


class Searching(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays by OpenSpiel's own alpha-beta search."""

    def restart_at(self, state: Any) -> None:
        pass

    def step(self, state: Any) -> int:
        mover = state.current_player()
        actual = minimax.alpha_beta_search(state.get_game(), state.clone(), maximizing_player_id=mover)
        return int(actual[1])


@pytest.mark.parametrize("side", [0, 1])
def test_bot_never_loses_to_openspiels_bots(tic_tac_toe: Any, side: int) -> None:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    for other in (
        pyspiel.make_uniform_random_bot(1 - side, 7),
        uniform_random.UniformRandomBot(1 - side, np.random.RandomState(7)),
        pyspiel.MCTSBot(after().get_game(), evaluator, 2.0, 100, 100, False, 42, False),
    ):
        bots = [tic_tac_toe, other] if side == 0 else [other, tic_tac_toe]
        for seed in range(5):
            random = np.random.RandomState(seed)
            assert evaluate_bots.evaluate_bots(after(), bots, random)[side] >= 0
            assert pyspiel.evaluate_bots(after(), bots, seed)[side] >= 0


def test_bot_draws_against_perfect_search(tic_tac_toe: Any) -> None:
    late = after(4)
    for bots in ([tic_tac_toe, Searching()], [Searching(), tic_tac_toe], [tic_tac_toe, tic_tac_toe.clone()]):
        assert evaluate_bots.evaluate_bots(late.clone(), bots, np.random.RandomState(0)) == [0, 0]


def test_policy_has_the_chosen_action(tic_tac_toe: Any) -> None:
    state = after(4, 0, 8)
    policy, action = tic_tac_toe.step_with_policy(state)
    assert tic_tac_toe.provides_policy()
    assert [item for item, _ in policy] == state.legal_actions()
    assert {item for item, probability in policy if probability} == {action}
    assert tic_tac_toe.get_policy(state) == policy
    assert tic_tac_toe.step(state) == action


def test_unsuitable_databases_and_states_are_refused(tic_tac_toe: Any, tictactoe: solver.Database) -> None:
    with pytest.raises(WrongDatabase, match="openspiel:tic"):
        solver.openspiel_bot(tictactoe)
    with pytest.raises(WrongDatabase, match=r"is of tic_tac_toe\(\), but the state is of connect_four\(\)"):
        tic_tac_toe.step(pyspiel.load_game("connect_four").new_initial_state())
    with pytest.raises(UsageError, match="the game is over after the moves 4 0 2 1 6"):
        tic_tac_toe.step(after(4, 0, 2, 1, 6))
    with solved("openspiel", start="0 1 2") as late, pytest.raises(UnknownPosition):
        solver.openspiel_bot(late).step(after())
