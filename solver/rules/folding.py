"""Folding: classes of symmetric states, and the state that represents each.

A symmetry of sign 1, one of `Game.symmetries`, keeps values: the board is turned or mirrored. One of sign -1,
`PackedGame.exchanged`, negates them: the players change places.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from solver.errors import BrokenRules, shown
from solver.game import FIRST
from solver.rules.asking import mover_of, representative, symmetries_of
from solver.rules.failures import rules_asked

FOLDINGS = ("false", "true", "exchange")
"""The text of `folded` in a file, by `Folding.degree`."""


class SignedMap(NamedTuple):
    """A map from states to states of the same class."""

    state: Callable[[Any], Any]
    """The function from a state, or an array of packed ones, to its image; it may raise as the rules do."""
    sign: int
    """-1 if the players change places, so that values are negated, otherwise 1."""


@dataclass(frozen=True)
class Folding:
    """The classes of symmetric states, and the representative of each."""

    game: Any
    degree: int = 0
    """0 if each state is a class of its own, 1 for symmetries of sign 1, 2 for symmetries of either sign.

    With degree 2, the first player is to move in every representative.
    """

    @property
    def is_signed(self) -> bool:
        """Whether classes have states of both signs."""
        return self.degree > 1

    @property
    def is_possible(self) -> bool:
        """Whether the rules have the symmetries that the degree requires."""
        with rules_asked(self.game, "exchanged"):
            return not self.is_signed or self.game.exchanged(self.game.initial) is not None

    @cached_property
    def symmetries(self) -> list[SignedMap]:
        """All maps from a state to other states of its class."""
        plain = [SignedMap(turn.state, 1) for turn in symmetries_of(self.game)] if self.degree else []
        if not self.is_signed:
            return plain
        swap: Callable[[Any], Any] = self.game.exchanged
        return [*plain, SignedMap(swap, -1), *(SignedMap(after(swap, turn.state), -1) for turn in plain)]

    @property
    def size(self) -> int:
        """The number of states in most classes."""
        return 1 + len(self.symmetries)

    def fold(self, state: Any) -> tuple[Any, int]:
        """The representative of a state, and the factor between their labels, 1 or -1.

        Raises `BrokenRules` if no symmetry takes the representative to the state.
        """
        sign = 1
        if self.is_signed and mover_of(self.game, state) != FIRST:
            state, sign, given = self.game.exchanged(state), -1, state
            if mover_of(self.game, state) != FIRST or self.game.exchanged(state) != given:
                raise BrokenRules(
                    f"the rules of {type(self.game).__name__} say that the players of the state {given} have "
                    f"changed places in {shown(state)}, but not the other way round"
                )
        return representative(self.game, state) if self.degree else state, sign

    def values(self, values: Iterable[int]) -> set[int]:
        """The values of all states whose representatives have these values."""
        return {sign * value for value in values for sign in ((1, -1) if self.is_signed else (1,))}


def after(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The map that applies `first`, then `then`."""
    return lambda state: then(first(state))
