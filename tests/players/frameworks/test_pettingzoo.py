"""Solved games as environments, against PettingZoo's tests, the rules and definitions."""

import sys
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st
from pettingzoo.test import api_test, seed_test

import solver
from solver.errors import MissingExtra, NoMove, UnknownPlayer, UnknownPosition, UsageError
from solver.game import ENDLESS, Symmetry, sign_for
from solver.packed import STATE_BITS
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, value_by_definition
from tests.support.games.packed import Climbers
from tests.support.solved import solved, solving

GAMES: dict[str, dict[str, str]] = {
    "tictactoe": {},  # states are integers
    "nim": {"heaps": "1,2,3"},  # texts of several lengths
    "ponghauki": {},  # play can return
    "dots-and-boxes": {"rows": "1", "columns": "2"},  # whoever closes a box moves again; margins count
}

CUSTOMS = {
    "Observation is not a NumPy array",  # but an object with action_mask, as in PettingZoo's own board games
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    'We recommend agents to be named in the format <descriptor>_<number>, like "player_0"',
    "Observation numpy array is all zeros.",  # as the number of the first state of tic-tac-toe is 0
}
"""Warnings of PettingZoo's test that are no faults."""


@pytest.fixture(scope="module", params=GAMES)
def db(request: pytest.FixtureRequest) -> Iterator[solver.Database]:
    with solved(request.param, GAMES[request.param]) as opened:
        yield opened


@pytest.mark.parametrize("perfect", [None, "first", "second"])
def test_environment_passes_pettingzoos_tests(db: solver.Database, perfect: str | None) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(solver.pettingzoo_env(db, perfect), num_cycles=100)
        seed_test(lambda: solver.pettingzoo_env(db, perfect), num_cycles=100)
    assert {str(item.message) for item in caught} <= CUSTOMS


def played(env: Any, random: Random, **options: Any) -> Iterator[tuple[str, Any]]:
    """One random game: before each move, and at the end for each agent, who it is and the observation."""
    env.reset(**options)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        yield agent, observation
        legal = observation["action_mask"].nonzero()[0]
        assert bool(len(legal)) != (terminated or truncated)
        env.step(None if terminated or truncated else int(random.choice(legal)))


def test_observations_identify_states_and_masks_legal_actions(db: solver.Database) -> None:
    env, seen = solver.pettingzoo_env(db), dict[bytes, str]()
    for seed in range(10):
        for agent, observation in played(env, Random(seed)):
            entry = db[env.infos[agent]["position"]]
            masked = observation["action_mask"].nonzero()[0]
            moves = [] if env.truncations[agent] else sorted(move.move for move in entry.moves_by_action)
            assert [env.unwrapped.action_names[number] for number in masked] == moves
            assert entry.is_terminal or env.truncations[agent] or agent == entry.to_move
            assert env.observation_space(agent).contains(observation)
            key = observation["observation"].tobytes()
            assert seen.setdefault(key, entry.position) == entry.position
            if len(key) == STATE_BITS:
                assert sum(bit << at for at, bit in enumerate(key)) == db.game.parse(entry.position)
            else:
                assert key.rstrip(b"\0").decode() == entry.position


class LeftRight(solver.Game[str, str]):
    """Go left or right, which is the same but for its name; there the other player ends the game, 1 or 2."""

    initial = ""

    def to_move(self, state: str) -> int:
        return int(len(state) == 1)

    def actions(self, state: str) -> list[str]:
        return [["l", "r"], [f"{state}1", f"{state}2"], []][len(state)]

    def result(self, state: str, action: str) -> str:
        return action

    def utility(self, state: str) -> int:
        return 1 if state.endswith("1") else -1

    def symmetries(self) -> list[Symmetry[str, str]]:
        return [Symmetry(mirrored, mirrored)]


def mirrored(name: str) -> str:
    return name.translate(str.maketrans("lr", "rl"))


@pytest.mark.parametrize("fold", [False, True])
def test_folded_database_has_all_actions_and_positions(fold: bool) -> None:
    with solving(LeftRight(), fold=fold) as db:
        assert len(db) == (4 if fold else 7)
        env = solver.pettingzoo_env(db)
        assert env.unwrapped.action_names == ("l", "l1", "l2", "r", "r1", "r2")
        env.reset()
        env.step(3)
        assert env.observe("second")["observation"].tobytes() == b"r\0"
        env.step(4)
        assert env.rewards == {"first": 1, "second": -1}
        assert env.infos["second"]["gave_away"] == 2


def test_packed_actions_with_one_name_share_a_number() -> None:
    with solving(Climbers(rungs=2)) as db:
        env = solver.pettingzoo_env(db)
        assert env.unwrapped.action_names == ("up",)
        for agent, observation in played(env, Random(0)):
            assert env.observation_space(agent).contains(observation)


