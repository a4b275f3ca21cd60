"""Which states count as one: the symmetries of the rules with their signs, and what folds by them.

A symmetry of sign 1, one of `Game.symmetries`, keeps values: the board is turned or mirrored. One of sign -1,
`PackedGame.exchanged`, negates them: the players have changed places.
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
"""What files say of folded states, by `Folding.degree`."""


class SignedMap(NamedTuple):
    """A map of states to others of the same class."""

    state: Callable[[Any], Any]
    """From a state, or an array of packed ones, to its image; the rules may fail."""
    sign: int
    """-1 if the players change places, so that values are negated, otherwise 1."""


@dataclass(frozen=True)
class Folding:
    """The classes of states that count as one, and the state that represents each."""

    game: Any
    degree: int = 0
    """0 if each state is a class, 1 for symmetries of sign 1, 2 for those of either sign.

    A class of degree 2 is represented by a state with the first player to move.
    """

    @property
    def is_signed(self) -> bool:
        """Whether classes have states of both signs."""
        return self.degree > 1

    @property
    def is_possible(self) -> bool:
        """Whether the rules tell what the degree asks for."""
        with rules_asked(self.game, "exchanged"):
            return not self.is_signed or self.game.exchanged(self.game.initial) is not None

    @cached_property
    def symmetries(self) -> list[SignedMap]:
        """All maps from a state to others of its class."""
        alike = [SignedMap(turn.state, 1) for turn in symmetries_of(self.game)] if self.degree else []
        if not self.is_signed:
            return alike
        turned: Callable[[Any], Any] = self.game.exchanged
        return [*alike, SignedMap(turned, -1), *(SignedMap(after(turned, turn.state), -1) for turn in alike)]

    @property
    def size(self) -> int:
        """The number of states in most classes."""
        return 1 + len(self.symmetries)

    def fold(self, state: Any) -> tuple[Any, int]:
        """The representative of a state, and the sign of its label beside that of the state.

        Raises `BrokenRules` if no symmetry takes the representative to the state.
        """
        sign = 1
        if self.is_signed and mover_of(self.game, state) != FIRST:
            state, sign, asked = self.game.exchanged(state), -1, state
            if mover_of(self.game, state) != FIRST or self.game.exchanged(state) != asked:
                raise BrokenRules(
                    f"the rules of {type(self.game).__name__} say that the players of the state {asked} have "
                    f"changed places in {shown(state)}, but not the other way round"
                )
        return representative(self.game, state) if self.degree else state, sign

    def values(self, values: Iterable[int]) -> set[int]:
        """The values of all states whose representatives have these."""
        return {sign * value for value in values for sign in ((1, -1) if self.is_signed else (1,))}


def after(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The second map after the first one."""
    return lambda state: then(first(state))
