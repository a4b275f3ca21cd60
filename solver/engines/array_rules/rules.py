"""The engines' interface to the rules of a packed game: arrays of states, one action at a time.

    keys              3      7      9
    action 0 leads    to 4   -      to 11       the mover in 3 is 1, in 9 it is 0
    children(keys, 0) is  [4, 11],  [2*0 + 1, 2*2 + 0]

The second array has the code of each child's parent: twice its index, plus the player to move in it. NumPy
and compiled code give the same answers: those of the rules for int64 arrays.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import BrokenRules
from solver.game import FIRST, SECOND, Game
from solver.packed import Packed, PackedGame
from solver.rules.arrays import Flags, Keys, array_type, broadcast
from solver.rules.failures import MEMBERS, rules_asked
from solver.rules.folding import Folding

SLACK = 8
"""Spare elements at the end of output arrays, which compiled code may overwrite."""

Children: TypeAlias = tuple[Keys, NDArray[np.int32]]
"""The children, and the code of the parent of each."""


@dataclass(frozen=True)
class Rules:
    """The rules of one game for arrays of states, `keys`: int64, (n,). Threads may share an instance.

    NumPy evaluates the rules as they are written. Every method raises `BrokenRules` if they raise an
    exception or return an invalid answer.
    """

    game: PackedGame
    degree: int = 1
    """The `Folding.degree` of canonical forms."""

    @cached_property
    def folding(self) -> Folding:
        """The classes of states that have one canonical form."""
        return Folding(self.game, self.degree)

    @property
    def action_count(self) -> int:
        """The number of actions, which are 0, 1, 2 ..."""
        return self.game.action_count

    def children(self, keys: Keys, action: int, into: Children | None = None) -> Children:
        """The children by `action`, where it is legal, and the codes of their parents, in order of states.

        A code is twice the index of the parent in `keys`, plus the player to move in the parent: int32. The
        states must be open, and at most 2**30. If `into` is given, with room for a child of each state and
        `SLACK`, the results are written to the beginnings of its arrays.
        """
        parents = np.flatnonzero(self._ask(keys, self.game.legal, action))
        states = keys[parents]
        children = self._ask(states, self.game.result, action)
        self._refuse_negative(states, children)
        codes = (2 * parents + self.movers(states)).astype(np.int32)
        if into is None:
            return children, codes
        into[0][: len(children)], into[1][: len(children)] = children, codes
        return into[0][: len(children)], into[1][: len(children)]

    def every_child(self, keys: Keys, actions: Sequence[int] | None = None) -> Children:
        """The children by all actions, one action after the other, as `children` returns them for one.

        `actions` may list the actions in another order.
        """
        parts = [self.children(keys, action) for action in actions or range(self.action_count)]
        return np.concatenate([part for part, _ in parts]), np.concatenate([codes for _, codes in parts])

    def folded_children(self, keys: Keys) -> Children:
        """The canonical forms of all children, and the codes of their parents, as by `every_child`.

        If labels of children are the negated labels of their canonical forms, a code has the other player
        instead of the one to move in the parent. Raises `BrokenRules` if this holds for some children only.
        """
        children, codes = self.every_child(keys)
        if self.folding.is_signed:
            if (again := self.movers(children) == FIRST).any():
                raise BrokenRules(
                    "the rules define `exchanged`, but the first player makes a move to the state "
                    f"{children[again][0]}, and is to move there again"
                )
            codes ^= 1
        return self.canonical(children), codes

    @property
    def winners(self) -> tuple[int, int]:
        """The winner of a child if the first player wins its canonical form, and if the second does."""
        return (SECOND, FIRST) if self.folding.is_signed else (FIRST, SECOND)

    def open_and_terminal(self, keys: Keys, *, folded: bool) -> tuple[Keys, Keys]:
        """The open (non-terminal) and the terminal states, in order; if `folded`, the canonical ones."""
        if folded:
            keys = keys.take(np.flatnonzero(self.canonical(keys) == keys))
        is_terminal = self.terminal(keys)
        return keys.take(np.flatnonzero(~is_terminal)), keys.take(np.flatnonzero(is_terminal))

    def terminal(self, keys: Keys) -> Flags:
        """Whether each state is terminal: bool, (n,)."""
        return self._ask(keys, self.game.is_terminal).astype(np.bool_)

    def utilities(self, keys: Keys) -> Keys:
        """The utility of each terminal state for the first player: int64, (n,)."""
        return self._ask(keys, self.game.utility)

    def movers(self, keys: Keys) -> NDArray[np.int8]:
        """The player to move in each state, 0 or 1: int8, (n,)."""
        movers = self._ask(keys, self.game.to_move)
        if (wrong := (movers & 1) != movers).any():
            raise BrokenRules(
                f"to_move should be 0 or 1, not {movers[wrong][0]}, in the state {keys[wrong][0]}"
            )
        return movers.astype(np.int8)

    def optional(self, rule: Literal["ply", "tier"], keys: Keys) -> Keys | None:
        """The ply or the tier of each state, see `PackedGame`: int64, (n,); None if the rules define none."""
        ask = getattr(self.game, rule)
        return None if ask(self.game.initial) is None else self._ask(keys, ask)

    def canonical(self, keys: Keys) -> Keys:
        """The canonical form of each state: int64, (n,)."""
        if self.folding.is_signed:
            keys = self._ask(keys, self.with_first_to_move)
        if type(self.game).canonical is not Game.canonical:  # not the least image
            canonical = self.game.canonical
            chosen = (self._ask(part, lambda state: canonical(int(state[0]))) for part in keys.reshape(-1, 1))
            return np.concatenate([keys[:0], *chosen])
        images = (self._ask(keys, symmetry.state) for symmetry in self.game.symmetries())
        least = reduce(np.minimum, images, keys)
        self._refuse_negative(keys, least)
        return least

    def representatives(self, keys: Keys) -> Keys:
        """The canonical forms of states; raises `BrokenRules` if a form is not symmetric or not canonical."""
        canonical = self.canonical(keys)
        if self.folding.is_signed and (second := self.movers(canonical) != FIRST).any():
            raise BrokenRules(
                f"the rules exchange the players of the state {keys[second][0]}, "
                f"but in {canonical[second][0]} the second one is to move, too"
            )
        places = np.flatnonzero(canonical != keys)
        others, images_of = keys.take(places), canonical.take(places)
        is_proved = np.zeros(len(images_of), np.bool_)
        for image in self.images(images_of):
            is_proved |= image == others
        is_proved &= self.canonical(images_of) == images_of
        if not is_proved.all():
            at = int(is_proved.argmin())
            raise BrokenRules(
                f"the rules say that the state {images_of[at]} stands for {others[at]}, "
                "but their symmetries do not take the one to the other and back"
            )
        return canonical

    def images(self, keys: Keys) -> Iterator[Keys]:
        """Yield the images of the states under each symmetry of the folding, the identity left out."""
        for symmetry in self.folding.symmetries:
            yield self._ask(keys, symmetry.state)

    def with_first_to_move(self, state: Packed) -> Packed:
        """The state, exchanged if the folding is signed and the second player moves; by operators alone."""
        if not self.folding.is_signed:
            return state
        return state ^ (state ^ self.game.exchanged(state)) * self.game.to_move(state)

    def checked_form(self, state: Packed) -> Packed:
        """The least image of a state, or -1 if the checks of `representatives` fail; by operators alone."""
        first, turns = self.with_first_to_move(state), [symmetry.state for symmetry in self.game.symmetries()]
        form = reduce(
            lambda one, other: one ^ (one ^ other) * (other < one), (turn(first) for turn in turns), first
        )
        images = [symmetry.state(form) for symmetry in self.folding.symmetries]
        is_right = reduce(or_, (image == state for image in images), form == state)
        is_right = reduce(and_, (turn(form) >= form for turn in turns), is_right)
        return form | -(self.game.to_move(form) * self.folding.is_signed | (is_right == 0))

    def _refuse_negative(self, states: Keys, led_to: Keys) -> None:
        if (wrong := led_to < 0).any():
            raise BrokenRules(
                f"the rules of {type(self.game).__name__} lead from the state {states[wrong][0]} "
                f"to a negative one, {led_to[wrong][0]}"
            )

    def _ask(self, states: Keys, rule: Callable[..., Any], *action: int) -> Keys:
        """The answer of a rule for each of the states; a rule may also return a single answer for all."""
        view = states.view(array_type(self.game))
        view.flags.writeable = False  # a rule that changes its argument raises
        name = getattr(rule, "__name__", "")
        with rules_asked(self.game, name if name in MEMBERS else ""):
            return np.ascontiguousarray(broadcast(rule(view, *action), states))
