"""Asks the rules about arrays of states, as solver/packed.py defines.

`solver.engines.array_rules` and `solver.database.packed.batch_probe` do the same by separate code on purpose:
a fault in how they ask must not hide itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError
from solver.game import SECOND, Game, Symmetry
from solver.packed import PackedGame
from solver.proof.packed.array_answers import ArrayAnswers
from solver.rules.arrays import Flags, Keys, Labels, array_type, broadcast
from solver.rules.asking import symmetries_of
from solver.rules.folding import SignedMap
from solver.rules.notation import write_position

EXAMPLES = 10
"""The most states that are named of those that share a problem."""


Places: TypeAlias = NDArray[np.intp]
"""Indices into an array: intp."""


@dataclass(frozen=True)
class Play:
    """One action, played in each of some states in which it is legal."""

    action: int
    is_legal: Flags
    """Whether it is legal in each of the states."""
    parents: Places
    """The index of each state in which it is legal."""
    results: Keys
    """The child of each."""
    images: Sequence[Keys]
    """The children's images under each symmetry; empty if there are no classes."""
    representatives: Keys
    """The states that stand for the children in the proof."""

    def edges(self) -> Iterator[tuple[Places, Keys]]:
        """Yield (parents, representatives of the children) in two groups.

        The first has the children that represent themselves, the second the others. Parents ascend in both;
        the representatives of the second are in any order.
        """
        own = self.representatives == self.results
        for part in (own, ~own):
            if len(part) and part.all():
                yield self.parents, self.representatives
            elif part.any():
                yield self.parents[part], self.representatives[part]


