"""The moves in many states at once: packed rules are applied to arrays, other rules to one state at a time.

Both classes use int64 keys: packed states themselves, or numbers assigned to other states.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from solver.database import Database
from solver.errors import BrokenRules, UnknownPosition
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.proof.answers import contradictions
from solver.proof.packed.rules import CheckedRules
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import actions_of, is_over, mover_of, symmetries_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position, write_position


class ArrayMoves(CheckedRules):
    """The moves of packed rules, which are compiled for large numbers of states."""

    def keys(self, written: Sequence[Any] | Keys) -> Keys:
        """The keys of states, which are the states; raises OverflowError for a state of more than 63 bits."""
        return np.asarray(written, np.int64)

    def written(self, key: int) -> int:
        """The state of a key in the form of certificates."""
        return key

    def actions(self, keys: Keys) -> int:
        """An exclusive upper bound on the numbers of the actions that are legal in these states."""
        return self.game.action_count

    def children(self, keys: Keys, action: int) -> tuple[Keys, Keys]:
        """The indices of the keys in whose states an action is legal, and the keys of the states after it."""
        places = np.flatnonzero(self.legal(keys, action))
        return places, self.results(keys[places], action)

    def all_children(self, keys: Keys) -> tuple[Keys, Keys]:
        """The results of `children` for all actions, in the order of the indices of the keys."""
        none = np.zeros(0, np.int64)
        by_action = [self.children(keys, action) for action in range(self.actions(keys))]
        places, children = map(np.concatenate, zip((none, none), *by_action, strict=True))
        order = np.argsort(places, kind="stable")
        return places[order], children[order]


class _StateMoves:
    """The methods of `ArrayMoves` for other rules; states are numbered in the order in which they are met."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._states = list[Any]()
        self._keys = dict[Any, int]()
        self._after = cache(self._children_of)

    def _key(self, state: Any) -> int:
        with rules_asked(self.game, "result"):  # the state may be unhashable
            key = self._keys.setdefault(state, len(self._states))
        if key == len(self._states):
            self._states.append(state)
        return key

    def keys(self, written: Sequence[Any] | Keys) -> Keys:
        """Raises what `read_position` raises."""
        return np.array([self._key(read_position(self.game, str(text))) for text in written], np.int64)

    def written(self, key: int) -> str:
        return write_position(self.game, self._states[key])

    def is_terminal(self, keys: Keys) -> Flags:
        """Raises `BrokenRules` if a terminal state has actions."""
        over = np.array([is_over(self.game, state) for state in self._of(keys)], np.bool_)
        for state in self._of(keys[over]):
            for problem in contradictions(self.game, state, actions_of(self.game, state), listed=False):
                raise BrokenRules(f"in {write_position(self.game, state)!r} {problem}")
        return over

    def movers(self, keys: Keys) -> Keys:
        return np.array([mover_of(self.game, state) for state in self._of(keys)], np.int64)

    def utilities(self, keys: Keys) -> Keys:
        return np.array([utility_of(self.game, state) for state in self._of(keys)], np.int64)

    def actions(self, keys: Keys) -> int:
        return max((len(self._after(key)) for key in keys.tolist()), default=0)

    def children(self, keys: Keys, action: int) -> tuple[Keys, Keys]:
        """The number of an action is its index in the order of the rules."""
        after = [self._after(key) for key in keys.tolist()]
        places = np.array([nth for nth, children in enumerate(after) if action < len(children)], np.int64)
        return places, np.array([after[place][action] for place in places.tolist()], np.int64)

    def all_children(self, keys: Keys) -> tuple[Keys, Keys]:
        after = [self._after(key) for key in keys.tolist()]
        places = np.repeat(np.arange(len(after)), [len(children) for children in after])
        return places, np.concatenate([keys[:0], *after])

    def _children_of(self, key: int) -> Keys:
        state = self._states[key]
        with rules_asked(self.game, "result"):
            after = [self.game.result(state, action) for action in actions_of(self.game, state)]
        return np.array([self._key(child) for child in after], np.int64)

    def images(self, keys: Keys) -> Sequence[Keys]:
        symmetries, states = symmetries_of(self.game), self._of(keys)
        with rules_asked(self.game, "symmetries"):
            images = [[symmetry.state(state) for state in states] for symmetry in symmetries]
        return [np.array([self._key(state) for state in image], np.int64) for image in images]

    def _of(self, keys: Keys) -> Iterable[Any]:
        return [self._states[key] for key in keys.tolist()]


GameMoves: TypeAlias = ArrayMoves | _StateMoves


def moves_of(game: AnyGame, states: int) -> GameMoves:
    """The moves of a game, for about as many states as `states`."""
    if isinstance(game, PackedGame):
        return ArrayMoves(game, game.initial, degree=1, layered=False, states=states)
    return _StateMoves(game)


def has_all(db: Database, states: Keys) -> bool:
    """Whether all of these states are in a file; unlike `Database.present`, this reads little of it."""
    try:
        db.lookup(states, best=False)
    except UnknownPosition:
        return False
    return True
