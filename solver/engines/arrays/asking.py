"""Asks rules about a chunk of states, in this or in another process; the answers are compact to send.

Packed rules are asked about an array of states, which takes a tenth of the time.
"""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.engines.array_rules.rules import Rules
from solver.engines.arrays.numbered import Growing
from solver.engines.states import canonical_of, successors
from solver.errors import SolverError
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import UTILITIES
from solver.rules.failures import rules_asked
from solver.rules.notation import write_position


class Expansion(NamedTuple):
    """The moves of a chunk of states. Actions and children are numbered within the chunk, by first use."""

    movers: Growing
    counts: Growing
    utilities: Growing
    """The utility of each state without moves."""
    actions: list[Any]
    played: Growing
    """The action of each move, as an index of `actions`."""
    children: list[Any]
    """The distinct states that moves lead to."""
    reached: Growing
    """The child of each move, as an index of `children`."""


class Asker:
    """Asks the rules of one game."""

    least = 1
    """The least number of states to ask about at a time."""

    def __init__(self, game: AnyGame, *, fold: bool) -> None:
        """Ask the rules of `game`; with `fold`, children are canonical states."""
        self._game, self._fold = game, fold

    def expansion(self, states: Sequence[Any]) -> Expansion:
        """The moves of each state; raises `SolverError` for faults of the rules."""
        game, fold = self._game, self._fold
        movers, counts, utilities = array("B"), array("I"), array("q")
        actions, children = dict[Any, int](), dict[Any, int]()
        played, reached = list[int](), list[int]()
        play, number_of = played.append, actions.setdefault
        reach, place_of = reached.append, children.setdefault
        with rules_asked(game):
            for state in states:
                mover, moves, utility = successors(game, state, fold=fold)
                for action, child in moves:
                    play(number_of(action, len(actions)))
                    reach(place_of(child, len(children)))
                movers.append(mover)
                counts.append(len(moves))
                if utility is not None:
                    utilities.append(utility)
        return Expansion(
            movers, counts, utilities, list(actions), array("I", played), list(children), array("I", reached)
        )

    def representatives(self, states: Sequence[Any]) -> list[Any]:
        """The canonical form of each state; raises `BrokenRules` if the rules give none."""
        return [canonical_of(self._game, state) for state in states]

    def positions(self, states: Sequence[Any]) -> list[str]:
        """The text of each state."""
        return [write_position(self._game, state) for state in states]


NARROW = 32
"""The most states that are asked about one by one: for so few that is faster, as in deep games."""


def asker(game: AnyGame, *, fold: bool) -> Asker:
    """The `Asker` for the rules of `game`; with `fold`, children are canonical states."""
    if isinstance(game, PackedGame) and type(game).actions is PackedGame.actions:
        return PackedAsker(game, fold=fold)
    return Asker(game, fold=fold)


class PackedAsker(Asker):
    """Asks the rules of a packed game."""

    def __init__(self, game: PackedGame, *, fold: bool) -> None:
        super().__init__(game, fold=fold)
        # Enough states to use arrays, on a slow machine, too: asking one by one would take far longer. An
        # array is asked about every action: where these are many, a few states take as long as a thousand.
        self.least = max(2 * NARROW, min(game.action_count, 32 * NARROW))
        self._rules = Rules(game)

    def expansion(self, states: Sequence[Any]) -> Expansion:
        """The moves of each state; states are asked about one by one if the rules fail for an array."""
        if len(states) <= NARROW:
            return super().expansion(states)
        try:
            return self._expansion(np.array(states, np.int64))
        except (SolverError, OverflowError, TypeError, ValueError):
            return super().expansion(states)

    def representatives(self, states: Sequence[Any]) -> list[Any]:
        """The canonical form of each state; asked as in `expansion`."""
        try:
            least: list[Any] = self._rules.canonical(np.array(states, np.int64)).tolist()
        except (SolverError, OverflowError, TypeError, ValueError):
            return super().representatives(states)
        return least

    def _expansion(self, keys: Keys) -> Expansion:
        open_places = np.flatnonzero(~self._rules.terminal(keys))
        parents, actions, children = self._moves(keys, open_places)
        if self._fold:
            children = self._rules.canonical(children)
        counts = np.bincount(parents, minlength=len(keys))
        if not counts[open_places].all():
            raise ValueError("a state without actions is not terminal: asked alone, it is named")
        utilities = self._rules.utilities(keys[counts == 0])
        if (utilities < UTILITIES.start).any():
            raise OverflowError("a utility that no file can hold")
        listed, reached = _by_first_use(children)
        used, played = _by_first_use(actions)
        return Expansion(
            movers=_grown("B", self._rules.movers(keys)),
            counts=_grown("I", counts),
            utilities=_grown("q", utilities),
            actions=used,
            played=_grown("I", played),
            children=listed,
            reached=_grown("I", reached),
        )

    def _moves(self, keys: Keys, open_places: Keys) -> tuple[Keys, Keys, Keys]:
        """The parent of each move, as an index of `keys`, its action and its child, by parent and action."""
        moves = [(open_places[:0],) * 3]
        for action in range(self._rules.action_count if open_places.size else 0):
            children, codes = self._rules.children(keys[open_places], action)
            moves.append((open_places[codes >> 1], np.full(len(children), action), children))
        parents, actions, children = (np.concatenate(column) for column in zip(*moves, strict=True))
        order = np.argsort(parents, kind="stable")
        return parents[order], actions[order], children[order]


def _by_first_use(values: Keys) -> tuple[list[int], Keys]:
    """The distinct values in the order of their first use, and the index of each value among these."""
    different, first, places = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return different[order].tolist(), rank[places]


def _grown(typecode: str, values: npt.NDArray[Any]) -> Growing:
    return array(typecode, values.astype(typecode).tobytes())
