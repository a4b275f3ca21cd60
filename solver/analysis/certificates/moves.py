"""Rules asked about many states at once: packed rules about arrays, others one state after the other.

Both take and give keys, int64: the states themselves, or the numbers under which other states are kept.
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
    """The moves of packed rules, which are compiled for a large number of states."""

    def keys(self, written: Sequence[Any] | Keys) -> Keys:
        """The states themselves; raises OverflowError for one that has more than 63 bits."""
        return np.asarray(written, np.int64)

    def written(self, key: int) -> int:
        """A state as certificates write it."""
        return key

    def actions(self, keys: Keys) -> int:
        """A bound above the numbers, from 0 on, of all actions that are legal in these states."""
        return self.game.action_count

    def children(self, keys: Keys, action: int) -> tuple[Keys, Keys]:
        """For each state in which an action is legal its place among the keys, and the state after it."""
        places = np.flatnonzero(self.legal(keys, action))
        return places, self.results(keys[places], action)


class StateMoves:
    """The moves of other rules, whose states get numbers as they are met."""

    def __init__(self, game: AnyGame) -> None:
        """Ask the rules of this game."""
        self.game = game
        self._states = list[Any]()
        self._keys = dict[Any, int]()
        self._after = cache(self._children_of)

    def _key(self, state: Any) -> int:
        with rules_asked(self.game, "result"):  # which may give what has no hash
            key = self._keys.setdefault(state, len(self._states))
        if key == len(self._states):
            self._states.append(state)
        return key

    def keys(self, written: Sequence[Any] | Keys) -> Keys:
        """See `ArrayMoves`; raises as `read_position`."""
        return np.array([self._key(read_position(self.game, str(text))) for text in written], np.int64)

    def written(self, key: int) -> str:
        """See `ArrayMoves`."""
        return write_position(self.game, self._states[key])

    def is_terminal(self, keys: Keys) -> Flags:
        """See `ArrayMoves`; raises `BrokenRules` where there are actions although the game is over."""
        over = np.array([is_over(self.game, state) for state in self._of(keys)], np.bool_)
        for state in self._of(keys[over]):
            for problem in contradictions(self.game, state, actions_of(self.game, state), listed=False):
                raise BrokenRules(f"in {write_position(self.game, state)!r} {problem}")
        return over

    def movers(self, keys: Keys) -> Keys:
        """See `ArrayMoves`."""
        return np.array([mover_of(self.game, state) for state in self._of(keys)], np.int64)

    def utilities(self, keys: Keys) -> Keys:
        """See `ArrayMoves`."""
        return np.array([utility_of(self.game, state) for state in self._of(keys)], np.int64)

    def actions(self, keys: Keys) -> int:
        """See `ArrayMoves`."""
        return max((len(self._after(key)) for key in keys.tolist()), default=0)

    def children(self, keys: Keys, action: int) -> tuple[Keys, Keys]:
        """See `ArrayMoves`; the number of an action is its place in the order of the rules."""
        after = [self._after(key) for key in keys.tolist()]
        places = np.array([nth for nth, children in enumerate(after) if action < len(children)], np.int64)
        return places, np.array([after[place][action] for place in places.tolist()], np.int64)

    def _children_of(self, key: int) -> Keys:
        state = self._states[key]
        with rules_asked(self.game, "result"):
            after = [self.game.result(state, action) for action in actions_of(self.game, state)]
        return np.array([self._key(child) for child in after], np.int64)

    def images(self, keys: Keys) -> Sequence[Keys]:
        """See `ArrayMoves`."""
        images = list[Keys]()
        for symmetry in symmetries_of(self.game):
            with rules_asked(self.game, "symmetries"):
                states = [symmetry.state(state) for state in self._of(keys)]
            images.append(np.array([self._key(state) for state in states], np.int64))
        return images

    def _of(self, keys: Keys) -> Iterable[Any]:
        return [self._states[key] for key in keys.tolist()]


GameMoves: TypeAlias = ArrayMoves | StateMoves


def moves_of(game: AnyGame, states: int) -> GameMoves:
    """The moves of a game, which will be asked about so many states."""
    if isinstance(game, PackedGame):
        return ArrayMoves(game, game.initial, degree=1, layered=False, states=states)
    return StateMoves(game)


def all_children(moves: GameMoves, keys: Keys) -> tuple[Keys, Keys]:
    """As `GameMoves.children` of all actions, in the order of the places."""
    none = np.zeros(0, np.int64)
    by_action = [moves.children(keys, action) for action in range(moves.actions(keys))]
    places, children = map(np.concatenate, zip((none, none), *by_action, strict=True))
    order = np.argsort(places, kind="stable")
    return places[order], children[order]


def has_all(db: Database, states: Keys) -> bool:
    """Whether all of these states are in a file, of which little is read, unlike by `Database.present`."""
    try:
        db.lookup(states, best=False)
    except UnknownPosition:
        return False
    return True
