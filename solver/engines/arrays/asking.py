"""Asks rules about a chunk of states at once, here or in another process; the answers are small to send."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from solver.engines.arrays.numbered import Growing
from solver.engines.successors import Successors, canonical_of, successors
from solver.game import AnyGame
from solver.rules.failures import rules_asked
from solver.rules.notation import write_position


class Expansion(NamedTuple):
    """The moves of a chunk of states. Actions and children are numbered within the chunk, by first use."""

    movers: Growing
    """The player to move in each state."""
    counts: Growing
    """The number of moves of each state."""
    utilities: Growing
    """The utility of each state without moves."""
    actions: list[Any]
    """The different actions."""
    played: Growing
    """The action of each move, as an index of `actions`."""
    children: list[Any]
    """The different states that moves lead to."""
    reached: Growing
    """The child of each move, as an index of `children`."""

    def successors(self) -> Iterator[Successors]:
        """Yield the successors of each state."""
        actions, children = (
            map(self.actions.__getitem__, self.played),
            map(self.children.__getitem__, self.reached),
        )
        moves, utilities = zip(actions, children, strict=True), iter(self.utilities)
        for mover, count in zip(self.movers, self.counts, strict=True):
            yield Successors(mover, tuple(islice(moves, count)), None if count else next(utilities))


class Asker:
    """Asks the rules of one game."""

    def __init__(self, game: AnyGame, *, fold: bool) -> None:
        """Ask this game; with `fold`, children are canonical states."""
        self._game, self._fold = game, fold

    def expansion(self, states: Sequence[Any]) -> Expansion:
        """The moves of each state; raises what rules do wrong as errors of ours."""
        game, fold = self._game, self._fold
        movers, counts, utilities = array("B"), array("I"), array("q")
        actions, children = dict[Any, int](), dict[Any, int]()
        played, reached = list[int](), list[int]()
        play, number_of = played.append, actions.setdefault
        reach, place_of = reached.append, children.setdefault
        with rules_asked(game):
            for state in states:
                found = successors(game, state, fold=fold)
                for action, child in found.moves:
                    play(number_of(action, len(actions)))
                    reach(place_of(child, len(children)))
                movers.append(found.to_move)
                counts.append(len(found.moves))
                if found.utility is not None:
                    utilities.append(found.utility)
        return Expansion(
            movers, counts, utilities, list(actions), array("I", played), list(children), array("I", reached)
        )

    def representatives(self, states: Sequence[Any]) -> list[Any]:
        """The canonical form of each state; raises `BrokenRules` if the rules give none."""
        return [canonical_of(self._game, state) for state in states]

    def positions(self, states: Sequence[Any]) -> list[str]:
        """The text of each state."""
        return [write_position(self._game, state) for state in states]
