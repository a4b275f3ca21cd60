"""The legal actions of states: packed rules are asked about many states at once, and about a sample alone."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from solver.errors import BrokenRules, shown
from solver.packed import PackedGame
from solver.rules.arrays import Keys, array_type, broadcast
from solver.rules.asking import actions_of
from solver.rules.notation import is_state

APART = 16
"""The distance between two states that are also asked about alone."""


class ActionLists:
    """The legal actions of packed states, as `actions_of` answers."""

    def __init__(self, game: PackedGame) -> None:
        self._game, self._lists = game, dict[int, tuple[int, ...]]()

    def __call__(self, state: Any) -> tuple[Any, ...]:
        """The actions of a state; raises `BrokenRules`."""
        actions = self._lists.get(state)
        return actions_of(self._game, state) if actions is None else actions

    def ask(self, states: Iterable[Any]) -> None:
        """Ask about these states at once; raises `BrokenRules` if one of them alone gets another answer."""
        self._lists = {}
        try:
            keys = np.array([state for state in dict.fromkeys(states) if is_state(state)], np.int64)
            self._lists = self._answers(keys)
        except (Exception, SystemExit):  # of rules that fail for some state: asked alone, it is named
            return
        for state in keys[::APART].tolist():
            if (alone := actions_of(self._game, state)) != self._lists[state]:
                raise BrokenRules(
                    f"the rules of {type(self._game).__name__} list the actions {shown([*alone])} of the "
                    f"state {state} alone, but {shown([*self._lists[state]])} of it in an array"
                )

    def _answers(self, keys: Keys) -> dict[int, tuple[int, ...]]:
        game = self._game
        lists: dict[int, list[int]] = {state: [] for state in keys.tolist()}
        keys = keys.view(array_type(game))
        keys = keys[broadcast(game.is_terminal(keys), keys) == 0]
        for action in range(game.action_count if keys.size else 0):
            for state in keys[broadcast(game.legal(keys, action), keys) != 0].tolist():
                lists[state].append(action)
        return {state: tuple(actions) for state, actions in lists.items()}