@dataclass(frozen=True)
class CheckedRules:
    """The rules of a game, asked about arrays of states."""

    game: PackedGame
    start: int
    """The start of the file."""
    degree: int
    """The `Folding.degree` of the file: above 0 if a state in the file stands for its class."""
    layered: bool
    """Whether each state has a single ply."""
    by_class: bool = False
    """Whether the file has all states of each symmetry class, but one is expanded for all of them."""
    states: int = 1
    """The number of states in the file."""
    for_lookups: bool = False
    """Whether the answers that lookups need are proved, too; see `solver.proof.answers`."""

    @cached_property
    def _ask(self) -> ArrayAnswers:
        maps = [SignedMap(symmetry.state, 1) for symmetry in self.symmetries if self.has_classes]
        maps += [SignedMap(self.game.exchanged, -1)] if self.is_signed else []
        return ArrayAnswers(self.game, maps, self.states, for_lookups=self.for_lookups)

    @property
    def is_signed(self) -> bool:
        """Whether a state also stands for the one in which the players have changed places."""
        return self.degree > 1

    @property
    def has_classes(self) -> bool:
        """Whether a proof of a canonical state holds for its class."""
        return self.degree > 0 or self.by_class

    @cached_property
    def symmetries(self) -> Sequence[Symmetry[Any, int]]:
        """The symmetries of the rules, for arrays of states."""
        return symmetries_of(self.game)

    def movers(self, keys: Keys) -> Keys:
        """The player to move, 0 or 1, in each state; raises ValueError if the rules give another."""
        movers = broadcast(self._ask(keys, "to_move"), keys)
        if (wrong := (movers != 0) & (movers != 1)).any():
            raise ValueError(f"to_move should be 0 or 1, not {movers[wrong][0]}, for {keys[wrong][0]}")
        return movers

    def is_terminal(self, keys: Keys) -> Flags:
        """Whether each state is terminal."""
        return _flags(self._ask(keys, "is_terminal"), keys)

    def utilities(self, keys: Keys) -> Keys:
        """The utility of each terminal state for the first player."""
        return broadcast(self._ask(keys, "utility"), keys)

    def legal(self, keys: Keys, action: int) -> Flags:
        """Whether an action is legal in each state."""
        return _flags(self._ask(keys, "legal", action), keys)

    def results(self, keys: Keys, action: int) -> Keys:
        """The child of each state by an action that is legal in all of them."""
        return broadcast(self._ask(keys, "result", action), keys)

    def images(self, keys: Keys) -> list[Keys]:
        """The states' images under each symmetry; empty if there are no classes."""
        numbers = range(len(self.symmetries) if self.has_classes else 0)
        return [broadcast(self._ask(keys, "image", nth), keys) for nth in numbers]

    def canonical(self, keys: Keys, images: Iterable[Keys] | None = None) -> Keys:
        """The canonical state of each state; `images` may be given if they are known."""
        if type(self.game).canonical is not Game.canonical:  # not the least image
            return np.fromiter(map(self.game.canonical, keys.tolist()), np.int64, len(keys))
        return reduce(np.minimum, self.images(keys) if images is None else images, keys)

    def plays(self, keys: Keys) -> Iterator["Play"]:
        """Yield each action that is legal in some of the states, played in these."""
        for action in range(self.game.action_count):
            is_legal = self.legal(keys, action)
            if len(parents := np.flatnonzero(is_legal)):
                results = self.results(keys[parents], action)
                images = self.images(results)
                yield Play(action, is_legal, parents, results, images, self.representatives(results, images))

    def representatives(self, keys: Keys, images: Iterable[Keys] | None = None) -> Keys:
        """The states that stand for these in the proof; `images` may be given if they are known."""
        if self.is_signed:
            keys, images = np.where(self.movers(keys) == SECOND, self.exchange(keys), keys), None
        return self.canonical(keys, images) if self.has_classes else keys

    def exchange(self, keys: Keys) -> Keys:
        """The states in which the players have changed places."""
        return broadcast(self._ask(keys, "image", len(self.symmetries)), keys)

    def related(self, keys: Keys) -> list[Keys]:
        """All other states that each state stands for: its images, and those of sign -1."""
        images = self.images(keys)
        return [*images, *(self.exchange(members) for members in (keys, *images) if self.is_signed)]

    def of_children(self, labels: Labels) -> Labels:
        """The labels of the children of stored states, given the labels of their representatives."""
        return -labels if self.is_signed else labels

    def tiers(self, keys: Keys) -> Keys | None:
        """The tier of each state; None if the rules define none."""
        tiers = self._ask(keys, "tier")
        return None if tiers is None else broadcast(tiers, keys)

    def confirm_ply(self, ply: int, keys: Keys) -> bool:
        """Whether `PackedGame.ply` confirms that each state is `ply` plies after the start."""
        first = self.game.ply(self.start)
        return first is not None and bool(
            (broadcast(self.game.ply(keys.view(array_type(self.game))), keys) == first + ply).all()
        )

    def named(self, key: int, ply: int) -> str:
        """A state in words, with its ply if states have one."""
        at_ply = f" at ply {ply}" if self.layered else ""
        try:
            return f"the position {write_position(self.game, key)!r}{at_ply}"
        except SolverError:
            return f"the state {key}{at_ply}, which cannot be written"

    def each_wrong(self, keys: Keys, ply: int, wrong: Flags | Places, problem: str) -> Iterator[str]:
        """Yield the problem for each state that is `wrong`, by flags or indices, at most `EXAMPLES` times."""
        for key in keys[wrong][:EXAMPLES].tolist():
            yield f"{self.named(key, ply)}: {problem}"


def among(keys: Keys, others: Sequence[Keys]) -> Flags:
    """Whether each key is equal to one of the others at the same index."""
    equal = np.zeros(len(keys), np.bool_)
    for other in others:
        equal |= keys == other
        if equal.all():
            break
    return equal


def _flags(answer: Any, keys: Keys) -> Flags:
    if isinstance(answer, np.ndarray) and answer.dtype == np.bool_ and answer.shape == keys.shape:
        return answer
    return broadcast(answer, keys).astype(np.bool_)
