"""What the engine asks the rules of a packed game: about arrays of states, one action at a time.

    keys              3      7      9
    action 0 leads    to 4   -      to 11       the mover in 3 is 1, in 9 it is 0
    children(keys, 0) is  [4, 11],  [2*0 + 1, 2*2 + 0]

The second array says for each child the index of its parent, doubled, plus the player who moved there.
Whoever answers, NumPy or compiled code, the answers are those of the rules for int64 arrays.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.errors import BrokenRules
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys, broadcast
from solver.rules.failures import rules_asked


class Rules(Protocol):
    """The rules of one game, for int64 arrays of states; more than one thread may ask at a time.

    Every answer raises `BrokenRules` where the rules raise an exception or say what makes no sense.
    """

    @property
    def action_count(self) -> int:
        """How many actions there are; they are numbered from 0."""

    def children(self, keys: Keys, action: int) -> tuple[Keys, NDArray[np.int32]]:
        """The children by an action of those states in which it is legal, in the order of the states.

        With each, twice the index of its parent in `keys` plus the player who moves there. Play goes on in
        all of `keys`, of which there are at most 2**30.
        """

    def ends(self, keys: Keys) -> Flags:
        """Where play is over."""

    def utilities(self, keys: Keys) -> Keys:
        """What terminal states are worth to the first player."""

    def movers(self, keys: Keys) -> NDArray[np.int8]:
        """The players to move, 0 or 1 each."""

    def plies(self, keys: Keys) -> Keys | None:
        """How many plies lead to the states, as `PackedGame.ply` counts them; None where it does not tell."""

    def canonical(self, keys: Keys) -> Keys:
        """The representatives of the classes of states that are symmetric to each."""

    def images(self, keys: Keys) -> Iterator[Keys]:
        """What each symmetry of the rules, the identity left out, takes the states to."""


def representatives(rules: Rules, keys: Keys) -> Keys:
    """The canonical states of these states.

    Raises `BrokenRules` where the rules say that a state stands for one that it is not symmetric to.
    """
    canonical = rules.canonical(keys)
    places = np.flatnonzero(canonical != keys)
    others, found = keys.take(places), canonical.take(places)
    known = np.zeros(len(found), np.bool_)
    for image in rules.images(found):
        known |= image == others
    known &= rules.canonical(found) == found
    if not known.all():
        at = int(known.argmin())
        raise BrokenRules(
            f"the rules say that the state {found[at]} stands for {others[at]}, "
            "but their symmetries do not take the one to the other and back"
        )
    return canonical


@dataclass(frozen=True)
class ArrayRules:
    """The rules as they are written, asked with NumPy."""

    game: PackedGame

    @property
    def action_count(self) -> int:
        """How many actions there are; they are numbered from 0."""
        return self.game.action_count

    def children(self, keys: Keys, action: int) -> tuple[Keys, NDArray[np.int32]]:
        """See `Rules`."""
        parents = np.flatnonzero(self._ask(keys, lambda states: self.game.legal(states, action)))
        states = keys[parents]
        children = self._ask(states, lambda states: self.game.result(states, action))
        self._refuse_negative(states, children)
        return children, (2 * parents + self.movers(states)).astype(np.int32)

    def ends(self, keys: Keys) -> Flags:
        """See `Rules`."""
        return self._ask(keys, self.game.is_terminal).astype(np.bool_)

    def utilities(self, keys: Keys) -> Keys:
        """See `Rules`."""
        return self._ask(keys, self.game.utility)

    def movers(self, keys: Keys) -> NDArray[np.int8]:
        """See `Rules`."""
        movers = self._ask(keys, self.game.to_move)
        if (wrong := (movers & 1) != movers).any():
            raise BrokenRules(
                f"to_move should be 0 or 1, not {movers[wrong][0]}, in the state {keys[wrong][0]}"
            )
        return movers.astype(np.int8)

    def plies(self, keys: Keys) -> Keys | None:
        """See `Rules`."""
        if self.game.ply(self.game.initial) is None:
            return None
        return self._ask(keys, self.game.ply)

    def canonical(self, keys: Keys) -> Keys:
        """See `Rules`."""
        if type(self.game).canonical is not Game.canonical:  # another choice than the least
            chosen = (self._ask(keys[at : at + 1], self._canonical_state) for at in range(len(keys)))
            return np.concatenate([keys[:0], *chosen])
        least = reduce(np.minimum, self.images(keys), keys)
        self._refuse_negative(keys, least)
        return least

    def images(self, keys: Keys) -> Iterator[Keys]:
        """See `Rules`."""
        for symmetry in self.game.symmetries():
            yield self._ask(keys, symmetry.state)

    def _canonical_state(self, states: Keys) -> int:
        return self.game.canonical(int(states[0]))

    def _refuse_negative(self, states: Keys, led_to: Keys) -> None:
        if (wrong := led_to < 0).any():
            raise BrokenRules(
                f"the rules of {type(self.game).__name__} lead from the state {states[wrong][0]} "
                f"to a negative one, {led_to[wrong][0]}"
            )

    def _ask(self, states: Keys, rule: Callable[[Any], Any]) -> Keys:
        """The answers of a rule about each of the states; a rule may also answer once for all."""
        shown = states.view()
        shown.flags.writeable = False  # a rule that changes what it is given fails, it does not lie
        with rules_asked(self.game):
            return np.ascontiguousarray(broadcast(rule(shown), shown))
