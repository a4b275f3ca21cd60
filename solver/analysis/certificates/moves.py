"""Rules asked about many states at once: packed rules about arrays, others one state after the other.

Both take and give keys, int64: the states themselves, or the numbers under which other states are kept.
"""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from typing import Any, Protocol

import numpy as np

from solver.database import Database
from solver.game import AnyGame, Game
from solver.packed import PackedGame
from solver.proof.packed.array_answers import ArrayAnswers
from solver.rules.arrays import Flags, Keys, broadcast, representatives
from solver.rules.asking import actions_of, is_over, mover_of, representative, symmetries_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding
from solver.rules.notation import read_position, write_position


class GameMoves(Protocol):
    """The moves and the ends of a game."""

    def key(self, written: int | str) -> int:
        """The key of a state as certificates write it."""

    def written(self, key: int) -> int | str:
        """A state as certificates write it."""

    def over(self, keys: Keys) -> Flags:
        """Whether the game is over in each state."""

    def movers(self, keys: Keys) -> Keys:
        """The player to move in each state in which the game is not over."""

    def utilities(self, keys: Keys) -> Keys:
        """The utility of each state in which the game is over, for the first player."""

    def children(self, keys: Keys) -> tuple[Keys, Keys]:
        """For each move in each open state the place of that state among the keys, and the state after it."""

    def canonical(self, keys: Keys) -> Keys:
        """The state that stands for the class of each state."""

    def images(self, keys: Keys) -> Sequence[Keys]:
        """The image of each state under each symmetry of the rules."""


class ArrayMoves:
    """The moves of packed rules, which are compiled for a large number of states."""

    def __init__(self, game: PackedGame, states: int) -> None:
        """Ask the rules of this game about so many states."""
        self._game, self._maps = game, Folding(game, 1).symmetries
        self._answers = ArrayAnswers(game, self._maps, states)

    def _ask(self, keys: Keys, rule: str, *arguments: int) -> Keys:
        with rules_asked(self._game, rule):
            return broadcast(self._answers(keys, rule, *arguments), keys)

    def key(self, written: int | str) -> int:
        """The state itself."""
        return int(written)

    def written(self, key: int) -> int:
        """See `GameMoves`."""
        return key

    def over(self, keys: Keys) -> Flags:
        """See `GameMoves`."""
        return np.not_equal(self._ask(keys, "is_terminal"), 0)

    def movers(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        return self._ask(keys, "to_move")

    def utilities(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        return self._ask(keys, "utility")

    def children(self, keys: Keys) -> tuple[Keys, Keys]:
        """See `GameMoves`."""
        places, children = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for action in range(self._game.action_count):
            legal = np.flatnonzero(self._ask(keys, "legal", action))
            places.append(legal)
            children.append(self._ask(keys[legal], "result", action))
        parents = np.concatenate(places)
        order = np.argsort(parents, kind="stable")
        return parents[order], np.concatenate(children)[order]

    def canonical(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        if type(self._game).canonical is not Game.canonical:  # another choice than the least image
            return representatives(self._game, keys)
        return reduce(np.minimum, self.images(keys), keys)

    def images(self, keys: Keys) -> Sequence[Keys]:
        """See `GameMoves`."""
        return [self._ask(keys, "image", nth) for nth in range(len(self._maps))]


class StateMoves:
    """The moves of other rules, whose states get numbers as they are met."""

    def __init__(self, game: AnyGame) -> None:
        """Ask the rules of this game."""
        self._game = game
        self._states = list[Any]()
        self._keys = dict[Any, int]()
        self._after = cache(self._children_of)

    def _key(self, state: Any) -> int:
        with rules_asked(self._game, "result"):  # which may give what has no hash
            key = self._keys.setdefault(state, len(self._states))
        if key == len(self._states):
            self._states.append(state)
        return key

    def key(self, written: int | str) -> int:
        """See `GameMoves`."""
        return self._key(read_position(self._game, str(written)))

    def written(self, key: int) -> str:
        """See `GameMoves`."""
        return write_position(self._game, self._states[key])

    def over(self, keys: Keys) -> Flags:
        """See `GameMoves`."""
        return np.array([is_over(self._game, state) for state in self._of(keys)], np.bool_)

    def movers(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        return np.array([mover_of(self._game, state) for state in self._of(keys)], np.int64)

    def utilities(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        return np.array([utility_of(self._game, state) for state in self._of(keys)], np.int64)

    def children(self, keys: Keys) -> tuple[Keys, Keys]:
        """See `GameMoves`."""
        after = [self._after(key) for key in keys.tolist()]
        places = np.repeat(np.arange(len(after)), [len(children) for children in after])
        return places, np.concatenate([keys[:0], *after])

    def _children_of(self, key: int) -> Keys:
        state = self._states[key]
        with rules_asked(self._game, "result"):
            after = [self._game.result(state, action) for action in actions_of(self._game, state)]
        return np.array([self._key(child) for child in after], np.int64)

    def canonical(self, keys: Keys) -> Keys:
        """See `GameMoves`."""
        return np.array([self._key(representative(self._game, state)) for state in self._of(keys)], np.int64)

    def images(self, keys: Keys) -> Sequence[Keys]:
        """See `GameMoves`."""
        images = list[Keys]()
        for each in symmetries_of(self._game):
            with rules_asked(self._game, "symmetries"):
                states = [each.state(state) for state in self._of(keys)]
            images.append(np.array([self._key(state) for state in states], np.int64))
        return images

    def _of(self, keys: Keys) -> Iterable[Any]:
        return [self._states[key] for key in keys.tolist()]


def moves_of(game: AnyGame, states: int) -> GameMoves:
    """The moves of a game, which will be asked about so many states."""
    return ArrayMoves(game, states) if isinstance(game, PackedGame) else StateMoves(game)


def labels_of(db: Database, moves: GameMoves, keys: Keys) -> tuple[Keys, Keys]:
    """The value of each state, for the first player, and its remoteness in plies, -1 for none.

    Raises `UnknownPosition` for a state that the file does not have.
    """
    asked: Keys | list[str] = keys
    if isinstance(moves, StateMoves):
        asked = [moves.written(key) for key in keys.tolist()]
    is_there, values, remoteness = db.present(asked)
    if not is_there.all():
        first = asked[int(is_there.argmin())]
        raise db.unknown(first if isinstance(first, str) else write_position(db.game, int(first)))
    return values, remoteness


def has_images(db: Database, moves: GameMoves, state: Any) -> bool:
    """Whether rules are packed and a file has the images of a state under symmetries.

    So it has those of all states after it.
    """
    if not isinstance(moves, ArrayMoves):
        return False
    images = np.concatenate([[state], *moves.images(np.array([state]))])
    return bool(db.present(images)[0].all())
