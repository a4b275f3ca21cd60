"""A solved game as a PettingZoo environment, which also reports how much value each agent gave away.

Source of the interface: Terry et al., *PettingZoo: Gym for Multi-Agent Reinforcement Learning*, 2021
(arXiv:2009.14471); agents act in turns, as in its *Agent Environment Cycle*. It needs actions and
observations of fixed ranges, which `encoding_of` defines.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from solver.database import Database
from solver.errors import UsageError
from solver.game import sign_for
from solver.packed import STATE_BITS, PackedGame
from solver.players.match import end_of
from solver.players.simple import action_called
from solver.rules.asking import actions_of, mover_of, picture_of, symmetries_of
from solver.rules.notation import write_action, write_position

Observe: TypeAlias = Callable[[Any], NDArray[np.uint8]]
"""An injective function from a state to its observation: uint8, shape (length,)."""


def encoding_of(db: Database) -> tuple[tuple[str | int, ...], spaces.Box, Observe]:
    """The names of all actions by number, the space of observations, and the function that makes them.

    The observation of an integer state is its bits, the lowest first, and that of any other state its
    position in UTF-8, padded with zeros. In the second case, every position of the database is read once.
    """
    game = db.checked_game
    if isinstance(game, PackedGame):
        names = tuple(dict.fromkeys(write_action(game, action) for action in range(game.action_count)))
        bits, space = np.arange(STATE_BITS), spaces.Box(0, 1, (STATE_BITS,), np.uint8)
        return names, space, lambda state: (state >> bits & 1).astype(np.uint8)
    listed, length = set[str | int](), 0
    for state in _all_states(db):
        listed.update(write_action(game, action) for action in actions_of(game, state))
        length = max(length, len(write_position(game, state).encode()))

    def text(state: Any) -> NDArray[np.uint8]:
        return np.frombuffer(bytearray(write_position(game, state).encode().ljust(length, b"\0")), np.uint8)

    names = tuple(sorted(listed, key=lambda name: (isinstance(name, str), name)))
    return names, spaces.Box(0, 255, (length,), np.uint8), text


def _all_states(db: Database) -> Iterator[Any]:
    """The states of a database, including those that a folded database does not store."""
    symmetries = symmetries_of(db.game) if db.folded else ()
    for position in db:
        state = db.state_of(position)
        yield state
        yield from (symmetry.state(state) for symmetry in symmetries)


class SolvedGameEnv(AECEnv):  # type: ignore[misc]
    """Play of a solved game by two agents, or by one against a perfect opponent.

    Agents have the names of their sides in the game. Rewards are utilities, paid at the end. When a position
    occurs for the third time, or after 10,000 plies, play is truncated and pays the utility of endless play.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "perfectplay_v0",
        "is_parallelizable": False,
    }
    render_mode = "ansi"

    def __init__(self, db: Database, perfect: str | None = None) -> None:
        """Play the game of `db`; the side `perfect`, if given, plays best moves and is no agent.

        Raises `UnknownPlayer` if the game has no such side, and `UsageError` if it has no moves.
        """
        super().__init__()
        self.db, self.game = db, db.checked_game
        self._perfect = None if perfect is None else self.game.player(perfect)
        self.possible_agents = [name for side, name in enumerate(self.game.players) if side != self._perfect]
        self.action_names, observation, self._observed = encoding_of(db)
        if not self.action_names:
            raise UsageError(f"{db.path} has no moves: an environment takes a game that is not over at once")
        self._numbers = {name: number for number, name in enumerate(self.action_names)}
        self._random = Random(0)
        self.action_spaces = {agent: spaces.Discrete(len(self._numbers)) for agent in self.possible_agents}
        mask = spaces.Box(0, 1, (len(self._numbers),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask})
            for agent in self.possible_agents
        }

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """The spaces of `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game from the database's start, or from the position `options["position"]`.

        The perfect side chooses randomly among its best moves, seeded by `seed`. Raises what a lookup raises.
        """
        if seed is not None:
            self._random = Random(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._gave_away = dict.fromkeys(self.agents, 0)
        self._met = Counter[Any]()
        self._enter(self.db.asked_state((options or {}).get("position", self.db.start)))
        self._proceed()

    def step(self, action: int | None) -> None:
        """Play the action with this number for the agent to move; None once the game is over.

        Raises `UsageError` for a number of no action, and `NoMove` for an illegal action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self.action_names):
            raise UsageError(
                f"the action should be a number from 0 to {len(self.action_names) - 1}, not {action}"
            )
        chosen = action_called(self.game, self._state, self.action_names[action])
        before = self._labels.value
        self._cumulative_rewards[agent] = 0
        self._enter(self.game.result(self._state, chosen))
        self._gave_away[agent] = self._for(agent, before - self._labels.value)
        self._proceed()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The observed state, and a mask of the agent's legal actions, all 0 unless it is to move."""
        mask = np.zeros(len(self.action_names), np.int8)
        if agent == self.agent_selection and self._end is None:
            for action in actions_of(self.game, self._state):
                mask[self._numbers[write_action(self.game, action)]] = 1
        return {"observation": self.state(), "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """The observed state, the same for both agents."""
        return self._observed(self._state)

    def render(self) -> str:
        """The state as text for a terminal."""
        return picture_of(self.game, self._state)

    def _enter(self, state: Any) -> None:
        self._state = state
        self._labels = self.db.probe(write_position(self.game, state))
        self._met[state] += 1
        self._end = end_of(self.game, state, self._met, self._met.total() - 1, self.db.endless)

    def _proceed(self) -> None:
        """Make the moves of the perfect side, until an agent is to move or the game is over, and report."""
        while self._end is None and mover_of(self.game, self._state) == self._perfect:
            name = self._random.choice(self._labels.best_moves)
            self._enter(self.game.result(self._state, action_called(self.game, self._state, name)))
        mover = self.game.players[mover_of(self.game, self._state)]
        self.agent_selection = mover if mover in self.agents else self.agents[0]
        utility, note = self._end or (0, None)
        self.terminations = dict.fromkeys(self.agents, self._end is not None and note is None)
        self.truncations = dict.fromkeys(self.agents, note is not None)
        self.rewards = {agent: self._for(agent, utility) for agent in self.agents}
        self._accumulate_rewards()
        self.infos = {
            agent: {
                "position": write_position(self.game, self._state),
                "value": self._for(agent, self._labels.value),
                "remoteness": self._labels.remoteness,
                "gave_away": self._gave_away[agent],
            }
            for agent in self.agents
        }

    def _for(self, agent: str, value: int) -> int:
        """A value, or a difference of two values, from an agent's point of view."""
        return sign_for(self.game.players.index(agent)) * value
