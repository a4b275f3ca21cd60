"""The symmetries that a folded plan goes by, as tables of the names of moves."""

from collections.abc import Iterable
from typing import Any

from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.plans.plan import PlanGraph
from solver.rules.asking import actions_of, symmetries_of
from solver.rules.notation import write_action

MOST_MOVES = 100_000
"""True symmetries take moves to moves of the same board; false ones may go on and on."""


class Symmetries:
    """The symmetries used so far, numbered as they came."""

    def __init__(self, game: AnyGame, graph: PlanGraph) -> None:
        """Begin without any, for the moves that are legal in the nodes of an unfolded plan."""
        self._game, self._graph = game, graph
        self._symmetries = symmetries_of(game)
        self._used: dict[int, int] = {}

    def between(self, chosen: Any, state: Any) -> int:
        """The number of a symmetry that takes the canonical state `chosen` to `state`."""
        found = next(n for n, each in enumerate(self._symmetries) if each.state(chosen) == state)
        return self._used.setdefault(found, len(self._used))

    def tables(self) -> list[dict[str, str]]:
        """For each symmetry which move of the canonical position a move of the other one is.

        Raises `BrokenRules` where two moves that differ have one name, or there is no end of moves.
        """
        states = [state for _, state in self._graph.nodes.data("state")]
        actions = self._closed(action for state in states for action in actions_of(self._game, state))
        return [self._table(self._symmetries[number].action, actions) for number in self._used]

    def _closed(self, actions: Iterable[Any]) -> list[Any]:
        """The actions and all to which the used symmetries take them, one after the other."""
        found = list(dict.fromkeys(actions))
        known = set(found)
        for action in found:  # which grows meanwhile
            for number in self._used:
                image = self._symmetries[number].action(action)
                if image not in known:
                    known.add(image)
                    found.append(image)
            if len(found) > MOST_MOVES:
                raise BrokenRules(
                    f"the symmetries of {type(self._game).__name__} lead to more than {MOST_MOVES:,} moves: "
                    "write the plan without --fold"
                )
        return found

    def _table(self, image: Any, actions: Iterable[Any]) -> dict[str, str]:
        table: dict[str, str] = {}
        for action in actions:
            name, moved = (str(write_action(self._game, each)) for each in (action, image(action)))
            if table.setdefault(moved, name) != name:
                raise BrokenRules(
                    f"the rules of {type(self._game).__name__} have more than one move {moved!r}, which "
                    "symmetries take to different moves: write the plan without --fold"
                )
        return table