@settings(max_examples=30)
@given(explicit_games(), st.sampled_from(list(ENDLESS)), st.sampled_from([None, 0, 1]), st.randoms())
def test_rewards_are_values_minus_what_was_given_away(
    game: ExplicitGame, endless: str, perfect: int | None, random: Random
) -> None:
    assume(game.children[0])
    values = value_by_definition(game, ENDLESS[endless])
    with solving(game, endless=endless) as db:
        env = solver.pettingzoo_env(db, None if perfect is None else game.players[perfect])
        env.reset(seed=random.randrange(100))
        expected = {agent: env.infos[agent]["value"] for agent in env.agents}
        while not any([*env.terminations.values(), *env.truncations.values()]):
            mover = env.agent_selection
            env.step(int(random.choice(env.observe(mover)["action_mask"].nonzero()[0])))
            gave = env.infos[mover]["gave_away"]
            assert gave >= 0
            for agent in env.agents:
                expected[agent] += -gave if agent == mover else gave
                value = values[int(env.infos[agent]["position"])]
                assert env.infos[agent]["value"] == sign_for(game.players.index(agent)) * value
        if any(env.truncations.values()):
            worth = ENDLESS[endless]
            expected = {agent: sign_for(game.players.index(agent)) * worth for agent in env.agents}
        assert env.rewards == env.unwrapped._cumulative_rewards == expected


@pytest.mark.parametrize("perfect", ["x", "o"])
def test_perfect_side_never_loses_and_varies_best_moves(tictactoe: solver.Database, perfect: str) -> None:
    env, rewards, replies = solver.pettingzoo_env(tictactoe, perfect), set(), set()
    for seed in range(40):
        for agent, _ in played(env, Random(seed), seed=seed):
            assert agent == env.agents[0] != perfect
            rewards.add(env.rewards[agent])
        env.reset(options={"position": "x........" if perfect == "o" else "........."})
        replies.add(env.infos[env.agents[0]]["position"])
    assert rewards == {0, -1}
    assert len(replies) == (1 if perfect == "o" else 9)


def test_seed_determines_the_perfect_side(tictactoe: solver.Database) -> None:
    env = solver.pettingzoo_env(tictactoe, "x")

    def opening(**options: Any) -> str:
        env.reset(**options)
        return str(env.infos["o"]["position"])

    assert opening() == opening(seed=0)
    assert [opening(seed=5), opening()] == [opening(seed=5), opening()]
    assert len({opening() for _ in range(100)}) == 9


def test_play_begins_at_the_requested_position(tictactoe: solver.Database) -> None:
    env = solver.pettingzoo_env(tictactoe)
    env.reset(options={"position": "xx.oo...."})
    assert env.render() == " x | x | 2\n---+---+---\n o | o | 5\n---+---+---\n 6 | 7 | 8"
    env.reset(options={"position": "xxxoo...."})
    assert env.last()[1:4] == (1 if env.agent_selection == "x" else -1, True, False)
    with pytest.raises(UnknownPosition):
        env.reset(options={"position": "xxx......"})


def test_repetition_is_truncated() -> None:
    with solving(ExplicitGame(((1, 2), (0,), ()), (0, 1, 0), (0, 0, 1)), endless="second") as db:
        env = solver.pettingzoo_env(db)
        env.reset()
        for _ in range(4):
            assert not any(env.truncations.values())
            env.step(0)
        assert (env.truncations, env.terminations["first"]) == ({"first": True, "second": True}, False)
        assert env.rewards == {"first": -1, "second": 1}


def test_invalid_players_and_actions_are_refused(tictactoe: solver.Database) -> None:
    with pytest.raises(UnknownPlayer, match="'white'"):
        solver.pettingzoo_env(tictactoe, "white")
    env = solver.pettingzoo_env(tictactoe)
    env.reset(options={"position": "x........"})
    with pytest.raises(NoMove, match="no move 0"):
        env.step(0)
    for number in (-1, 9, None):
        with pytest.raises(UsageError, match="from 0 to 8"):
            env.step(number)
    with solving(ExplicitGame(((),), (0,), (0,))) as over, pytest.raises(UsageError, match="has no moves"):
        solver.pettingzoo_env(over)


@pytest.mark.parametrize(
    ("make", "module", "names"),
    [("openspiel_bot", "pyspiel", "open-spiel"), ("pettingzoo_env", "pettingzoo", "gymnasium pettingzoo")],
)
def test_missing_framework_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, tictactoe: solver.Database, make: str, module: str, names: str
) -> None:
    for loaded in [item for item in sys.modules if item.startswith((module, "solver.players.frameworks."))]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=f"`pip install {names}`"):
        getattr(solver, make)(tictactoe)
